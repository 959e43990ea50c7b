/**
 * Child processes, as a port: argument vectors only, own process group, output in order and in flat memory, and nothing
 * of it left running afterwards. `node:child_process` is loaded at the first run because it costs milliseconds at start.
 */
import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { createIdentity } from './identity.js'
import { collectOutputs } from './process-output.js'
import { killMarked, markedEnvironment, signalGroup } from './process-tree.js'
import { openSharedPipe } from './shared-pipe.js'

export type RunOptions = {
  command: string
  args: readonly string[]
  cwd: string
  /** The whole environment of the child. `PATH` in it says where `command` is looked for. */
  env: Readonly<Record<string, string | undefined>>
  signal?: AbortSignal
  timeoutMs?: number
  /** stdout and stderr as one, in the order the child wrote them. */
  merge?: boolean
  /** stdout, as it comes. */
  onOutput?(chunk: string): void
  /** Bytes kept of each output, 16 MiB if not said; what happens beyond that is up to `overflow`. */
  maxBytes?: number
  /** `drop-middle` (the default) keeps beginning and end and lets the child go on; `stop` keeps the beginning and ends it. */
  overflow?: 'drop-middle' | 'stop'
  input?: string | Uint8Array
  /** Opens descriptor 3 for the child to report on. */
  report?: boolean
}

export type RunResult = {
  /** Null when a signal ended the child. */
  exitCode: number | null
  signal: string | null
  timedOut: boolean
  aborted: boolean
  /** Everything, when `merge`; otherwise stdout. */
  stdout: string
  stderr: string
  /** Bytes that `maxBytes` dropped. */
  droppedBytes: number
  /** What the child wrote to descriptor 3, when `report`. */
  report?: string
}

export interface ProcessRunner {
  /**
   * Resolves when the child has ended, also by kill, and what it left running has been ended too.
   * Rejects only when it could not be started (ENOENT, EACCES).
   */
  run(options: RunOptions): Promise<RunResult>
}

/** After the child's end, how long its output may stay open before those who hold it are taken for stragglers. */
const DRAIN_MS = 150
/** Between SIGTERM and SIGKILL, for a child that ran out of time. */
const GRACE_MS = 500
/** The same for what a child left behind. */
const STRAGGLER_MS = 100
/** After SIGKILL nothing is waited for longer than this: a process in the kernel's hands may not end at all. */
const GIVE_UP_MS = 50
/** Beyond this, process ids may have gone once around and say nothing about age. */
const LONG_RUN_MS = 5_000

export const nodeProcesses: ProcessRunner = { run }

async function run(options: RunOptions): Promise<RunResult> {
  const { spawn } = await import('node:child_process')
  const shared = options.merge ? await openSharedPipe(options.env) : undefined
  if (options.signal?.aborted) {
    shared?.discard()
    return {
      exitCode: null,
      signal: 'SIGKILL',
      timedOut: false,
      aborted: true,
      stdout: '',
      stderr: '',
      droppedBytes: 0,
    }
  }
  const mark = createIdentity().hex(16)
  // Without a pipe to share, a shell joins the two; the order is kept, but /dev/stderr can't be opened by name then.
  const [command, args] =
    options.merge && !shared
      ? ['sh', ['-c', 'exec "$0" "$@" 2>&1', options.command, ...options.args]]
      : [options.command, [...options.args]]
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: markedEnvironment(options.env, mark),
    detached: true,
    windowsHide: true,
    stdio: [
      options.input === undefined ? 'ignore' : 'pipe',
      shared?.fd ?? 'pipe',
      shared?.fd ?? 'pipe',
      ...(options.report ? (['pipe'] as const) : []),
    ],
  })
  shared?.handedOver()
  if (child.pid === undefined) {
    shared?.discard()
    throw await new Promise((resolve) => child.once('error', resolve))
  }
  return supervise(child, child.pid, mark, shared?.output, options)
}

type Exit = Pick<RunResult, 'exitCode' | 'signal'>

async function supervise(
  child: ChildProcess,
  pid: number,
  mark: string,
  merged: Readable | undefined,
  options: RunOptions,
): Promise<RunResult> {
  const startedAt = performance.now()
  const timers = new Set<NodeJS.Timeout>()
  let ending: 'timeout' | 'abort' | 'overflow' | undefined
  let giveUp: () => void = () => undefined
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
    giveUp = () => resolve({ exitCode: null, signal: 'SIGKILL' })
  })
  const kill = (why: typeof ending) => {
    ending ??= why
    if (!signalGroup(pid, 'SIGKILL')) child.kill('SIGKILL')
    timers.add(setTimeout(giveUp, GIVE_UP_MS))
  }
  let onAbort: () => void = () => undefined
  const aborted = new Promise<void>((resolve) => {
    onAbort = () => {
      kill('abort')
      resolve()
    }
  })
  const onTimeout = () => {
    ending ??= 'timeout'
    signalGroup(pid, 'SIGTERM')
    timers.add(setTimeout(kill, GRACE_MS, 'timeout'))
  }
  const outputs = collectOutputs(child, merged, options, () => kill('overflow'))
  options.signal?.addEventListener('abort', onAbort, { once: true })
  if (options.timeoutMs !== undefined) timers.add(setTimeout(onTimeout, options.timeoutMs))
  if (child.stdin) {
    // A child that does not read its input is no failure.
    child.stdin.on('error', () => undefined)
    child.stdin.end(options.input)
  }
  try {
    const exit = await exited
    for (const timer of timers) clearTimeout(timer)
    const polite = ending === undefined || ending === 'timeout'
    await endStragglers(pid, outputs.closed, polite, aborted)
    await killMarked(mark, { pid, longAgo: performance.now() - startedAt > LONG_RUN_MS })
    await within(outputs.closed, GIVE_UP_MS)
    const { report, ...texts } = outputs.texts()
    return {
      ...exit,
      timedOut: ending === 'timeout',
      aborted: ending === 'abort',
      ...texts,
      ...(options.report ? { report } : {}),
    }
  } finally {
    for (const timer of timers) clearTimeout(timer)
    options.signal?.removeEventListener('abort', onAbort)
    outputs.release()
  }
}

/** Ends what is left of the group after its leader, with a word first when there is time for politeness. */
async function endStragglers(
  pid: number,
  closed: Promise<void>,
  polite: boolean,
  aborted: Promise<void>,
): Promise<void> {
  const drained = polite && (await within(Promise.race([closed, aborted]), DRAIN_MS))
  if (!signalGroup(pid, 0)) return
  if (polite) {
    signalGroup(pid, 'SIGTERM')
    if (!drained) await within(Promise.race([closed, aborted]), STRAGGLER_MS)
    const deadline = performance.now() + STRAGGLER_MS
    while (signalGroup(pid, 0) && performance.now() < deadline && !(await within(aborted, 10)));
  }
  signalGroup(pid, 'SIGKILL')
}

/** Did `promise` settle in time? */
function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, false)
    promise.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}
