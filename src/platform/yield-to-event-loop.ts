/**
 * Keeps many sessions in one process from holding up its event loop: what they do between two waits is a chain of promises, and two
 * hundred of these in a row would keep timers and connections of the host waiting for a second. Whoever is about to begin a piece of
 * work asks here first.
 *
 * This is the one module with state of its own, and it has to be: it is about what all sessions of a process share, its event loop. It
 * holds only who waits for the next round, and nothing of any session.
 */

/** Longest time that pieces can follow each other before other work gets a turn. */
const AT_ONCE_MS = 8

const waiting: (() => void)[] = []
/** When the first piece of this round of the loop began; undefined when there was none yet. */
let since: number | undefined

/** For whoever was just called by the loop. Undefined: continue. Otherwise wait for it, as with `takeTurn`. */
export function yieldToEventLoopIfDue(): Promise<void> | undefined {
  const began = begin()
  return waiting.length === 0 && performance.now() - began < AT_ONCE_MS ? undefined : nextEventLoopTurn()
}

/** For whoever may be one of many that begin at the same moment: one of them continues per round of the event loop. */
export function nextEventLoopTurn(): Promise<void> {
  begin()
  return new Promise((resolve) => waiting.push(resolve))
}

function begin(): number {
  if (since === undefined) {
    since = performance.now()
    setImmediate(nextRound)
  }
  return since
}

function nextRound(): void {
  since = undefined
  const resolve = waiting.shift()
  if (!resolve) return
  since = performance.now()
  setImmediate(nextRound)
  resolve()
}
