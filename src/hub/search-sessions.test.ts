import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LogEntry } from '../protocol/session-log/entries.js'
import { pageOfSessions } from './list-sessions.js'
import { memoryLogStore } from './log/memory-log-store.js'
import {
  type SearchHit,
  type SessionSearchPorts,
  type SessionTextSearchQuery,
  searchSessionTexts,
} from './search-sessions.js'
import type { SessionInfo } from './session-types.js'

const info = (id: string, seq: number, lastActivity: number): SessionInfo => ({
  id,
  cwd: '/home/ada/project',
  status: 'idle',
  title: undefined,
  mode: undefined,
  model: undefined,
  effort: undefined,
  archived: false,
  costUsd: 0,
  lastActivity,
  isOpen: false,
  seq,
  waiting: 0,
  asks: 0,
})
const said = (session: string, seq: number, content: unknown, type = 'assistant'): LogEntry =>
  ({
    session,
    seq,
    at: `t${seq}`,
    kind: 'message',
    data: { type, uuid: `${session}${seq}`, message: { content } },
  }) as unknown as LogEntry

async function searchIn(logs: Record<string, unknown[]>, more: Partial<SessionSearchPorts> = {}) {
  const store = memoryLogStore(() => 1)
  const infos: SessionInfo[] = []
  for (const [session, contents] of Object.entries(logs)) {
    infos.push(info(session, contents.length, 100 - infos.length))
    await store.receive(
      { session, cwd: '' },
      (async function* () {
        yield contents.map((content, n) => said(session, n + 1, content))
      })(),
    )
  }
  const ports: SessionSearchPorts = {
    store,
    now: () => 0,
    messages: async () => [],
    list: async (filter) => pageOfSessions(infos, filter),
    ...more,
  }
  const all = async (query: SessionTextSearchQuery) => {
    const pages: SearchHit[][] = []
    for (let cursor: string | undefined; ; ) {
      const { hits, next } = await searchSessionTexts({ ...query, ...(cursor ? { cursor } : {}) }, ports)
      pages.push(hits)
      if (next === undefined) return pages
      cursor = next
    }
  }
  return { ports, infos, all }
}
const placesOf = (pages: SearchHit[][]) => pages.map((hits) => hits.map(({ session, seq }) => `${session}${seq}`))

describe('search', () => {
  it('finds whatever was said, by anybody, and shows it with what stands around it', async () => {
    const { all } = await searchIn({
      a: [
        'Nothing here.',
        [{ type: 'text', text: `${'x'.repeat(100)} the Needle ${'y'.repeat(100)}` }],
        [{ type: 'thinking', thinking: 'a needle, I think' }],
        [{ type: 'tool_use', name: 'Bash', input: { command: 'find needle' } }],
        [{ type: 'tool_result', content: [{ type: 'text', text: 'needle.txt' }] }, { type: 'image' }, 'odd', null],
      ],
    })
    const [hits = []] = await all({ text: 'NEEDLE' })
    assert.deepEqual(
      hits.map(({ seq, role, message }) => [seq, role, message]),
      [
        [2, 'assistant', 'a2'],
        [3, 'assistant', 'a3'],
        [4, 'assistant', 'a4'],
        [5, 'tool', 'a5'],
      ],
    )
    for (const { snippet, start, length } of hits)
      assert.equal(snippet.slice(start, start + length).toLowerCase(), 'needle')
    assert.equal(hits[0]?.snippet, `${'x'.repeat(75)} the Needle ${'y'.repeat(79)}`)
  })

  it('goes on where a page ended: in the same session, in the next; every hit comes once', async () => {
    const logs = { a: ['x', 'no', 'x', 'x'], b: ['no'], c: ['x', 'x'] }
    const { all } = await searchIn(logs)
    for (const limit of [1, 2, 3, 4, 5, 6])
      assert.deepEqual(placesOf(await all({ text: 'x', limit })).flat(), ['a1', 'a3', 'a4', 'c1', 'c2'])
    assert.deepEqual(placesOf(await all({ text: 'x', limit: 2 })), [['a1', 'a3'], ['a4', 'c1'], ['c2'], []].slice(0, 3))
    assert.deepEqual(placesOf(await all({ text: 'x', session: 'c', limit: 1 })).flat(), ['c1', 'c2'])
  })

  it('stops when its time is up, and says where to go on', async () => {
    let now = 0
    const { all } = await searchIn({ a: ['no', 'no', 'x'], b: ['x'] }, { now: () => (now += 1000) })
    const pages = placesOf(await all({ text: 'x' }))
    assert.ok(pages.length > 2)
    assert.deepEqual(pages.flat(), ['a3', 'b1'])
  })

  it('looks only where it may, and in conversations without a log', async () => {
    const { ports, infos } = await searchIn(
      { a: ['x'], b: ['x'] },
      { messages: async () => [{ type: 'user', uuid: 'u1', message: { content: 'x marks it' } }] as never },
    )
    infos.push(info('old', 0, 1))
    const { hits } = await searchSessionTexts({ text: 'x', where: ({ id }) => id !== 'a' }, ports)
    assert.deepEqual(
      hits.map(({ session, message, seq }) => [session, message, seq]),
      [
        ['b', 'b1', 1],
        ['old', 'u1', 1],
      ],
    )
  })
})
