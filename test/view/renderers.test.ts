/** One log, one view, and every interface that draws it: generated sessions, the same in all of them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTimelineDescriber } from '../../src/agent/debug/describe.js'
import { createMaskedExcerpts } from '../../src/agent/debug/timeline-text.js'
import type { LogItem } from '../../src/protocol/session-log/entries.js'
import { CALL_STATES } from '../../src/protocol/shown/vocabulary.js'
import type { UniversalEvent, UniversalItem } from '../../src/server/universal/universal-events.js'
import {
  newProjection,
  projectDeltaToEvents,
  projectEntryToEvents,
} from '../../src/server/universal/universal-projection.js'
import { displayOf } from '../../src/tools/displays.js'
import { applyToView, dropUnfinishedStreams } from '../../src/view/session-view.js'
import type { ViewItem } from '../../src/view/view-items.js'
import { noticeText } from '../../src/view/view-notices.js'
import { createSessionView, type SessionView } from '../../src/view/view-state.js'
import { LogMaker } from '../support/log-maker.js'
import { addedItems, forEachLog, isEntry, viewOf } from './each-log.js'

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
      for (const field of ['facts', 'waitingPrompts', 'openRequests', 'todos'] as const)
        assert.deepEqual(open[field], all[field])
      const running = ({ tasks }: SessionView) => tasks.filter(({ status }) => status === 'running')
      assert.deepEqual(running(open), running(all))
      assert.deepEqual(open.activity, [])
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
        dropUnfinishedStreams(live.view)
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

describe('the universal API', () => {
  const names = { session: 's1', name: 'mine' }
  const eventsOf = (items: readonly LogItem[]) => {
    const state = newProjection()
    return items.flatMap((item) =>
      item.kind === 'delta' ? projectDeltaToEvents(state, item, names) : projectEntryToEvents(state, item, names),
    )
  }
  const isPiece = ({ type }: UniversalEvent) => type === 'item.delta'
  const completed = (events: readonly UniversalEvent[]) =>
    // As the schema has it.
    events.flatMap(({ type, data }) => (type === 'item.completed' ? [data['item'] as UniversalItem] : []))

  /** What the view says of an item, in the words of that API. */
  const said = (item: ViewItem): unknown[] => {
    const parent = item.parent === '' ? null : `call_${item.parent}`
    const textId = `itm_${item.key.replace(/-(\d+)$/, '_$1')}`
    switch (item.kind) {
      case 'prompt':
        return [[`itm_${item.message}`, null, undefined]]
      case 'text':
      case 'thinking':
        return item.isCommandOutput ? [] : [[textId, parent, item.text]]
      case 'notice':
        return item.about === 'model-error' ? [[textId, parent, item.raw ?? item.text]] : []
      case 'tool':
        return [[`call_${item.useId}`, parent, JSON.stringify(item.input)]]
      default:
        return []
    }
  }
  const textIn = ({ role, content: [part] }: UniversalItem) => {
    if (role === 'user' || part === undefined) return undefined
    return 'text' in part ? part.text : 'arguments' in part ? part.arguments : undefined
  }

  test('has the items of the view, in its order, and their results and answers', () => {
    forEachLog((items) => {
      const { changes } = viewOf(items.filter(isEntry))
      const shownItems = addedItems(changes)
      const events = eventsOf(items.filter(isEntry))
      const told = completed(events)
      assert.deepEqual(
        told
          .filter(({ kind, content: [part] }) => kind === 'tool_call' || (kind === 'message' && part?.type !== 'json'))
          .map((item) => [item.item_id, item.parent_id, textIn(item)]),
        shownItems.flatMap(said),
      )
      const results = new Map(
        told.flatMap((item) => (item.kind === 'tool_result' ? [[item.parent_id, item.status]] : [])),
      )
      const statuses = (type: RegExp) =>
        new Map(
          events.flatMap(({ type: of, data }) =>
            type.test(of) ? [[data['permission_id'] ?? data['question_id'], data['status']]] : [],
          ),
        )
      const [asked, closed] = [statuses(/requested$/), statuses(/resolved$/)]
      for (const item of shownItems) {
        if (item.kind === 'tool' && item.name !== 'web_search') {
          const state = item.result && (item.result.isError ? 'failed' : 'completed')
          assert.equal(results.get(`call_${item.useId}`), state, item.key)
        }
        if (item.kind !== 'request') continue
        assert.equal(asked.get(item.ask.id), 'requested')
        const isYes = item.closed && 'answer' in item.closed && item.closed.answer.kind !== 'deny'
        const status = closed.get(item.ask.id)
        assert.equal(status !== undefined, item.closed !== undefined)
        if (item.closed) assert.equal(/^accept|^answered/.test(String(status)), isYes)
      }
    })
  })

  test('says what happened in the words of the view', () => {
    forEachLog((items) => {
      const state = newProjection()
      const view = createSessionView()
      for (const item of items.filter(isEntry)) {
        if (item.kind === 'delta' || (item.kind === 'message' && item.data.type === 'result')) continue
        const events = projectEntryToEvents(state, item, names)
        const text = JSON.stringify(events.map(({ data }) => [data['message'], data['item'] ?? '']))
        for (const { item: notice, what } of applyToView(view, item)) {
          if (notice.kind !== 'notice' || what === 'removed' || notice.summary !== undefined) continue
          const words = noticeText(notice)
          assert.ok(text.includes(JSON.stringify(words).slice(1, -1)), words)
        }
      }
    })
  })

  test('has the same events for who saw them stream, and all of each text in pieces', () => {
    forEachLog((items) => {
      const [late, live] = [eventsOf(items.filter(isEntry)), eventsOf(items)]
      const stored = (events: UniversalEvent[]) =>
        events.filter((event) => !isPiece(event) && !event.event_id.endsWith('_live'))
      assert.deepEqual(stored(live), stored(late))
      assert.deepEqual(
        late.map(({ sequence }) => sequence),
        late.map((_, n) => n + 1),
      )
      const pieces = new Map<unknown, string>()
      for (const { data, ...event } of live)
        if (isPiece({ data, ...event }))
          pieces.set(data['item_id'], `${pieces.get(data['item_id']) ?? ''}${data['delta']}`)
      for (const item of completed(live)) {
        const text = textIn(item)
        if (item.kind === 'message' && text !== undefined) assert.equal(pieces.get(item.item_id), text)
      }
    })
  })
})

describe('the timeline of --debug', () => {
  const words = createMaskedExcerpts((text) => text)
  const linesOf = (items: readonly LogItem[]) => {
    const lines: string[] = []
    const describeMessage = createTimelineDescriber((_, text) => void lines.push(text), words, { monotonic: () => 0 })
    for (const { kind, data } of items) if (kind === 'message') describeMessage('→', data)
    return lines
  }
  /** The beginning of the line that an item has. */
  const lineOf = (item: ViewItem): string | undefined => {
    const agent = item.parent === '' ? '' : '(agent) '
    switch (item.kind) {
      case 'text':
      case 'thinking':
        return `→ ${item.kind.padEnd(10)} ${agent}${words.quote(item.text)}`
      case 'tool':
        return `→ call       ${agent}${words.shorten(displayOf(item.name).title({ input: item.input, cwd: '' }))} · ${item.name} `
      case 'turn':
        return `→ result     ${item.outcome}`
      default:
        return undefined
    }
  }

  test('has the items of the view in its order, calls with their last state, and its notices', () => {
    forEachLog((items) => {
      const messages = items.filter(({ kind }) => kind === 'message')
      const { changes } = viewOf(messages)
      const lines = linesOf(messages)
      const added = addedItems(changes)
      let at = 0
      for (const start of added.flatMap((item) => lineOf(item) ?? [])) {
        const next = lines.findIndex((line, n) => n >= at && line.startsWith(start))
        assert.ok(next >= 0, `${start} in\n${lines.slice(at).join('\n')}`)
        at = next + 1
      }
      for (const item of added) {
        if (item.kind === 'notice' && item.summary === undefined && !item.isLive) {
          const text = words.shorten(noticeText(item))
          assert.ok(
            lines.some((line) => line.includes(text)),
            text,
          )
        }
        if (item.kind !== 'tool' || item.result === undefined) continue
        const state = item.state === 'background' ? item.state : CALL_STATES[item.state]
        const title = words.shorten(displayOf(item.name).title({ input: item.input, cwd: '' }))
        assert.ok(
          lines.some((line) => line.startsWith(`→ ${state.padEnd(10)} `) && line.includes(title)),
          item.key,
        )
      }
    })
  })
})
