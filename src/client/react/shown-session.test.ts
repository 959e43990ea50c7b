import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EMPTY_VIEW_FACTS } from '../../view/empty-view-facts.js'
import type { TextItem, ToolItem, ViewChange, ViewItem } from '../../view/view-items.js'
import type { LiveView, ViewSnapshot } from '../live-view.js'
import { createViewStore } from './shown-session.js'

const fields = { parent: '', seq: 1, at: '2026-01-01T00:00:00Z' }
const text = (key: string, parent = ''): TextItem => {
  return { ...fields, key, parent, kind: 'text', message: key, text: key, isLive: true }
}
const call = (key: string, children: ViewItem[]): ToolItem => {
  const counted = { printed: 0, startedAt: 0, agentTokens: 0, agentCalls: 0 }
  const empty = { input: {}, partialInput: '', output: '', result: undefined }
  return { ...fields, ...counted, ...empty, key, kind: 'tool', useId: key, name: 'Agent', state: 'running', children }
}

/** A view of which a test says what becomes of it. */
function heldView(items: readonly ViewItem[]) {
  const lists = { requests: [], waitingPrompts: [], tasks: [], todos: [], activity: [] }
  const state = { isReady: true, connection: 'live' as const, error: undefined }
  let value: ViewSnapshot = { items, facts: EMPTY_VIEW_FACTS, seq: 1, ...lists, ...state }
  const listeners = new Set<Parameters<LiveView['subscribe']>[0]>()
  const view: Pick<LiveView, 'value' | 'subscribe'> = {
    get value() {
      return value
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const change = (changes: readonly ViewChange[], next: Partial<ViewSnapshot> = {}) => {
    value = { ...value, ...next }
    for (const listener of listeners) listener(value, changes)
  }
  return { view: view as LiveView, change } // the rest isn't called
}

test('an item that changes, also deep in a sub-agent, is another object up to the top; all others stay', () => {
  const [grows, stays] = [text('grows', 'inner'), text('stays')]
  const inner = { ...call('inner', [grows]), parent: 'outer' }
  const { view, change } = heldView([stays, call('outer', [inner])])
  const { read, subscribe } = createViewStore(view)
  const before = read()
  const seen: ViewSnapshot[] = []
  for (const _ of [1, 2]) subscribe(() => seen.push(read()))
  grows.text = 'grows more'
  change([{ item: grows, what: 'grew', piece: ' more' }])
  const after = read()
  // Two components get one value.
  assert.deepEqual(
    seen.map((value) => value === after),
    [true, true],
  )
  const depth = ({ items: [, outer] }: ViewSnapshot) => {
    assert.ok(outer?.kind === 'tool' && outer.children[0]?.kind === 'tool')
    return [outer, outer.children[0], outer.children[0].children[0]]
  }
  assert.equal(after.items[0], before.items[0])
  for (const [at, item] of depth(after).entries()) assert.notEqual(item, depth(before)[at])
  assert.deepEqual(
    [before, after].map((value) => (depth(value)[2] as TextItem).text), // made above
    ['grows', 'grows more'],
  )
})

test('what changes beside the items leaves the list of items the same object', () => {
  const { view, change } = heldView([text('one')])
  const { read, subscribe } = createViewStore(view)
  const { items } = read()
  const leave = subscribe(() => {})
  change([], { facts: { ...EMPTY_VIEW_FACTS, title: 'Another' } })
  assert.equal(read().facts.title, 'Another')
  assert.equal(read().items, items)
  leave()
  change([], { items: [] })
  assert.equal(read().items, items)
})
