/** What the agent says: control messages go to those they concern, everything else to the caller, who may read slowly. */

import { KedgeError } from '../../errors.js'
import type { Mutable } from '../../protocol/changeable.js'
import type {
  SDKCommandsChangedMessage,
  SDKMessage,
  SDKResultMessage,
  SDKSessionStateChangedMessage,
} from '../../protocol/messages.js'
import { userFailureText } from '../../protocol/shown/fix-words.js'
import { MalformedLine } from '../../transport/channel.js'
import type { ControlMessage, Peer } from '../../transport/peer.js'
import { createAsyncQueue } from '../../transport/queue.js'
import type { AgentConnection } from '../agent-connection.js'
import type { QueryTrace } from '../telemetry/query-trace.js'
import type { InputEndTracker } from './agent-input.js'

/** Unread messages at which we stop reading, unless an answer is awaited. */
const MAX_UNREAD = 10_000

/** How the last turn ended, as far as errors go; `failure` says why. */
export type LastTurnOutcome = {
  isError: boolean
  failure: Pick<SDKResultMessage, 'error_code' | 'error_fix'> & { reason?: string }
}

/** More of a reason does not help anybody who reads it in an error. */
const MAX_REASON = 2000

export interface AgentOutputReader {
  /** Takes all the agent says. Resolves when it has ended; rejects when it can't be understood. */
  read(channel: AgentConnection['channel'], isClosing: () => boolean): Promise<void>
  /** The next message for the caller. */
  next(): Promise<IteratorResult<SDKMessage, undefined>>
  /** The caller gets what has come so far, then the end or the error. */
  end(error?: Error): void
  /** Continues reading, also where the caller is behind: an answer may be what it waits for. */
  wake(): void
  readonly last: LastTurnOutcome
  readonly sessionId: string | undefined
  /** Those there are since it began, if others than it began with. */
  readonly commands: SDKCommandsChangedMessage['commands'] | undefined
  /** It said something only our own agent says. */
  readonly isOurs: boolean
}

export type AgentOutputOptions = {
  peer: Peer
  input: InputEndTracker
  trace: QueryTrace | undefined
  /** What the caller did not ask for, the trace did. */
  hides: ((message: object) => boolean) | undefined
}

export function createAgentOutput({ peer, input, trace, hides }: AgentOutputOptions): AgentOutputReader {
  const messages = createAsyncQueue<SDKMessage>()
  const unread = messages[Symbol.asyncIterator]()
  let wake = () => {}

  /** False for what the caller does not see. */
  const note = (message: object): boolean => {
    const type = 'type' in message ? message.type : undefined
    switch (type) {
      case 'control_request':
      case 'control_response':
      case 'control_cancel_request':
        // Checked by the peer.
        void peer.receive(message as ControlMessage)
        if (type === 'control_response') input.answered()
        return false
      case 'keep_alive':
      case 'streamlined_text':
      case 'streamlined_tool_use_summary':
        return false
      case 'system':
        if ('session_id' in message && typeof message.session_id === 'string') output.sessionId = message.session_id
        if (!('subtype' in message)) return true
        if (message.subtype === 'commands_changed') output.commands = readCommands(message)
        if (message.subtype !== 'session_state_changed') return true
        return noteState(message)
      case 'result':
        output.last = readResult(message)
        input.result()
        return true
      default:
        return true
    }
  }
  /** Whether it is for the caller. */
  const noteState = (message: object): boolean => {
    // Our own or the original's agent.
    const { state, sdk_host_only, user_messages, background_tasks } = message as Partial<SDKSessionStateChangedMessage>
    output.isOurs ||= user_messages !== undefined
    // Ours says it apart for the host, which has to wait for work in the background too.
    if (sdk_host_only || user_messages === undefined) input.stateChanged(String(state), user_messages, background_tasks)
    return !sdk_host_only
  }

  const output: Mutable<AgentOutputReader> = {
    last: { isError: false, failure: {} },
    sessionId: undefined,
    commands: undefined,
    isOurs: false,
    async read(channel, isClosing) {
      if (trace) await trace.ready
      for await (const message of channel.incoming) {
        if (message instanceof MalformedLine) throw notUnderstood(message)
        if (note(message)) {
          trace?.message(message as SDKMessage) // those it knows
          // Unknown messages of newer agents reach the caller as they are.
          if (!hides?.(message)) void messages.push(message as SDKMessage)
        }
        // A caller that does not read must not make us keep everything; but an answer we wait for may be behind it.
        while (messages.size > MAX_UNREAD && peer.openRequests() === 0 && !isClosing())
          await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    async next() {
      const item = await unread.next()
      if (messages.size < MAX_UNREAD / 2) wake()
      return item
    },
    end: (error) => messages.end(error),
    wake: () => wake(),
  }
  return output
}

function readCommands(message: object): AgentOutputReader['commands'] {
  const { commands } = message as Partial<SDKCommandsChangedMessage> // our own or the original's agent
  return commands
}

function readResult(message: object): LastTurnOutcome {
  const isError = 'is_error' in message && message.is_error === true
  // Only our own agent's results have a code and a fix.
  const { error_code, error_fix, errors, result } = message as Partial<SDKResultMessage> & {
    errors?: unknown
    result?: unknown
  }
  const said = Array.isArray(errors) ? errors.join('\n') : typeof result === 'string' ? result : ''
  // What to do is in `fix`: a text that advises as well would say it twice, in other words.
  const problem = error_fix === undefined ? said : userFailureText(said)
  const reason = isError && problem !== '' ? { reason: problem.slice(0, MAX_REASON) } : {}
  return { isError, failure: { ...(error_code && { error_code }), ...(error_fix && { error_fix }), ...reason } }
}

function notUnderstood({ excerpt, tooLong }: MalformedLine): KedgeError {
  const text = `CLI output was not valid JSON. This may indicate an error during startup. Output: ${excerpt}`
  return new KedgeError(tooLong ? 'line_too_long' : 'invalid_output', text)
}
