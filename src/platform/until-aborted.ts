/** The race between work and an abort: an abort is answered at once, whatever the work still waits for (a slow disk, a thread). */

/**
 * Resolves with the result of `work`, or with what `aborted` returns as soon as the signal aborts; `aborted` can throw. After an
 * abort `work` isn't started, or its result is dropped. Without a signal, only `work` decides.
 */
export async function raceWithAbort<T, A>(
  signal: AbortSignal | undefined,
  aborted: () => A,
  work: Promise<T> | (() => T | Promise<T>),
): Promise<T | A> {
  if (signal?.aborted) {
    if (work instanceof Promise) work.catch(() => {}) // nobody hears of it any more
    return aborted()
  }
  const working = typeof work === 'function' ? work() : work
  if (!signal) return working
  let onAbort = () => {}
  const stopped = new Promise<void>((resolve) => {
    onAbort = resolve
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([working, stopped.then(aborted)])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
