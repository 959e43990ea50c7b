/** Waiting that ends early: with an abort, or when a browser is online or visible again. And noticing a dead connection. */

/** Delays between attempts, in milliseconds. */
export type Backoff = { firstMs: number; longestMs: number }

/** Returns the delay before the next attempt: twice as long each time, and never the same for two clients. */
export function backoffDelay({ firstMs, longestMs }: Backoff, attempt: number): number {
  return Math.min(firstMs * 2 ** attempt, longestMs) * (0.5 + Math.random() / 2)
}

/** Resolves after a time, or at once when the page wakes up. Rejects with the reason of the signal. */
export function waitOrPageWake(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const end = (settle: () => void) => {
      clearTimeout(timer)
      unlisten()
      signal?.removeEventListener('abort', abort)
      settle()
    }
    const abort = () => end(() => reject(signal?.reason))
    const wake = () => end(resolve)
    const timer = setTimeout(wake, ms)
    const unlisten = onPageWake(wake)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/** What a browser has, and other runtimes don't. */
type PageGlobals = {
  addEventListener?: (name: string, listener: () => void) => void
  removeEventListener?: (name: string, listener: () => void) => void
  document?: PageGlobals & { visibilityState: string }
}

/** Calls back when the page is online, visible, or thawed again. Returns what ends that. */
export function onPageWake(wake: () => void): () => void {
  const page = globalThis as PageGlobals // all of it is optional
  const { document } = page
  const seen = () => {
    if (document?.visibilityState !== 'hidden') wake()
  }
  page.addEventListener?.('online', wake)
  document?.addEventListener?.('visibilitychange', seen)
  document?.addEventListener?.('resume', seen)
  return () => {
    page.removeEventListener?.('online', wake)
    document?.removeEventListener?.('visibilitychange', seen)
    document?.removeEventListener?.('resume', seen)
  }
}

const LOOK_MS = 5000

/**
 * Calls `onDead` once when a connection was silent for too long, or the network is gone. After a sleep, a freeze, or a
 * change of networks a dead connection still looks alive.
 */
export function watchConnection(silenceMs: number, onDead: () => void): { heard(): void; stop(): void } {
  const page = globalThis as PageGlobals // all of it is optional
  const now = () => ({ steady: performance.now(), wall: Date.now() })
  let last = now()
  const stop = () => {
    clearInterval(timer)
    unlisten()
    page.removeEventListener?.('offline', dead)
  }
  const dead = () => {
    stop()
    onDead()
  }
  const look = () => {
    const { steady, wall } = now()
    // One clock stops while a machine sleeps, the other can be set: the larger difference is right or harmless.
    if (Math.max(steady - last.steady, wall - last.wall) > silenceMs) dead()
  }
  const timer = setInterval(look, Math.min(LOOK_MS, silenceMs / 2))
  const unlisten = onPageWake(look)
  page.addEventListener?.('offline', dead)
  return {
    heard() {
      last = now()
    },
    stop,
  }
}
