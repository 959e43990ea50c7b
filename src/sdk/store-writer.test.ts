import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionKey, SessionStore, SessionStoreEntry } from '../protocol/stored-sessions.js'
import { InMemorySessionStore } from './memory-store.js'
import { createSessionLeaseHolder } from './session-lease-holder.js'
import { createStoreWriter, rejectWhenLate } from './store-writer.js'

const session = '11111111-2222-3333-4444-555555555555'
const path = `/home/.claude/projects/-work/${session}.jsonl`
const mirror = (filePath: string, ...texts: string[]) => ({
  type: 'transcript_mirror',
  filePath,
  entries: texts.map((text) => ({ type: 'user', text })),
})
const textsOf = (entries: SessionStoreEntry[]) => entries.map((entry) => ('text' in entry ? entry.text : undefined))

function stage(fail: (attempt: number) => boolean = () => false) {
  const appended: [SessionKey, unknown[]][] = []
  let attempts = 0
  const store: SessionStore = {
    async append(key, entries) {
      attempts += 1
      if (fail(attempts)) throw new Error('down')
      appended.push([key, textsOf(entries)])
    },
    load: async () => null,
  }
  return { appended, store, attempts: () => attempts }
}

test('entries of one file are written together and in order; other messages are not for the store', async () => {
  const { appended, store } = stage()
  const writer = createStoreWriter(store, 'batched', createSessionLeaseHolder(store))
  assert.equal(writer.takes({ type: 'assistant' }), false)
  assert.equal(writer.takes(mirror(path, 'a', 'b')), true)
  assert.equal(writer.takes(mirror(path, 'c')), true)
  assert.deepEqual(await writer.flush(), [])
  assert.deepEqual(appended, [[{ projectKey: '-work', sessionId: session }, ['a', 'b', 'c']]])
})

test('the place of a file is its key: sub-agents have a path below, Windows has other slashes, others are nobody’s', async () => {
  const { appended, store } = stage()
  const writer = createStoreWriter(store, 'batched', createSessionLeaseHolder(store))
  writer.takes(mirror(`C:\\x\\projects\\p\\${session}\\subagents\\agent-1.jsonl`, 'a'))
  assert.equal(writer.takes(mirror('/somewhere/else.jsonl', 'b')), true)
  await writer.flush()
  assert.deepEqual(appended, [[{ projectKey: 'p', sessionId: session, subpath: 'subagents/agent-1' }, ['a']]])
})

test('a store that fails once is asked again; nothing is lost or told', async () => {
  const { appended, store, attempts } = stage((attempt) => attempt === 1)
  const writer = createStoreWriter(store, 'eager', createSessionLeaseHolder(store))
  writer.takes(mirror(path, 'a'))
  assert.deepEqual(await writer.flush(), [])
  assert.deepEqual([appended.length, attempts()], [1, 2])
})

test('a store that stays down is told of; what waits is written, in order, when it is back', async () => {
  let isDown = true
  const { appended, store } = stage(() => isDown)
  const writer = createStoreWriter(store, 'batched', createSessionLeaseHolder(store))
  writer.takes(mirror(path, 'a'))
  const [problem] = await writer.flush()
  assert.deepEqual([problem?.subtype, problem?.error, problem?.session_id], ['mirror_error', 'down', session])
  isDown = false
  writer.takes(mirror(path, 'b'))
  assert.deepEqual(await writer.flush(), [])
  assert.deepEqual(
    appended.map(([, texts]) => texts),
    [['a', 'b']],
  )
})

test('within: what takes too long, or is no longer waited for, is the error', async () => {
  const never = new Promise<never>(() => {})
  const late = new Error('late')
  assert.equal(await rejectWhenLate(1000, Promise.resolve(1), late), 1)
  await assert.rejects(rejectWhenLate(1, never, late), late)
  await assert.rejects(rejectWhenLate(60_000, never, late, AbortSignal.abort()), late)
  await assert.rejects(rejectWhenLate(1000, Promise.reject(new Error('own')), late), /own/)
})

test('batched: during a long turn too, a timer at a time', async () => {
  const { appended, store } = stage()
  const writer = createStoreWriter(store, 'batched', createSessionLeaseHolder(store))
  const keepAlive = setInterval(() => {}, 1000)
  try {
    for (const text of ['a', 'b', 'c']) {
      const before = appended.length
      writer.takes(mirror(path, text))
      // Nobody flushes: only the timer writes.
      while (appended.length === before) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    assert.deepEqual(
      appended.map(([, texts]) => texts),
      [['a'], ['b'], ['c']],
    )
  } finally {
    clearInterval(keepAlive)
  }
})

test('sync: all that came before it is in the store when it answers, in one append', async () => {
  const { appended, store } = stage()
  const writer = createStoreWriter(store, 'batched', createSessionLeaseHolder(store))
  writer.takes(mirror(path, 'a'))
  writer.takes(mirror(path, 'b'))
  assert.equal(await writer.sync(), 'saved')
  assert.deepEqual(
    appended.map(([, texts]) => texts),
    [['a', 'b']],
  )
  assert.deepEqual([await writer.sync(), appended.length], ['saved', 1], 'nothing new, nothing written')
})

test('sync: a store that is down is told of and waited for only where another program could take the session over', async () => {
  const { store } = stage(() => true)
  const plain = createStoreWriter(store, 'batched', createSessionLeaseHolder(store))
  plain.takes(mirror(path, 'a'))
  assert.equal(await plain.sync(), 'saved')
  assert.equal((await plain.flush()).length, 2, 'told each time it was tried')
  const leases = new InMemorySessionStore().leases
  const leased = { ...store, leases }
  const lease = createSessionLeaseHolder(leased)
  const writer = createStoreWriter(leased, 'batched', lease)
  writer.takes(mirror(path, 'a'))
  assert.equal(await writer.sync(), 'failed')
  writer.fence()
  assert.equal(await writer.sync(), 'taken_over')
  await lease.release()
})

test('sync: a session that another program has taken over', async () => {
  const store = new InMemorySessionStore()
  const lease = createSessionLeaseHolder(store)
  const writer = createStoreWriter(store, 'batched', lease)
  writer.takes(mirror(path, 'a'))
  assert.equal(await writer.sync(), 'saved')
  const key = { projectKey: '-work', sessionId: session }
  await store.leases.release(key, (await lease.take(key)) ?? 0)
  await store.leases.acquire(key, 'somebody else', 1000)
  writer.takes(mirror(path, 'b'))
  assert.equal(await writer.sync(), 'taken_over')
  assert.deepEqual(textsOf(store.getEntries(key)), ['a'])
  assert.deepEqual(
    (await writer.flush()).map(({ code }) => code),
    ['session_fenced'],
  )
  await lease.release()
})
