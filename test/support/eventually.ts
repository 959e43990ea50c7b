/** Waits for something that no event announces, and fails with a message when it never comes. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** Long enough for a busy machine; only a failure takes it. */
const LIMIT_MS = 60_000
const PAUSE_MS = 10

/** Looks until the answer is truthy, and returns it. */
export async function eventually<T>(what: string, look: () => T | Promise<T>, limitMs = LIMIT_MS): Promise<T> {
  const end = performance.now() + limitMs
  for (;;) {
    const found = await look()
    if (found) return found
    assert.ok(performance.now() < end, `not within ${limitMs / 1000} s: ${what}`)
    await sleep(PAUSE_MS)
  }
}

/** Waits for a promise, and fails with a message when it takes longer than the limit. */
export async function within<T>(what: string, work: Promise<T>, limitMs = LIMIT_MS): Promise<T> {
  const ended = new AbortController()
  const late = sleep(limitMs, undefined, { signal: ended.signal }).then(() =>
    assert.fail(`not within ${limitMs / 1000} s: ${what}`),
  )
  try {
    return await Promise.race([work, late])
  } finally {
    ended.abort()
    await late.catch(() => {})
  }
}
