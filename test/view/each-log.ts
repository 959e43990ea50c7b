/** Generated logs, one after the other, and the view of each. */
import type { LogItem } from '../../src/protocol/session-log/entries.js'
import { applyToView } from '../../src/view/session-view.js'
import type { ViewChange, ViewItem } from '../../src/view/view-items.js'
import { createSessionView, type SessionView } from '../../src/view/view-state.js'
import { caseRandom, chooseSeed, type Random } from '../fuzz/random.js'
import { byTier } from '../support/tier.js'
import { GeneratedLog } from './generated-log.js'

const LOGS = byTier({ quick: 100, all: 1000, long: 10_000 })
const seed = chooseSeed(20261119)

/** Calls a function with each generated log; a failure names the one that fails. */
export function forEachLog(
  check: (items: readonly LogItem[], random: Random) => void,
  settings: { isCut?: boolean } = {},
): void {
  for (let n = 0; n < LOGS; n += 1) {
    const random = caseRandom(seed, n)
    const { items } = new GeneratedLog(random, settings)
    try {
      check(items, random)
    } catch (error) {
      throw new Error(`log ${n} of seed ${seed}`, { cause: error })
    }
  }
}

export const isEntry = ({ kind }: LogItem) => kind !== 'delta'

export function viewOf(
  items: readonly LogItem[],
  keeps?: 'all' | 'open',
): { view: SessionView; changes: ViewChange[] } {
  const view = createSessionView(keeps)
  return { view, changes: items.flatMap((item) => applyToView(view, item)) }
}

/** Every item that was ever in the view, in the order in which it came. */
export function addedItems(changes: readonly ViewChange[]): ViewItem[] {
  return [...new Set(changes.flatMap(({ item, what }) => (what === 'added' ? [item] : [])))]
}
