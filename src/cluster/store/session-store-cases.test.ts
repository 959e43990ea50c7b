/** What every store of sessions promises, in memory, as files and in a database; then what leases add. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { nodeFiles } from '../../platform/files/files.js'
import type { SessionKey, SessionStore, SessionStoreEntry } from '../../protocol/stored-sessions.js'
import { InMemorySessionStore } from '../../sdk/memory-store.js'
import { createJsonlSessionStore } from '../../sessions/jsonl-store.js'
import { openTestDatabase } from '../test-database.js'
import { PostgresSessionStore } from './postgres-session-store.js'

const sessionId = '11111111-2222-4333-8444-555555555555'
const other = '99999999-2222-4333-8444-555555555555'
const key = { projectKey: '-home-ada', sessionId }
const agent = { ...key, subpath: 'subagents/agent-1' }
const line = (text: string, uuid?: string): SessionStoreEntry => ({
  type: 'user',
  message: { role: 'user', content: text },
  ...(uuid === undefined ? {} : { uuid }),
})
const texts = (entries: readonly SessionStoreEntry[] | null) =>
  entries?.map((entry) => (entry as { message?: { content?: unknown } }).message?.content)
const ids = (sessions: readonly { sessionId: string }[] | undefined) => sessions?.map((one) => one.sessionId).sort()

const opened = openTestDatabase({ connections: 4 })
const folders: string[] = []
let tenants = 0
after(async () => {
  await (await opened).drop()
  for (const folder of folders) rmSync(folder, { recursive: true })
})

const inDatabase = async () => new PostgresSessionStore((await opened).database.as(`tenant-${tenants++}`))
const asFiles = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-store-'))
  folders.push(folder)
  return createJsonlSessionStore(nodeFiles, folder)
}
const STORES: Record<string, { make(): Promise<SessionStore>; skips?: boolean; runs?: number }> = {
  'in memory': { make: async () => new InMemorySessionStore() },
  // They are told apart by their readers, and are not skipped.
  'as files': { make: asFiles, skips: false },
  'in a database': { make: inDatabase, runs: 10 },
}

for (const [name, { make, skips = true, runs = 50 }] of Object.entries(STORES)) {
  describe(`sessions ${name}`, () => {
    it('are given back as they were put in, in order, and nothing when there never were any', async () => {
      const store = await make()
      assert.equal(await store.load(key), null)
      await store.append(key, [line('a'), line('b')])
      await store.append(key, [line('c')])
      assert.deepEqual(texts(await store.load(key)), ['a', 'b', 'c'])
      assert.equal(await store.load({ ...key, sessionId: other }), null)
      // Fields nobody knows, in their order; characters that some databases refuse.
      const odd = { type: 'x', zebra: 1, apple: { b: [null, '\u0000\ud800'], a: 1.5 }, uuid: 'u', at: '' }
      await store.append(key, [odd])
      assert.equal(JSON.stringify((await store.load(key))?.at(-1)), JSON.stringify(odd))
    })

    if (skips)
      it('have a line with an id once, also when it is sent again', async () => {
        const store = await make()
        await store.append(key, [line('a', '1'), line('b', '2')])
        await store.append(key, [line('b', '2'), line('c', '3'), line('d'), line('d')])
        await store.append(agent, [line('other', '1')])
        assert.deepEqual(texts(await store.load(key)), ['a', 'b', 'c', 'd', 'd'])
        assert.deepEqual(texts(await store.load(agent)), ['other'])
      })

    it('are listed by project, without what belongs to them', async () => {
      const store = await make()
      await store.append(key, [line('a')])
      await store.append({ ...key, sessionId: other }, [line('b')])
      await store.append({ ...key, projectKey: '-home-ben' }, [line('c')])
      await store.append({ ...agent, sessionId: '77777777-2222-4333-8444-555555555555' }, [line('d')])
      assert.deepEqual(ids(await store.listSessions?.(key.projectKey)), [sessionId, other])
      assert.deepEqual(await store.listSessions?.('nowhere'), [])
    })

    it('have parts beside them, and are deleted in part or with all of them', async () => {
      const store = await make()
      const second = { ...key, subpath: 'subagents/agent-2' }
      for (const place of [key, agent, second, { ...key, projectKey: '-home-ben' }])
        await store.append(place, [line('a', '1')])
      assert.deepEqual((await store.listSubkeys?.(key))?.sort(), ['subagents/agent-1', 'subagents/agent-2'])
      await store.delete?.(agent)
      assert.deepEqual([await store.load(agent), await store.listSubkeys?.(key)], [null, ['subagents/agent-2']])
      await store.delete?.(key)
      await store.delete?.(key)
      assert.deepEqual(
        [await store.load(key), await store.load(second), await store.listSubkeys?.(key)],
        [null, null, []],
      )
      assert.deepEqual(texts(await store.load({ ...key, projectKey: '-home-ben' })), ['a'])
      await store.append(key, [line('a', '1')])
      assert.deepEqual(texts(await store.load(key)), ['a'])
    })

    it('are what a list would be, whatever is put in', { timeout: 120_000 }, async () => {
      const entry = fc.record({ text: fc.string({ maxLength: 20 }), id: fc.option(fc.nat(8)), of: fc.nat(3) })
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(entry, { maxLength: 4 }), { maxLength: 6 }), async (batches) => {
          const store = await make()
          const places: SessionKey[] = [key, agent, { ...key, sessionId: other }, { ...key, projectKey: '-home-ben' }]
          const kept = places.map((): SessionStoreEntry[] => [])
          for (const batch of batches) {
            for (const [of, place] of places.entries()) {
              const lines = batch
                .filter((one) => one.of === of)
                .map(({ text, id }) => line(text, id === null ? undefined : `${id}`))
              // Within one call an id comes once: so it is with the lines of a session.
              const once = lines.filter(
                ({ uuid }, n) => uuid === undefined || lines.findIndex((l) => l.uuid === uuid) === n,
              )
              if (once.length === 0) continue
              await store.append(place, once)
              const known = new Set(kept[of]?.map(({ uuid }) => uuid))
              kept[of]?.push(...once.filter(({ uuid }) => !skips || uuid === undefined || !known.has(uuid)))
            }
          }
          for (const [of, place] of places.entries())
            assert.deepEqual(await store.load(place), kept[of]?.length ? kept[of] : null)
        }),
        process.env['KEDGE_LONG'] ? {} : { numRuns: runs },
      )
    })
  })
}

for (const [name, make] of Object.entries({
  'in memory': async () => new InMemorySessionStore(),
  'in a database': inDatabase,
})) {
  describe(`leases ${name}`, () => {
    it('are one holder’s at a time, with tokens that only grow; who was overtaken adds nothing', async () => {
      const store = await make()
      const first = await store.leases.acquire(key, 'ada', 60_000)
      assert.ok('token' in first)
      await store.append(key, [line('a')], first.token)
      assert.deepEqual(await store.leases.acquire(key, 'ben', 60_000), { heldBy: 'ada' })
      assert.ok('token' in (await store.leases.acquire({ ...key, sessionId: other }, 'ben', 60_000)))
      assert.equal(await store.leases.renew(key, first.token, 60_000), true)
      await store.leases.release(key, first.token)
      const second = await store.leases.acquire(key, 'ben', 1)
      assert.ok('token' in second && second.token > first.token)
      for (const place of [key, agent])
        await assert.rejects(store.append(place, [line('late')], first.token), {
          code: 'session_fenced',
          message: /^ben /,
        })
      assert.equal(await store.leases.renew(key, first.token, 60_000), false)
      await store.leases.release(key, first.token)
      // It ran out after a millisecond.
      let third = await store.leases.acquire(key, 'cy', 60_000)
      while (!('token' in third)) third = await store.leases.acquire(key, 'cy', 60_000)
      await store.append(key, [line('b')], third.token)
      await store.append(key, [line('without a lease')])
      assert.deepEqual(texts(await store.load(key)), ['a', 'b', 'without a lease'])
      await store.delete(key)
      await assert.rejects(store.append(key, [line('late')], second.token), { code: 'session_fenced' })
    })

    it('go to one of many who ask at once', async () => {
      const store = await make()
      const asked = await Promise.all([...'abcdefgh'].map((who) => store.leases.acquire(key, who, 60_000)))
      const got = asked.filter((answer) => 'token' in answer)
      assert.deepEqual(got, [{ token: 1 }])
    })

    it('say what lists show, also of what was added since they were asked', async () => {
      const store = await make()
      const shown = async () =>
        (await store.listSessionSummaries(key.projectKey)).map(({ data }) => [data['firstPrompt'], data['customTitle']])
      assert.deepEqual(await shown(), [])
      await store.append(key, [line('Hello there', '1')])
      assert.deepEqual(await shown(), [['Hello there', undefined]])
      await store.append(agent, [line('not of the session', '1')])
      await store.append(key, [{ type: 'custom-title', customTitle: 'Greetings', sessionId }])
      for (const _ of [1, 2]) assert.deepEqual(await shown(), [['Hello there', 'Greetings']])
      await store.delete(key)
      await store.append(key, [line('Anew', '1')])
      assert.deepEqual(await shown(), [['Anew', undefined]])
      const [before] = await store.listSessions(key.projectKey)
      await store.append(key, [line('later')])
      const [later] = await store.listSessions(key.projectKey)
      assert.ok(before && later && later.mtime > before.mtime)
    })
  })
}

describe('a session in a database', () => {
  it('has each line once, however often connections are cut, and nothing of another tenant', async () => {
    const { cut, database } = await opened
    const store = await inDatabase()
    // In the middle of it, before or after: whenever it comes.
    for (let n = 0; n < 20; n += 1)
      await Promise.all([store.append(key, [line(`${n}`, `${n}`), line(`${n}+`, `${n}+`)]), cut()])
    assert.deepEqual(texts(await store.load(key)), Array.from({ length: 20 }, (_, n) => [`${n}`, `${n}+`]).flat())
    const stranger = new PostgresSessionStore(database.as('stranger'))
    assert.deepEqual([await stranger.load(key), await stranger.listSessions(key.projectKey)], [null, []])
    await stranger.delete(key)
    assert.equal((await store.load(key))?.length, 40)
  })
})

it('lines with and without an id are there once and in order, however often connections are cut', async () => {
  const store = await inDatabase()
  const { cut } = await opened
  let isDone = false
  const cutting = (async () => {
    while (!isDone) await cut()
  })()
  for (let n = 0; n < 20; n++) await store.append(key, [line(`${n}`), line(`${n}`), line(`with ${n}`, `${n}`)])
  isDone = true
  await cutting
  const wanted = Array.from({ length: 20 }, (_, n) => [`${n}`, `${n}`, `with ${n}`]).flat()
  assert.deepEqual(texts(await store.load(key)), wanted)
})
