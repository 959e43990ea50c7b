/** Commands of Bash in the client's terminals, where its user asked for that. They are outside of our sandbox. */
import type { AgentContext, TerminalHandle } from '@agentclientprotocol/sdk/unstable'
import type { Clock } from '../../platform/clock.js'
import type {
  ProcessEnd,
  RunningProcess,
  StartProcessOptions,
  WorkspaceProcesses,
} from '../../protocol/workspace/workspace-processes.js'

/** How often a terminal is looked at, and how much of it is kept. */
const LOOK_EVERY = 200
const MAX_BYTES = 1_000_000
/** How long to wait for a terminal that was asked to end. */
const END_WITHIN = 5000

export type TerminalPorts = {
  context: AgentContext
  session: string
  clock: Pick<Clock, 'after' | 'sleep'>
  /** What of a command's environment its terminal has already. */
  env: Readonly<Record<string, string | undefined>>
  onStarted(command: string, terminal: string): void
}

export function createEditorTerminalProcesses(local: WorkspaceProcesses, ports: TerminalPorts): WorkspaceProcesses {
  const open = new Set<RunningProcess>()
  return {
    ...local,
    async start(options) {
      const line = commandLine(options)
      if (line === undefined) return local.start(options)
      const running = await startTerminal(options, line, ports)
      open.add(running)
      void running.ended.then(() => open.delete(running))
      return running
    },
    async close() {
      for (const running of open) running.end('at once')
      await Promise.all([...open].map(({ ended }) => ended))
      await local.close()
    },
  }
}

/** Only Bash reports where its command ended up; what it runs stands behind its script. */
function commandLine({ report, args }: StartProcessOptions): string | undefined {
  const at = args.indexOf('-c')
  return report === true && at >= 0 ? args[at + 3] : undefined
}

async function startTerminal(
  options: StartProcessOptions,
  line: string,
  ports: TerminalPorts,
): Promise<RunningProcess> {
  const { context, session, clock } = ports
  options.unless?.throwIfAborted()
  const terminal = await context.createTerminal({
    sessionId: session,
    command: options.command,
    args: ['-c', line],
    cwd: options.cwd,
    outputByteLimit: MAX_BYTES,
    env: differing(options.env, ports.env),
  })
  ports.onStarted(line, terminal.id)
  let isKilled = false
  let giveUp: () => void = () => {}
  const givenUp = new Promise<void>((resolve) => {
    giveUp = resolve
  })
  const exited = terminal.waitForExit().catch(() => ({ exitCode: null, signal: 'SIGKILL' }))
  const ended = follow(terminal, options, { exited, givenUp, clock }).then((end) =>
    isKilled ? { ...end, exitCode: null, signal: 'SIGTERM' } : end,
  )
  return {
    pid: 0,
    ended,
    end() {
      if (isKilled) return
      isKilled = true
      void terminal.kill().catch(() => {})
      const cancel = clock.after(END_WITHIN, giveUp)
      void ended.then(cancel)
    },
    unref() {},
  }
}

type Exit = { exitCode?: number | null; signal?: string | null }

async function follow(
  terminal: TerminalHandle,
  { onOutput }: StartProcessOptions,
  { exited, givenUp, clock }: { exited: Promise<Exit>; givenUp: Promise<void>; clock: Pick<Clock, 'sleep'> },
): Promise<ProcessEnd> {
  let seen = ''
  const look = async () => {
    const { output } = await terminal.currentOutput()
    const news = output.startsWith(seen) ? output.slice(seen.length) : after(seen, output)
    seen = output
    if (news !== '') await onOutput?.(new TextEncoder().encode(news))
  }
  const over = Promise.race([exited, givenUp.then((): Exit => ({ exitCode: null, signal: 'SIGKILL' }))])
  let exit: Exit | undefined
  while (exit === undefined) {
    const wake = new AbortController()
    exit = await Promise.race([over, clock.sleep(LOOK_EVERY, wake.signal).then(() => undefined)])
    wake.abort()
    await Promise.race([look().catch(() => {}), givenUp])
  }
  await Promise.race([terminal.release().catch(() => {}), givenUp])
  return { exitCode: exit.exitCode ?? null, signal: exit.signal ?? null, report: '', endedLeftovers: 0 }
}

/** The terminal has dropped its beginning: what follows the end of what was seen. */
function after(seen: string, output: string): string {
  const tail = seen.slice(-1000)
  const at = output.lastIndexOf(tail)
  return at < 0 ? output : output.slice(at + tail.length)
}

function differing(env: StartProcessOptions['env'], there: TerminalPorts['env']): { name: string; value: string }[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value === undefined || there[name] === value ? [] : { name, value },
  )
}
