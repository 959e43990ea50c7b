/** The stream over all sessions: one order, numbers that stay, nothing twice and nothing left out. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LogEntry } from '../../protocol/session-log/entries.js'
import { AllSessionsFeed, type NumberedFeedEntry } from './feed.js'
import type { HubStore } from './log-store.js'
import { memoryLogStore } from './memory-log-store.js'

const entry = (session: string, seq: number, at = '2026-01-01'): LogEntry => ({
  session,
  seq,
  at,
  kind: 'state',
  data: { title: `${session}${seq}` },
})
const now = () => 0

async function write(store: HubStore, session: string, entries: LogEntry[]): Promise<LogEntry[]> {
  const writer = await store.open({ session, cwd: '/x' })
  await writer.append(entries)
  await writer.release()
  return entries
}

async function take(feed: AllSessionsFeed, count: number, after = 0): Promise<string[]> {
  const items: NumberedFeedEntry[] = []
  for await (const item of feed.read({ after })) {
    items.push(item)
    if (items.length === count) break
  }
  return items.map(({ all, session, seq }) => `${all}=${session}${seq}`)
}

describe('the feed', () => {
  it('has the entries of all sessions in the order they were written, with numbers of their own', async () => {
    const store = memoryLogStore(now)
    const feed = await AllSessionsFeed.open({ store, now })
    feed.note(await write(store, 'a', [entry('a', 1)]))
    feed.note(await write(store, 'b', [entry('b', 1), entry('b', 2)]))
    feed.note(await write(store, 'a', [entry('a', 2)]))
    assert.deepEqual(await take(feed, 4), ['1=a1', '2=b1', '3=b2', '4=a2'])
    assert.deepEqual(await take(feed, 2, 2), ['3=b2', '4=a2'])
    assert.equal(feed.last, 4)
  })

  it('follows what comes', async () => {
    const store = memoryLogStore(now)
    const feed = await AllSessionsFeed.open({ store, now })
    feed.note(await write(store, 'a', [entry('a', 1)]))
    const reading = take(feed, 3)
    await new Promise(setImmediate)
    feed.note(await write(store, 'b', [entry('b', 1)]))
    feed.note(await write(store, 'a', [entry('a', 2)]))
    assert.deepEqual(await reading, ['1=a1', '2=b1', '3=a2'])
  })

  it('keeps its numbers over a restart, and numbers what a killed process had no time for', async () => {
    const store = memoryLogStore(now)
    const before = await AllSessionsFeed.open({ store, now })
    before.note(await write(store, 'a', [entry('a', 1)]))
    await before.end()
    await write(store, 'a', [entry('a', 2)])
    await write(store, 'b', [entry('b', 1)])
    const feed = await AllSessionsFeed.open({ store, now })
    const [first, ...others] = await take(feed, 3)
    assert.equal(first, '1=a1')
    assert.deepEqual(others.map((text) => text.slice(2)).sort(), ['a2', 'b1'])
    await feed.end()
    assert.equal((await AllSessionsFeed.open({ store, now })).last, 3)
  })

  it('numbers what another process wrote when the session is opened here', async () => {
    const store = memoryLogStore(now)
    const feed = await AllSessionsFeed.open({ store, now })
    await write(store, 'a', [entry('a', 1), entry('a', 2)])
    await feed.catchUp('a')
    await feed.catchUp('a')
    feed.note(await write(store, 'a', [entry('a', 3)]))
    assert.deepEqual(await take(feed, 3), ['1=a1', '2=a2', '3=a3'])
  })

  it('begins while a session is being written to: what it missed is read, and nothing comes twice', async () => {
    const store = memoryLogStore(now)
    const feed = await AllSessionsFeed.open({ store, now })
    await write(store, 'a', [entry('a', 1), entry('a', 2)])
    // The first it is told of.
    feed.note(await write(store, 'a', [entry('a', 3)]))
    feed.note(await write(store, 'a', [entry('a', 4)]))
    await feed.catchUp('a')
    feed.note(await write(store, 'a', [entry('a', 5)]))
    assert.deepEqual(await take(feed, 5), ['1=a1', '2=a2', '3=a3', '4=a4', '5=a5'])
    assert.equal(feed.last, 5)
  })

  it('leaves out a session that was deleted, also when another has its id', async () => {
    const store = memoryLogStore(now)
    const feed = await AllSessionsFeed.open({ store, now })
    feed.note(await write(store, 'a', [entry('a', 1), entry('a', 2)]))
    await store.remove('a')
    feed.forget('a')
    feed.note(await write(store, 'b', [entry('b', 1)]))
    feed.note(await write(store, 'a', [entry('a', 1, '2026-02-02')]))
    assert.deepEqual(await take(feed, 2), ['3=b1', '4=a1'])
  })

  it('belongs to one process at a time, and is no session', async () => {
    const store = memoryLogStore(now)
    const feed = await AllSessionsFeed.open({ store, now })
    await assert.rejects(AllSessionsFeed.open({ store, now }), { code: 'session_in_use' })
    await feed.end()
    assert.deepEqual(await store.list(), [])
  })

  it('reads many sessions at once, each file once', async () => {
    const store = memoryLogStore(now)
    let reads = 0
    const counting: HubStore = {
      ...store,
      read(session, after) {
        if (session !== 'all') reads += 1
        return store.read(session, after)
      },
    }
    const feed = await AllSessionsFeed.open({ store: counting, now })
    for (let seq = 1; seq <= 50; seq += 1) {
      for (const session of 'abc') feed.note(await write(store, session, [entry(session, seq)]))
    }
    assert.equal((await take(feed, 150)).length, 150)
    assert.equal(reads, 3)
  })
})
