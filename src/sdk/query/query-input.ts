/** What the caller says to the agent: the prompt, streams of messages, single messages. */
import { KedgeError } from '../../errors.js'
import type { SDKUserMessage } from '../../protocol/messages.js'
import { toError } from '../../protocol/thrown.js'
import type { AgentConnection } from '../agent-connection.js'
import type { InputEndTracker } from './agent-input.js'
import { userTextMessage } from './user-text.js'

export type QueryPrompt = string | AsyncIterable<SDKUserMessage>

export interface QueryInput {
  /** Begins with a prompt; errors of a stream are the caller's mistake and come at the end. */
  give(prompt: QueryPrompt): void
  send(message: string | SDKUserMessage): Promise<void>
  /** Its end is the end of the input. */
  stream(messages: AsyncIterable<SDKUserMessage>): Promise<void>
}

export type QueryInputOptions = {
  channel: AgentConnection['channel']
  input: InputEndTracker
  isClosing(): boolean
  onMistake(error: Error): void
}

export function createQueryInput({ channel, input, isClosing, onMistake }: QueryInputOptions): QueryInput {
  const isOver = () => isClosing() || input.ended

  const write = async (message: SDKUserMessage, single = false) => {
    if (isOver()) throw createTransportClosedError()
    const taken = channel.send(message)
    // Only what was sent, and what the agent counts too: waiting for anything else would never end.
    if (message?.type === 'user') input.sending(single)
    await taken
  }
  const writeAll = async (messages: AsyncIterable<SDKUserMessage>) => {
    input.opened(false)
    try {
      for await (const message of messages) {
        // Nobody takes it any more: `streamInput` closed the input, or the query is over.
        if (isOver()) return
        await write(message)
      }
    } finally {
      input.closed()
    }
  }

  return {
    give(prompt) {
      if (typeof prompt === 'string') {
        input.opened(true)
        void write(userTextMessage(prompt)).then(input.closed, input.closed)
        return
      }
      // What was sent is still answered; then the caller gets the error of its own stream.
      writeAll(prompt).catch((error) => onMistake(toError(error)))
    },
    async send(message) {
      if (input.hasLetGo) throw createTransportClosedError()
      await write(typeof message === 'string' ? userTextMessage(message) : message, true)
    },
    async stream(messages) {
      if (isOver()) throw createTransportClosedError()
      await writeAll(messages)
      // As observed: its end is the end of the input, also when the prompt is a stream that is still open.
      input.finish()
    },
  }
}

export function createTransportClosedError(): KedgeError {
  return new KedgeError('transport_closed', 'ProcessTransport is not ready for writing')
}
