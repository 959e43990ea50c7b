import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Ask } from '../protocol/session-log/ask-types.js'
import { createInboxPage } from './inbox-page.js'

const ask = (id: string, second: number, session = 's'): Ask => ({
  id,
  session,
  kind: 'permission',
  agent: [],
  why: { layer: 'tool', text: '' },
  suggestions: [],
  since: new Date(second * 1000).toISOString(),
})
const ids = ({ asks }: { asks: Ask[] }) => asks.map(({ id }) => id)

describe('the inbox', () => {
  const all = [ask('c', 2), ask('a', 1), ask('b', 1, 't'), ask('d', 3)]

  it('comes oldest first, in pages that neither repeat nor leave out', () => {
    const first = createInboxPage(all, { limit: 2 })
    assert.deepEqual(ids(first), ['a', 'b'])
    const second = createInboxPage(all, { limit: 2, cursor: first.next ?? '' })
    assert.deepEqual([ids(second), second.next], [['c', 'd'], undefined])
  })

  it('continues after a request that was answered meanwhile', () => {
    const { next = '' } = createInboxPage(all, { limit: 2 })
    const left = all.filter(({ id }) => id !== 'b')
    assert.deepEqual(ids(createInboxPage(left, { limit: 1, cursor: next })), ['c'])
  })

  it('has 200 in a page, only those of the given sessions, and nothing after an invalid cursor', () => {
    const many = Array.from({ length: 1000 }, (_, n) => ask(`${n}`, n))
    assert.equal(createInboxPage(many, {}).asks.length, 200)
    assert.deepEqual(ids(createInboxPage(all, { among: ['t'] })), ['b'])
    for (const cursor of ['', 'x', '2026-99-99T00:00:00.000Z a', '1970-01-01T00:00:00.000Z'])
      assert.deepEqual(createInboxPage(all, { cursor }), { asks: [] })
  })
})
