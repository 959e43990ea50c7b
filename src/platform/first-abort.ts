/**
 * A signal that aborts with the first of several, or when time is up. By plain listeners and a plain timer: Node 20 collects a signal
 * of `AbortSignal.timeout` that only `AbortSignal.any` refers to, and then nothing ever aborts (nodejs/node#57736). `npm run check`
 * allows neither of the two in `src/`.
 */

export type FirstAbort = {
  signal: AbortSignal
  /** Lets go of signals and timer. */
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

/** A longer wait would overflow and end at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** For as long as `work` takes. */
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

export const isTimeUp = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof DOMException && reason.name === 'TimeoutError'
