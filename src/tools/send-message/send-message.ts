/** SendMessage: writes to members of the team. Who gets it arrives as a port. */
import { describeIssues } from '../describe-issues.js'
import type { InputSchema } from '../input-schema.js'
import { type CallContext, defineTool, type Tool } from '../tool.js'

export interface SendMessageInput {
  /** What else is needed depends on it. */
  type: 'message' | 'broadcast' | 'shutdown_request' | 'shutdown_response' | 'plan_approval_response'
  /** A member's name: for a message, a request to shut down, and the answer to a plan. */
  recipient?: string
  /** The message, the reason, or the feedback. */
  content?: string
  /** Five to ten words: for messages and broadcasts. */
  summary?: string
  /** Id of the request that is answered. */
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

export function findMissingFields(input: SendMessageInput): Field[] {
  return NEEDED[input.type].filter((field) => input[field] === undefined)
}

/** What SendMessage gives back to hosts. */
export interface SendMessageOutput {
  success: boolean
  message: string
  /** Recipients of a broadcast. */
  recipients?: string[]
  /** Sender and target of a message or broadcast. */
  routing?: {
    sender: string
    senderColor?: string
    /** `@name`, or `@team` for everybody. */
    target: string
    targetColor?: string
    summary: string
    content: string
  }
  /** Id of a request, or of the request that is answered. */
  request_id?: string
  /** The member that is asked to shut down. */
  target?: string
}

const sendMessagePrompt = `Writes to members of your team. What you say in your turn is seen by nobody else: only this reaches them.

- message: to one member. recipient is its name ("team-lead" for the lead), summary says in a few words what it is about.
- broadcast: to all other members. Each of them spends a turn on it, so write to one where one is enough.
- shutdown_request: asks a member to end. It may refuse; you get its answer as a message.
- shutdown_response: your answer to such a request, with its requestId as request_id. With approve true you end once your turn is over; with approve false say in content why you must go on.
- plan_approval_response: the lead's answer to a plan_approval_request, with its requestId as request_id. With approve false say in content what should change.

Messages for you come by themselves, as <teammate-message>, when your turn is over: do not look for them.`

export interface SendMessagePort {
  /** The context says who writes. */
  send(
    input: SendMessageInput,
    context: CallContext,
  ): Promise<{ ok: true; output: SendMessageOutput } | { ok: false; error: string }>
}

export function createSendMessageTool(port: SendMessagePort): Tool<SendMessageInput> {
  return defineTool<SendMessageInput>({
    name: 'SendMessage',
    description: sendMessagePrompt,
    inputSchema: sendMessageInputSchema,
    isReadOnly: () => false,
    facts: () => ({ kind: 'none' }),
    check: async (input) => {
      const missing = findMissingFields(input)
      return missing.length === 0 ? undefined : describeIssues('SendMessage', missing.map(toIssue)).error
    },
    async execute(input, context) {
      const result = await port.send(input, context)
      if (!result.ok) return result
      const { output } = result
      return { ok: true, content: [{ type: 'text', text: JSON.stringify(output, null, 2) }], output }
    },
  })
}

function toIssue(field: string) {
  const expected = field === 'approve' ? 'boolean' : 'string'
  const message = `Invalid input: expected ${expected}, received undefined`
  return { code: 'invalid_type' as const, expected, received: 'undefined', path: [field], message }
}
