/** One log, one view, and every interface that draws it: generated sessions, the same in all of them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LogItem } from '../../src/hub/log/entries.js'
import { applyToView, dropUnfinished } from '../../src/hub/view/session-view.js'
import type { ViewChange, ViewItem } from '../../src/hub/view/view-items.js'
import { createSessionView, type SessionView } from '../../src/hub/view/view-state.js'
import { caseRandom, chooseSeed, type Random } from '../fuzz/random.js'
import { LogMaker } from '../support/log-maker.js'
import { byTier } from '../support/tier.js'
import { GeneratedLog } from './generated-log.js'

const LOGS = byTier({ quick: 100, all: 1000, long: 10_000 })
const seed = chooseSeed(20261119)

/** Calls a function with each generated log; a failure names the one that fails. */
function forEachLog(
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

const isEntry = ({ kind }: LogItem) => kind !== 'delta'

function viewOf(items: readonly LogItem[], keeps?: 'all' | 'open'): { view: SessionView; changes: ViewChange[] } {
  const view = createSessionView(keeps)
  return { view, changes: items.flatMap((item) => applyToView(view, item)) }
}

/** With those of sub-agents, each after the call that started it. */
function flat(items: readonly ViewItem[]): ViewItem[] {
  return items.flatMap((item) => (item.kind === 'tool' ? [item, ...flat(item.children)] : [item]))
}

/** What an item shows once its entry is there; how it came there makes no difference. */
function shown(item: ViewItem): unknown {
  switch (item.kind) {
    case 'tool': {
      const { kind, key, parent, seq, name, input, result, reason, task, agentTokens, agentCalls } = item
      // That a call runs is told by what it prints, which isn't in the log.
      const state = item.state === 'running' ? 'called' : item.state
      return { kind, key, parent, seq, name, input, state, result, reason, task, agentTokens, agentCalls }
    }
    default:
      return item
  }
}

const isRewind = ({ kind, data }: LogItem) => kind === 'state' && data.rewound !== undefined

describe('the view of a generated log', () => {
  test('a copy of it at any point, and then the rest, is the whole', () => {
    forEachLog((items, random) => {
      const at = random.int(items.length + 1)
      const { view } = viewOf(items.slice(0, at))
      const copy = structuredClone(view)
      const rest = items.slice(at)
      const changes = rest.flatMap((item) => structuredClone(applyToView(view, item)))
      assert.deepEqual(
        rest.flatMap((item) => structuredClone(applyToView(copy, item))),
        changes,
      )
      assert.deepEqual(copy, view)
      assert.deepEqual(view, viewOf(items).view)
    })
  })

  test('entries that come again change nothing', () => {
    forEachLog((items) => {
      const { view } = viewOf(items)
      const before = structuredClone(view)
      for (const item of items.filter(isEntry)) assert.deepEqual(applyToView(view, item), [])
      assert.deepEqual(view, before)
    })
  })

  test('a reader that keeps what is open sees the same changes, but what a rewind takes away', () => {
    forEachLog((items) => {
      const [all, open] = [createSessionView(), createSessionView('open')]
      for (const item of items) {
        const [seen, passed] = [all, open].map((view) =>
          applyToView(view, item)
            .filter(({ what }) => !(what === 'removed' && isRewind(item)))
            .map((change) => ({ ...change, item: shown(change.item) })),
        )
        assert.deepEqual(structuredClone(passed), structuredClone(seen))
      }
      assert.deepEqual(open.items, [])
      for (const field of ['facts', 'waitingPrompts', 'openRequests', 'tasks', 'todos', 'activity'] as const)
        assert.deepEqual(open[field], all[field])
    })
  })

  test('no two items have the same key', () => {
    forEachLog((items) => {
      const view = createSessionView()
      for (const item of items) {
        if (!applyToView(view, item).some(({ what }) => what === 'added')) continue
        const keys = flat(view.items).map(({ key }) => key)
        assert.equal(new Set(keys).size, keys.length)
      }
    })
  })

  test('who reads the log alone sees the same items', () => {
    forEachLog(
      (items) => {
        const [live, late] = [viewOf(items), viewOf(items.filter(isEntry))]
        dropUnfinished(live.view)
        assert.deepEqual(flat(live.view.items).map(shown), flat(late.view.items).map(shown))
      },
      { isCut: false },
    )
  })
})

describe('work', () => {
  /** Blocks of a message, and the call or prompt it is about. */
  const sizeOf = ({ kind, data }: LogItem): number => {
    const content = kind === 'message' && 'message' in data ? data.message.content : []
    return 2 + (Array.isArray(content) ? content.length : 1)
  }

  test('an entry or delta changes what it holds; the end of a turn, what is open besides', () => {
    forEachLog((items) => {
      const view = createSessionView()
      for (const item of items) {
        const open =
          view.open.openCalls.size + [...view.open.speakers.values()].flatMap(({ streamed }) => [...streamed]).length
        const count = applyToView(view, item).filter(({ what }) => !(what === 'removed' && isRewind(item))).length
        const isEnd = item.kind === 'message' && item.data.type === 'result'
        const begins = item.kind === 'delta' || (item.kind === 'message' && item.data.type === 'assistant')
        assert.ok(
          count <= sizeOf(item) * 2 + (isEnd || begins ? open : 0),
          `${count} changes by ${JSON.stringify(item)}`,
        )
      }
    })
  })

  test('of ten thousand items, none is looked at again', () => {
    const log = new LogMaker()
    let looks = 0
    const view: SessionView = {
      ...createSessionView(),
      items: new Proxy<ViewItem[]>([], {
        get(items, property, receiver) {
          looks += 1
          return Reflect.get(items, property, receiver)
        },
      }),
    }
    let entries = 0
    for (let n = 0; n < 2500; n += 1) {
      const of = { message: `m${n}` }
      const more = [
        ...log.begun(`p${n}`, 'Go.'),
        log.stream({ type: 'message_start', message: { id: `m${n}` } }),
        log.stream({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
        log.stream({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hm' } }),
        log.text('Hm.', of),
        log.call(`t${n}`, 'Bash', {}, of),
        log.result(`t${n}`, 'ok'),
        log.end(n),
      ]
      entries += more.length
      for (const item of more) applyToView(view, item)
    }
    assert.equal(view.items.length, 10_000)
    assert.ok(looks < entries * 3, `${looks} looks for ${entries} entries`)
  })
})
