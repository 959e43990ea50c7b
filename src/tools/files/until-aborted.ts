/** An abort is answered at once, whatever the work still waits for (a slow disk, another thread). */

/** The work goes on until it notices the signal itself; what it says then is no longer heard. */
export async function untilAborted<T>(signal: AbortSignal, aborted: T, work: () => Promise<T>): Promise<T> {
  if (signal.aborted) return aborted
  let onAbort: () => void = () => undefined
  const stop = new Promise<T>((resolve) => {
    onAbort = () => resolve(aborted)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([work(), stop])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
