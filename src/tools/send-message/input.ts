/** What SendMessage is asked for. */
import type { InputSchema } from '../input-schema.js'

export interface SendMessageInput {
  /** What else is needed depends on it. */
  type: 'message' | 'broadcast' | 'shutdown_request' | 'shutdown_response' | 'plan_approval_response'
  /** A member's name: for a message, a request to shut down, and the answer to a plan. */
  recipient?: string
  /** The message, the reason, or the feedback. */
  content?: string
  /** Five to ten words: for messages and broadcasts. */
  summary?: string
  /** Of the request that is answered. */
  request_id?: string
  /** Yes or no, in an answer. */
  approve?: boolean
}

/** As observed, this one does not say which draft it follows. */
export const sendMessageInputSchema = {
  type: 'object',
  properties: {
    type: {
      type: 'string',
      enum: ['message', 'broadcast', 'shutdown_request', 'shutdown_response', 'plan_approval_response'],
      description: 'What kind of message it is.',
    },
    recipient: {
      type: 'string',
      description: 'The name of a member: for message, shutdown_request and plan_approval_response.',
    },
    content: { type: 'string', description: 'The message, the reason, or the feedback.' },
    summary: { type: 'string', description: 'Five to ten words that say what it is about: for message and broadcast.' },
    request_id: {
      type: 'string',
      description: 'The id of the request you answer: for shutdown_response and plan_approval_response.',
    },
    approve: { type: 'boolean', description: 'Yes or no: for shutdown_response and plan_approval_response.' },
  },
  required: ['type'],
  additionalProperties: false,
} satisfies Omit<InputSchema<SendMessageInput>, '$schema'>

type Field = Exclude<keyof SendMessageInput, 'type'>

/** As observed. */
const NEEDED: Record<SendMessageInput['type'], readonly Field[]> = {
  message: ['recipient', 'content', 'summary'],
  broadcast: ['content', 'summary'],
  shutdown_request: ['recipient'],
  shutdown_response: ['request_id', 'approve'],
  plan_approval_response: ['recipient', 'request_id', 'approve'],
}

export function missingFields(input: SendMessageInput): Field[] {
  return NEEDED[input.type].filter((field) => input[field] === undefined)
}
