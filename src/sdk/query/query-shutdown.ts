/** How a query ends, in every case: by itself, closed or aborted by its caller, or because its agent is gone. */
import { AbortError, KedgeError, ProcessExitError } from '../../errors.js'
import { toError } from '../../protocol/thrown.js'
import type { AgentConnection, AgentExit } from '../agent-connection.js'
import type { QueryTrace } from '../telemetry/query-trace.js'
import type { InputEndTracker } from './agent-input.js'
import type { AgentOutputReader, LastTurnOutcome } from './agent-output.js'
import type { QueryHostSide } from './host-side.js'
import { createTransportClosedError } from './query-input.js'

const TERM_AFTER = 2000
const KILL_AFTER = 5000

export interface QueryShutdown {
  /** Ends the agent: its input first, then by force. The iterator ends now. */
  shutDown(error?: Error): void
  /** The caller has all it gets. Callbacks are answered as long as the agent works, which keeps no process alive. */
  letGo(): void
  /** Reads until the agent has ended; resolves when nothing of the query runs any more. */
  untilClosed(): Promise<void>
  readonly isClosing: boolean
}

export type QueryShutdownOptions = {
  connection: AgentConnection
  host: QueryHostSide
  output: AgentOutputReader
  input: InputEndTracker
  trace: QueryTrace | undefined
  abort: AbortSignal | undefined
  /** What the caller did wrong; thrown when everything else is over. */
  mistake(): Error | undefined
}

export function createQueryShutdown(options: QueryShutdownOptions): QueryShutdown {
  const { connection, host, output, input, trace, abort, mistake } = options

  const finish = () => {
    end.isClosing = true
    host.peer.close(
      new KedgeError('query_closed', 'Query closed before response received'),
      createTransportClosedError(),
    )
    host.mcp.close()
    abort?.removeEventListener('abort', onAbort)
    output.wake()
  }
  const shutDown = (error?: Error) => {
    if (end.isClosing) return
    tellToStop(connection)
    finish()
    connection.channel.end()
    trace?.end(error)
    output.end(error)
    if (connection.kind === 'in-process') connection.kill('SIGTERM')
    const timers = [
      setTimeout(() => connection.kill('SIGTERM'), TERM_AFTER),
      setTimeout(() => connection.kill('SIGKILL'), TERM_AFTER + KILL_AFTER),
    ]
    void connection.ended.then(() => timers.forEach(clearTimeout))
  }
  // Programs know this text for a process. Other kinds of agents have no process.
  const aborted = connection.kind === 'process' ? 'Claude Code process aborted by user' : 'Query aborted by user'
  const onAbort = () => shutDown(new AbortError(aborted))
  abort?.addEventListener('abort', onAbort, { once: true })

  const end = {
    isClosing: false,
    shutDown,
    letGo() {
      trace?.end()
      output.end(mistake() ?? (output.last.isError ? failedTurn(output.last) : undefined))
      connection.unref()
    },
    async untilClosed() {
      try {
        await output.read(connection.channel, () => end.isClosing)
      } catch (error) {
        // What it says can't be understood: the agent is ended, by force if it must be.
        shutDown(toError(error))
        connection.kill('SIGTERM')
      }
      const exit = await connection.ended
      const wasClosing = end.isClosing
      finish()
      const error = exitError(exit, output.last, input.awaitsResult, connection.kind === 'process')
      trace?.end(error)
      if (!wasClosing) output.end(error ?? mistake())
    },
  }
  return end
}

/** Others see the end of their input, and finish what they do until they are killed; behind a transport nobody can be. */
function tellToStop({ own, kind, channel }: AgentConnection): void {
  if (!own && kind !== 'transport') return
  const request = { subtype: 'interrupt', scope: 'all' }
  void channel.send({ type: 'control_request', request_id: 'close', request })
}

function exitError(
  exit: AgentExit,
  last: LastTurnOutcome,
  awaitsResult: boolean,
  isProcess: boolean,
): Error | undefined {
  const { code, signal, stderr, error } = exit
  if (error) return error
  const { error_code, reason = '' } = last.failure
  // Callers wait for it, or close the query that has the session: they need to tell it from other ends.
  if (!isProcess && error_code === 'session_in_use') return new KedgeError('session_in_use', reason)
  if (code !== 'unknown')
    return code === 0 ? undefined : new ProcessExitError(code, signal, stderr, last.failure, isProcess)
  if (awaitsResult) return new KedgeError('transport_closed', 'The transport ended before the agent had answered')
  return last.isError ? failedTurn(last) : undefined
}

/** Where no process ended that could have said it. */
function failedTurn({ failure }: LastTurnOutcome): ProcessExitError {
  return new ProcessExitError(1, null, '', failure, false)
}
