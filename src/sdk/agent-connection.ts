/** How a query reaches its agent: the same from above for one in this process, a child, or whatever is behind a transport. */

import { toArgv } from '../protocol/option-table/to-argv.js'
import type { Options } from '../protocol/options.js'
import { toError } from '../protocol/thrown.js'
import type { Channel, MalformedLine } from '../transport/channel.js'
import { createChannelPair } from '../transport/channel.js'
import type { ChildExit } from '../transport/child-process.js'

export interface AgentConnection {
  readonly channel: Channel<object | MalformedLine, object>
  readonly ended: Promise<AgentExit>
  kill(signal: 'SIGTERM' | 'SIGKILL'): void
  /** It no longer keeps this process alive; in-process, the agent sees to that itself. */
  unref(): void
  readonly pid: number | undefined
  readonly kind: 'in-process' | 'process' | 'transport'
  /** It is our own agent: it reports its state, and understands `end_session`. */
  readonly own: boolean
}

/** What an agent is, as known before it has started. */
export type AgentConnectionKind = Pick<AgentConnection, 'own' | 'kind'>

/** Behind a transport nobody sees with which code an agent ended. */
export type AgentExit = Omit<ChildExit, 'code'> & { code: ChildExit['code'] | 'unknown' }

/** The defaults that only this process can give; read once per query. */
export type HostProcessDefaults = { env: Readonly<Record<string, string | undefined>>; cwd: string }

export function connectInProcess(options: Options, caller: HostProcessDefaults): AgentConnection {
  const [host, agent] = createChannelPair<object, object>()
  const stop = new AbortController()
  const run = async (): Promise<ChildExit> => {
    let keep = () => {}
    try {
      const loaded = await loadAgent()
      keep = loaded.keep
      return await loaded.runInProcess({
        argv: toArgv(options),
        env: {
          ...caller.env,
          CLAUDE_CODE_SDK_READS_SESSION_STATE: '1',
          ...(options.enableFileCheckpointing ? { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true' } : {}),
        },
        cwd: caller.cwd,
        channel: agent,
        stderr: (text) => options.stderr?.(text),
        signal: stop.signal,
        workspace: options.workspace,
      })
    } catch (error) {
      return { code: 1, signal: null, stderr: '', error: toError(error) }
    } finally {
      agent.end()
      setImmediate(keep)
    }
  }
  return {
    channel: host,
    ended: run(),
    kill: () => stop.abort('closed'),
    unref() {},
    pid: undefined,
    own: true,
    kind: 'in-process',
  }
}

/** `keep`: after a query, so that the next process finds the functions a query needs compiled. */
async function loadAgent(): Promise<AgentModule & { keep(): void }> {
  const { ownCachedBundleRun } = await import('../platform/own-bundle.js')
  if (!ownCachedBundleRun) return { ...(await agentModule()), keep() {} }
  const { runInProcess } = ownCachedBundleRun.exports as AgentModule // exported by src/cli/main.ts
  return { runInProcess, keep: ownCachedBundleRun.save }
}

const agentModule = () => import('../agent/in-process.js')
type AgentModule = Awaited<ReturnType<typeof agentModule>>

/** The same agent, with something between it and the query. */
export function replaceConnectionChannel(
  connection: AgentConnection,
  channel: AgentConnection['channel'],
  ended = connection.ended,
): AgentConnection {
  const { own, kind } = connection
  return {
    channel,
    ended,
    kill: (signal) => connection.kill(signal),
    unref: () => connection.unref(),
    own,
    kind,
    // Known only once it has started.
    get pid() {
      return connection.pid
    },
  }
}
