/** Many who want to hear of one thing. */

/** Returns what ends it. */
export type Subscribe = (callback: () => void) => () => void

export function createListeners() {
  const callbacks = new Set<() => void>()
  const subscribe: Subscribe = (callback) => {
    callbacks.add(callback)
    return () => callbacks.delete(callback)
  }
  return {
    subscribe,
    tell() {
      for (const callback of [...callbacks]) callback()
    },
  }
}

/** Runs work of which many parts listen to a signal, which gets one listener: more than ten would be warned about. */
export async function withSharedAbortListener<T>(
  signal: AbortSignal,
  work: (onAbort: Subscribe) => Promise<T>,
): Promise<T> {
  const { subscribe, tell } = createListeners()
  signal.addEventListener('abort', tell, { once: true })
  try {
    return await work(subscribe)
  } finally {
    signal.removeEventListener('abort', tell)
  }
}
