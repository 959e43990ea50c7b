/**
 * Returns a signal that aborts with the first of several signals, or after a time limit. It uses listeners and a timer: Node 20
 * garbage-collects an `AbortSignal.timeout` that only `AbortSignal.any` refers to, and it never fires (nodejs/node#57736).
 * `npm run check` rejects both functions in `src/`.
 */

export type FirstAbort = {
  signal: AbortSignal
  /** Removes the listeners and the timer. */
  release(): void
}

export function firstAbort(signals: readonly (AbortSignal | undefined)[], afterMs?: number): FirstAbort {
  const first = new AbortController()
  const follow = signals.flatMap((signal) => (signal ? { signal, abort: () => first.abort(signal.reason) } : []))
  for (const { signal, abort } of follow) {
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  }
  const late = () => first.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  const timer = afterMs === undefined ? undefined : setTimeout(late, Math.min(afterMs, MAX_TIMER_MS))
  return {
    signal: first.signal,
    release() {
      clearTimeout(timer)
      for (const { signal, abort } of follow) signal.removeEventListener('abort', abort)
    },
  }
}

/** The longest delay a timer supports, in ms. A longer one would overflow and fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Runs `work` with such a signal, and disposes of it afterwards. */
export async function withFirstAbort<T>(
  signals: readonly (AbortSignal | undefined)[],
  afterMs: number | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, release } = firstAbort(signals, afterMs)
  try {
    return await work(signal)
  } finally {
    release()
  }
}

export const isTimeLimitAbort = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof DOMException && reason.name === 'TimeoutError'
