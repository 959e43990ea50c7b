import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import {
  readAllEntries,
  TEST_SESSION,
  testLogEntries,
  testLogEntry,
  testLogStore,
  testSessionLogKey,
} from '../../hub/log/test-log-stores.js'
import type { Delta } from '../../protocol/session-log/entries.js'
import { createWakeUpSender, createWakeUps, NOTIFY_STATEMENT } from '../database/wake-ups.js'
import { openTestDatabase } from '../test-database.js'
import { createDeltaBuffer, mergeNeighborDeltas } from './delta-buffer.js'
import { followLog, logWakeName } from './follow-log.js'
import { postgresLogStore } from './postgres-log-store.js'

const opened = openTestDatabase({ connections: 4 })
let tenants = 0
let ids = 0

async function inDatabase(tenant = `tenant-${tenants++}`) {
  const { database } = await opened
  const own = database.as(tenant)
  const caller = createWakeUpSender((payload) => own.query(NOTIFY_STATEMENT, [payload]))
  const call = (id: string) => caller.call(logWakeName(tenant, id))
  const ports = { database: own, holder: 'process 1 on ada', newId: () => `${ids++}`, onWritten: call }
  const store = postgresLogStore(ports)
  return { ...ports, caller, store, again: () => postgresLogStore(ports), remove: () => store.close() }
}

after(async () => (await opened).drop())

testLogStore('in a database', inDatabase, { runs: 8 })

describe('a log in a database', () => {
  it('is taken from a machine that fell silent, which then writes nothing any more', async () => {
    const { store, again, database, remove } = await inDatabase()
    const silent = await store.open(testSessionLogKey)
    await silent.append(testLogEntries(1, 2))
    const other = again()
    await assert.rejects(other.open(testSessionLogKey), {
      code: 'session_in_use',
      message: /is open in process 1 on ada\.$/,
    })
    await database.query(`update kedge.sessions set owned_until = now() - interval '1 second'`)
    const writer = await other.open({ session: TEST_SESSION })
    assert.equal(writer.last, 2)
    await assert.rejects(silent.append(testLogEntries(3, 3)), { code: 'session_fenced' })
    await silent.release()
    await silent.summarize({ cwd: '', status: 'error', archived: true, costUsd: 9, waiting: 9, seq: 9 })
    await writer.append(testLogEntries(3, 3))
    assert.deepEqual([await readAllEntries(store), (await store.list())[0]?.summary], [testLogEntries(1, 3), undefined])
    await assert.rejects(store.open(testSessionLogKey), { code: 'session_in_use' })
    await writer.release()
    remove()
    other.close()
  })

  it('has every entry once and in order, however often connections are cut', async () => {
    const { store, remove } = await inDatabase()
    const { cut } = await opened
    const writer = await store.open(testSessionLogKey)
    // In the middle of it, before or after: whenever it comes.
    for (let seq = 1; seq <= 40; seq += 2) await Promise.all([writer.append(testLogEntries(seq, seq + 1)), cut()])
    assert.deepEqual(await readAllEntries(store), testLogEntries(1, 40))
    await writer.release()
    remove()
  })

  it('is followed from elsewhere without gaps, woken by who writes, also when the listener was cut', async () => {
    const { store, again, database, caller, onWritten, remove } = await inDatabase()
    const { cut, url } = await opened
    // So long that only a wake-up can be meant.
    const wakeUps = createWakeUps(url, 600_000)
    const writer = await store.open(testSessionLogKey)
    await writer.append(testLogEntries(1, 2))
    const stop = new AbortController()
    const reading = followLog({ database, store: again(), wakeUps }, TEST_SESSION, { after: 1, signal: stop.signal })
    const next = async () => (await reading.next()).value
    assert.deepEqual(await next(), testLogEntry(2))
    for (const seq of [3, 4]) {
      const waiting = next()
      if (seq === 4) await cut()
      await writer.append([testLogEntry(seq)])
      assert.deepEqual(await waiting, testLogEntry(seq))
    }
    const frames = createDeltaBuffer(database, onWritten)
    const waiting = next()
    for (const text of ['Hel', 'lo']) frames.add(delta(4, text))
    await frames.flush()
    assert.deepEqual(await waiting, delta(4, 'Hello'))
    // Written before the entry they led to, read after it: nobody needs them.
    frames.add(delta(4, 'late'))
    await frames.flush()
    await writer.append([testLogEntry(5)])
    await caller.flush()
    const rest = [await next()]
    if (rest[0]?.kind === 'delta') rest.push(await next())
    assert.deepEqual(rest.at(-1), testLogEntry(5))
    const last = next()
    stop.abort()
    assert.equal(await last, undefined)
    await wakeUps.close()
    await writer.release()
    remove()
  })
})

const delta = (seq: number, text: string, more: { of?: string; index?: number; parent?: string } = {}): Delta => ({
  session: more.of ?? TEST_SESSION,
  seq,
  at: '2026-01-01T00:00:00.000Z',
  kind: 'delta',
  data: {
    type: 'stream_event',
    uuid: '00000000-0000-4000-8000-000000000000',
    session_id: TEST_SESSION,
    parent_tool_use_id: more.parent ?? null,
    event: { type: 'content_block_delta', index: more.index ?? 0, delta: { type: 'text_delta', text } },
  },
})

describe('deltas', () => {
  it('are put together where they are parts of one text, and nowhere else', () => {
    const parts = [
      ...[delta(1, 'a'), delta(1, 'x', { of: 'other' }), delta(1, 'b'), delta(1, 'c', { index: 1 })],
      ...[delta(1, 'd', { index: 1, parent: 'agent' }), delta(2, 'e', { index: 1, parent: 'agent' })],
      delta(1, 'y', { of: 'other' }),
    ]
    assert.deepEqual(mergeNeighborDeltas(parts), [
      ...[delta(1, 'ab'), delta(1, 'xy', { of: 'other' }), delta(1, 'c', { index: 1 })],
      ...[delta(1, 'd', { index: 1, parent: 'agent' }), delta(2, 'e', { index: 1, parent: 'agent' })],
    ])
  })
})
