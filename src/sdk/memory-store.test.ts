import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SessionStoreEntry } from '../protocol/stored-sessions.js'
import { InMemorySessionStore } from './memory-store.js'

const key = { projectKey: 'p', sessionId: 's' }
const agent = { ...key, subpath: 'subagents/agent-1' }
const line = (text: string, uuid?: string): SessionStoreEntry => ({
  type: 'user',
  message: { role: 'user', content: text },
  ...(uuid === undefined ? {} : { uuid }),
})
const texts = (entries: readonly SessionStoreEntry[] | null) =>
  entries?.map((entry) => (entry as { message?: { content?: unknown } }).message?.content)

describe('a store in memory', () => {
  it('gives back what was put in, in order', async () => {
    const store = new InMemorySessionStore()
    assert.equal(await store.load(key), null)
    await store.append(key, [line('a'), line('b')])
    await store.append(key, [line('c')])
    assert.deepEqual(texts(await store.load(key)), ['a', 'b', 'c'])
    assert.deepEqual(texts(store.getEntries(key)), ['a', 'b', 'c'])
    assert.deepEqual(store.getEntries({ ...key, sessionId: 'other' }), [])
  })

  it('takes a line with an id once, also when it is sent again', async () => {
    const store = new InMemorySessionStore()
    await store.append(key, [line('a', '1'), line('b', '2')])
    await store.append(key, [line('b', '2'), line('c', '3'), line('d'), line('d')])
    assert.deepEqual(texts(await store.load(key)), ['a', 'b', 'c', 'd', 'd'])
  })

  it('is not changed by what its callers do with their objects', async () => {
    const store = new InMemorySessionStore()
    const entry = line('a')
    await store.append(key, [entry])
    Object.assign(entry, { message: 'changed' })
    for (const read of [await store.load(key), store.getEntries(key)])
      Object.assign(read?.[0] ?? {}, { message: 'changed' })
    assert.deepEqual(texts(await store.load(key)), ['a'])
  })

  it('lists the sessions of a project, later ones with later times', async () => {
    const store = new InMemorySessionStore()
    await store.append(key, [line('a')])
    await store.append({ ...key, sessionId: 't' }, [line('b')])
    await store.append({ ...key, projectKey: 'q' }, [line('c')])
    await store.append(agent, [line('d')])
    const listed = await store.listSessions('p')
    assert.deepEqual(
      listed.map(({ sessionId }) => sessionId),
      ['s', 't'],
    )
    assert.ok((listed[0]?.mtime ?? 0) < (listed[1]?.mtime ?? 0))
    await store.append(key, [line('e')])
    const again = await store.listSessions('p')
    assert.ok((again[0]?.mtime ?? 0) > (again[1]?.mtime ?? 0), 'the first is the latest now')
    assert.deepEqual(await store.listSessions('nowhere'), [])
  })

  it('gathers what lists say of a session', async () => {
    const store = new InMemorySessionStore()
    await store.append(key, [line('Hello there', '1')])
    await store.append(key, [{ type: 'custom-title', customTitle: 'Greetings', sessionId: 's' } as SessionStoreEntry])
    const [summary] = await store.listSessionSummaries('p')
    assert.equal(summary?.sessionId, 's')
    const data = summary?.data as Record<string, unknown>
    assert.deepEqual([data['firstPrompt'], data['customTitle']], ['Hello there', 'Greetings'])
    assert.equal(summary?.mtime, (await store.listSessions('p'))[0]?.mtime)
    assert.deepEqual(await store.listSessionSummaries('q'), [])
  })

  it('keeps what belongs to a session beside it', async () => {
    const store = new InMemorySessionStore()
    await store.append(agent, [line('a')])
    assert.deepEqual([store.size, await store.load(key)], [0, null])
    await store.append(key, [line('b')])
    assert.deepEqual([await store.listSubkeys(key), store.size], [['subagents/agent-1'], 1])
    assert.deepEqual(await store.listSubkeys({ ...key, sessionId: 't' }), [])
  })

  it('deletes a part, or the session with all its parts', async () => {
    const store = new InMemorySessionStore()
    const other = { ...key, subpath: 'subagents/agent-2' }
    for (const place of [key, agent, other, { ...key, projectKey: 'q' }]) await store.append(place, [line('a')])
    await store.delete(agent)
    assert.deepEqual(await store.listSubkeys(key), ['subagents/agent-2'])
    await store.delete(key)
    assert.deepEqual([await store.load(key), await store.load(other), store.size], [null, null, 1])
    assert.deepEqual(await store.listSessionSummaries('p'), [])
    assert.deepEqual(texts(await store.load({ ...key, projectKey: 'q' })), ['a'])
    store.clear()
    assert.deepEqual([store.size, await store.listSessions('q')], [0, []])
  })

  it('after a deletion takes the same lines again', async () => {
    const store = new InMemorySessionStore()
    await store.append(key, [line('a', '1')])
    await store.delete(key)
    await store.append(key, [line('a', '1')])
    assert.deepEqual(texts(await store.load(key)), ['a'])
  })

  it('takes nothing of who was overtaken', async () => {
    let now = 0
    const store = new InMemorySessionStore({ now: () => now })
    const first = await store.leases.acquire(key, 'ada', 10)
    assert.ok('token' in first)
    await store.append(key, [line('a')], first.token)
    now = 10
    await store.leases.acquire(key, 'ben', 10)
    await assert.rejects(store.append(key, [line('b')], first.token), { code: 'session_fenced' })
    await assert.rejects(store.append(agent, [line('b')], first.token), { code: 'session_fenced' })
    assert.deepEqual(texts(await store.load(key)), ['a'])
  })
})
