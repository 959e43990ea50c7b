/**
 * Keeps many sessions in one process from holding up its event loop: what they do between two waits is a chain of promises, and two
 * hundred of these in a row would keep timers and connections of the host waiting for a second. Whoever is about to begin a piece of
 * work asks here first.
 */

/** So long may pieces follow each other before others get a turn. */
const AT_ONCE_MS = 8

const waiting: (() => void)[] = []
/** When the first piece of this round of the loop began; undefined when there was none yet. */
let since: number | undefined

/** Undefined: go on. Otherwise wait for it: one piece of work goes on per round of the event loop. */
export function breathe(): Promise<void> | undefined {
  if (since === undefined) {
    since = performance.now()
    setImmediate(nextRound)
  }
  if (waiting.length === 0 && performance.now() - since < AT_ONCE_MS) return undefined
  return new Promise((resolve) => waiting.push(resolve))
}

function nextRound(): void {
  since = undefined
  const resolve = waiting.shift()
  if (!resolve) return
  since = performance.now()
  setImmediate(nextRound)
  resolve()
}
