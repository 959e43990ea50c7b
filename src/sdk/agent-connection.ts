/** How a query reaches its agent: in this process, or as a child. Both look the same from above. */
import type { Options } from '../protocol/options.js'
import { toArgv } from '../protocol/to-argv.js'
import type { Channel, MalformedLine } from '../transport/channel.js'
import { createChannelPair } from '../transport/channel.js'
import type { ChildConnection, ChildExit } from '../transport/child-process.js'
import { type SpawnPlan, startProcess } from './start-process.js'

export interface AgentConnection {
  readonly channel: Channel<object | MalformedLine, object>
  readonly ended: Promise<ChildExit>
  kill(signal: 'SIGTERM' | 'SIGKILL'): void
  /** It no longer keeps this process alive; in-process, the agent sees to that itself. */
  unref(): void
  readonly pid: number | undefined
  readonly inProcess: boolean
  /** It is our own agent: it reports its state, and understands `end_session`. */
  readonly own: boolean
}

/** The defaults that only this process can give; read once per query. */
export type CallerWorld = { env: Readonly<Record<string, string | undefined>>; cwd: string }

export function connectInProcess(options: Options, world: CallerWorld): AgentConnection {
  const [host, agent] = createChannelPair<object, object>()
  const stop = new AbortController()
  const run = async (): Promise<ChildExit> => {
    try {
      const { runInProcess } = await import('../agent/in-process.js')
      return await runInProcess({
        argv: toArgv(options),
        env: {
          ...world.env,
          CLAUDE_CODE_SDK_READS_SESSION_STATE: '1',
          ...(options.enableFileCheckpointing ? { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true' } : {}),
        },
        cwd: world.cwd,
        channel: agent,
        stderr: (text) => options.stderr?.(text),
        signal: stop.signal,
        workspace: options.workspace,
      })
    } catch (error) {
      return { code: 1, signal: null, stderr: '', error: error instanceof Error ? error : new Error(String(error)) }
    } finally {
      agent.end()
    }
  }
  return {
    channel: host,
    ended: run(),
    kill: () => stop.abort('closed'),
    unref() {},
    pid: undefined,
    own: true,
    inProcess: true,
  }
}

/** What starts children is loaded first: a library user without child processes never pays for it. */
export function connectProcess(plan: SpawnPlan): AgentConnection {
  const early: object[] = []
  let earlyEnd = false
  let earlyKill: 'SIGTERM' | 'SIGKILL' | undefined
  let child: ChildConnection | undefined
  let pid: number | undefined

  const start = async (): Promise<ChildExit | undefined> => {
    const started = await startProcess(plan)
    if ('error' in started) return { code: null, signal: null, stderr: '', error: started.error }
    child = started.connection
    pid = started.pid
    for (const message of early.splice(0)) void child.channel.send(message)
    if (earlyEnd) child.channel.end()
    if (earlyKill) child.kill(earlyKill)
    return undefined
  }
  const started = start()
  const incoming = async function* () {
    await started
    if (child) yield* child.channel.incoming
  }
  return {
    channel: {
      send(message) {
        if (child) return child.channel.send(message)
        // What can't be sent has to fail here, where somebody hears of it.
        JSON.stringify(message)
        early.push(message)
      },
      end() {
        if (child) child.channel.end()
        else earlyEnd = true
      },
      incoming: incoming(),
    },
    ended: started.then((failure) => failure ?? child?.ended ?? { code: null, signal: null, stderr: '' }),
    kill(signal) {
      if (child) child.kill(signal)
      else earlyKill = signal
    },
    unref: () => child?.unref(),
    get pid() {
      return pid
    },
    own: plan.own,
    inProcess: false,
  }
}
