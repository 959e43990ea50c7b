/** A child that is run to its end, with a limit on its time and its output kept in bounded memory. */
import { createBoundedOutput } from './bounded-output.js'
import type {
  ProcessEnd,
  ProcessRunResult,
  RunningProcess,
  RunProcessOptions,
  StartProcessOptions,
} from './process-runner.js'

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024
/** How long an abort waits, in milliseconds. Whatever is left is ended all the same. */
const ABORT_WAIT_MS = 80
const KILLED = { exitCode: null, signal: 'SIGKILL' }

export async function runToEnd(
  start: (options: StartProcessOptions) => Promise<RunningProcess>,
  options: RunProcessOptions,
): Promise<ProcessRunResult> {
  const { signal, timeoutMs, maxBytes = DEFAULT_MAX_BYTES, overflow = 'drop-middle', onOutput, ...child } = options
  const tailBytes = overflow === 'stop' ? 0 : maxBytes >> 1
  const stdout = createBoundedOutput(maxBytes - tailBytes, tailBytes)
  const stderr = createBoundedOutput(maxBytes - tailBytes, tailBytes)
  const result = (end: Pick<ProcessEnd, 'exitCode' | 'signal'>): ProcessRunResult => ({
    exitCode: end.exitCode,
    signal: end.signal,
    timedOut: ending === 'timeout',
    aborted: ending === 'abort',
    stdout: stdout.text(),
    stderr: stderr.text(),
    droppedBytes: stdout.dropped + stderr.dropped,
  })
  let ending: 'timeout' | 'abort' | 'overflow' | undefined
  let end = (why: NonNullable<typeof ending>) => {
    ending = why
  }
  if (signal?.aborted) {
    end('abort')
    return result(KILLED)
  }
  const running = await start({
    ...child,
    onOutput(chunk) {
      stdout.push(chunk)
      if (overflow === 'stop' && stdout.dropped > 0) end('overflow')
      return onOutput?.(chunk)
    },
    onErrorOutput: stderr.push,
  })
  let giveUp: (end: typeof KILLED) => void = () => {}
  const givenUp = new Promise<typeof KILLED>((resolve) => {
    giveUp = resolve
  })
  const timers = new Set<NodeJS.Timeout>()
  end = (why) => {
    ending ??= why
    running.end(why === 'timeout' ? 'politely' : 'at once')
    if (why !== 'timeout') timers.add(setTimeout(giveUp, ABORT_WAIT_MS, KILLED))
  }
  const onAbort = () => end('abort')
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort()
  if (timeoutMs !== undefined) timers.add(setTimeout(end, timeoutMs, 'timeout'))
  try {
    return result(await Promise.race([running.ended, givenUp]))
  } finally {
    for (const timer of timers) clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}
