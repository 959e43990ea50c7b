/** Conversations of several turns: `unstable_v2_createSession`, `_resumeSession`, and the one-shot `_prompt`. */
import { KedgeError } from '../errors.js'
import type { SDKMessage, SDKResultMessage } from '../protocol/messages.js'
import type { Options } from '../protocol/options.js'
import type { SDKSession, SDKSessionOptions } from '../protocol/query.js'
import { query } from './start-query.js'

/** A session with several turns: `send()` a prompt, read its messages with `stream()`. */
export function unstable_v2_createSession(options: SDKSessionOptions): SDKSession {
  return openSession(options)
}

/** Continues with a stored session. */
export function unstable_v2_resumeSession(sessionId: string, options: SDKSessionOptions): SDKSession {
  return openSession({ ...options, resume: sessionId }, sessionId)
}

/** One prompt, one result. */
export async function unstable_v2_prompt(message: string, options: SDKSessionOptions): Promise<SDKResultMessage> {
  const session = openSession(options)
  try {
    await session.send(message)
    for await (const answer of session.stream()) if (answer.type === 'result') return answer
  } finally {
    session.close()
  }
  throw new KedgeError('query_closed', 'The agent ended without a result')
}

/** Nothing that a caller of the library could not write: a query without a prompt, sent to, and read turn by turn. */
function openSession(options: Options, knownId?: string): SDKSession {
  // A session that says nothing about the system prompt has the agent's own; a query has none.
  const systemPrompt = options.systemPrompt ?? { type: 'preset', preset: 'claude_code' }
  const running = query({ prompt: null, options: { ...options, systemPrompt } })
  let sessionId = knownId
  let closed = false

  // An agent that ended by itself takes no more messages either.
  void running.closed.then(() => {
    closed = true
  })
  const close = () => {
    closed = true
    running.close()
  }
  return {
    get sessionId() {
      if (sessionId === undefined) {
        throw new KedgeError('session_id_unknown', 'Session ID not available until after receiving messages')
      }
      return sessionId
    },
    async send(message) {
      const refusal = new KedgeError('session_closed', 'Cannot send to closed session')
      if (closed) throw refusal
      await running.send(message).catch((error) => {
        throw KedgeError.isInstance(error) && error.code === 'transport_closed' ? refusal : error
      })
    },
    async *stream(): AsyncGenerator<SDKMessage, void> {
      for (let item = await running.next(); !item.done; item = await running.next()) {
        const message = item.value
        if ('session_id' in message && message.session_id) sessionId = message.session_id
        yield message
        if (message.type === 'result') return
      }
    },
    close,
    async [Symbol.asyncDispose]() {
      if (!closed) close()
      await running.closed
    },
  }
}
