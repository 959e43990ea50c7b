/** Watches a response body for silence. Only time spent waiting for the server counts, never a slow reader's. */
import type { Clock } from '../../platform/clock.js'

export type StreamTimeouts = {
  /** No byte at all. */
  idleMs: number
  /** Bytes, but no sign of progress. */
  quietMs: number
}

export interface WatchedBody {
  chunks: AsyncIterable<string>
  /** What came was progress, not just a sign of life. */
  progress(): void
}

const GRACE_MS = 10

/**
 * Returns a response body that is watched for silence. `onSilence` must make the body throw; it may be called more
 * than once.
 */
export function watchBody(
  body: AsyncIterable<string>,
  clock: Pick<Clock, 'monotonic' | 'after'>,
  limits: StreamTimeouts,
  onSilence: (reason: string) => void,
): WatchedBody {
  let quiet = 0

  async function* chunks(): AsyncGenerator<string> {
    const iterator = body[Symbol.asyncIterator]()
    try {
      for (;;) {
        const started = clock.monotonic()
        const noProgress = `no progress was made for ${limits.quietMs} ms`
        if (quiet >= limits.quietMs) onSilence(noProgress)
        const quietLeft = Math.max(0, limits.quietMs - quiet)
        const reason = limits.idleMs <= quietLeft ? `nothing was received for ${limits.idleMs} ms` : noProgress
        let cancel = clock.after(Math.min(limits.idleMs, quietLeft), () => {
          // A process that was held up finds its timers due before the bytes that came meanwhile: these get a turn.
          cancel = clock.after(GRACE_MS, () => onSilence(reason))
        })
        try {
          const next = await iterator.next()
          if (next.done) return
          quiet += clock.monotonic() - started
          cancel()
          yield next.value
        } finally {
          cancel()
        }
      }
    } finally {
      await iterator.return?.()
    }
  }

  return {
    chunks: chunks(),
    progress() {
      quiet = 0
    },
  }
}
