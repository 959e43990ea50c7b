/** Time, as a port: the loop and its parts never read a clock of their own. */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds on a clock that never goes back. */
  monotonic(): number
  /** Resolves after `ms`, or at once when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** What `work` becomes, or undefined after `ms`. No timer is left behind. */
  atMost<T>(ms: number, work: Promise<T>): Promise<T | undefined>
  /** Calls back after `ms`; returns what cancels it. What waits for it keeps the process alive. */
  after(ms: number, callback: () => void): () => void
  /** The same again and again. */
  every(ms: number, callback: () => void): () => void
  /** The same, but it keeps no process alive. */
  everyInBackground(ms: number, callback: () => void): () => void
}

/** A longer wait would overflow and end at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

export const nodeClock: Clock = {
  now: () => Date.now(),
  // `performance` is loaded when it is first used, which takes 2 ms of every start.
  monotonic() {
    const [seconds, nanoseconds] = process.hrtime()
    return seconds * 1000 + nanoseconds / 1e6
  },
  sleep(ms, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, Math.min(ms, MAX_TIMER_MS))
      signal?.addEventListener('abort', done, { once: true })
    })
  },
  async atMost(ms, work) {
    const over = new AbortController()
    try {
      return await Promise.race([work, nodeClock.sleep(ms, over.signal).then(() => undefined)])
    } finally {
      over.abort()
    }
  },
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, MAX_TIMER_MS))
    return () => clearTimeout(timer)
  },
  every(ms, callback) {
    const timer = setInterval(callback, Math.min(ms, MAX_TIMER_MS))
    return () => clearInterval(timer)
  },
  everyInBackground(ms, callback) {
    const timer = setInterval(callback, Math.min(ms, MAX_TIMER_MS)).unref()
    return () => clearInterval(timer)
  },
}
