/** The signals of a session follow its view: the page draws again what has changed, for generated logs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyToView } from '../../src/view/session-view.js'
import type { ViewItem } from '../../src/view/view-items.js'
import { createSessionView } from '../../src/view/view-state.js'
import { caseRandom, chooseSeed } from '../fuzz/random.js'
import { byTier } from '../support/tier.js'
import { GeneratedLog } from '../view/generated-log.js'

const { revisionSignalOfItem, SessionSignals } = await import('../../web/state/session-signals.js')

test('what the page shows is the view, and each change of an item changes its signal', () => {
  const seed = chooseSeed(20261120)
  for (let n = 0; n < byTier({ quick: 50, all: 1000 }); n += 1) {
    const { items } = new GeneratedLog(caseRandom(seed, n))
    const signals = new SessionSignals()
    const view = createSessionView()
    const drawn = new Map<ViewItem, number>()
    for (const item of items) {
      const changes = applyToView(view, item)
      const changed = changes.map(({ item: { key }, what }) => `${key} ${what}`)
      const before = signals.rev.value
      signals.show({ ...view, requests: view.openRequests }, changes)
      assert.deepEqual(signals.items, view.items)
      const isListChanged = changed.some((change) => /(?:added|removed)$/.test(change))
      if (!isListChanged) assert.equal(signals.rev.value, before)
      for (const shown of signals.items) {
        const isChanged = changed.some((change) => change.startsWith(`${shown.key} `))
        if (!isChanged && shown.kind !== 'tool')
          assert.equal(revisionSignalOfItem(shown).value, drawn.get(shown) ?? 0, shown.key)
        drawn.set(shown, revisionSignalOfItem(shown).value)
      }
    }
    assert.deepEqual(signals.facts.value, view.facts)
    assert.deepEqual(signals.openAsks.value, view.openRequests)
    assert.deepEqual(signals.tasks.value, view.tasks)
  }
})
