/** One suite for every place where logs can be kept; what only one of them does is tested beside it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import type { LogEntry } from '../../protocol/session-log/entries.js'
import type { HubStore, LogWriter } from './log-store.js'

export const TEST_SESSION = '11111111-2222-4333-8444-555555555555'
export const testSessionLogKey = { session: TEST_SESSION, cwd: '/home/ada/project' }
export const testLogEntry = (seq: number, title = `t${seq}`): LogEntry => ({
  session: TEST_SESSION,
  seq,
  at: '2026-01-01T00:00:00.000Z',
  kind: 'state',
  data: { title },
})
export const testLogEntries = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => testLogEntry(from + n))

export async function readAllEntries(store: HubStore, after = 0, of = TEST_SESSION): Promise<LogEntry[]> {
  const found: LogEntry[] = []
  for await (const some of store.read(of, after)) found.push(...some)
  return found
}

/** As whoever passes them on gets them. */
export async function readEntryTexts(store: HubStore, after = 0): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const some of store.readTexts?.(TEST_SESSION, after) ?? [])
    for (const { seq, kind, text } of some) found.push({ ...JSON.parse(text), seq, kind })
  return found
}

export type StoreMaker = () => Promise<{ store: HubStore; remove(): void | Promise<void> }>

/** `runs`: of the random ones, in `npm test`. */
export function testLogStore(name: string, make: StoreMaker, { runs = 50 } = {}): void {
  describe(`logs ${name}`, () => {
    const withStore = async (use: (store: HubStore) => Promise<void>) => {
      const { store, remove } = await make()
      try {
        await use(store)
      } finally {
        await remove()
      }
    }

    it('receives a log as a whole, or nothing of it, and never over another', async () => {
      await withStore(async (store) => {
        const broken = async function* () {
          yield testLogEntries(1, 2)
          throw new Error('cut off')
        }
        await assert.rejects(store.receive(testSessionLogKey, broken()), /cut off/)
        assert.deepEqual([await store.list(), await readAllEntries(store)], [[], []])
        await store.receive(
          testSessionLogKey,
          (async function* () {
            yield testLogEntries(1, 2)
            yield testLogEntries(3, 5)
          })(),
        )
        assert.deepEqual(await readAllEntries(store), testLogEntries(1, 5))
        const again = async function* () {
          yield testLogEntries(1, 1)
        }
        await assert.rejects(store.receive(testSessionLogKey, again()), { code: 'session_in_use' })
        const writer = await store.open({ session: TEST_SESSION })
        await writer.append([testLogEntry(6)])
        assert.deepEqual(await readAllEntries(store), testLogEntries(1, 6))
        await writer.release()
      })
    })

    it('gives back what it was given, from any number on', () =>
      withStore(async (store) => {
        const writer = await store.open(testSessionLogKey)
        assert.equal(writer.last, 0)
        await writer.append(testLogEntries(1, 3))
        await writer.append(testLogEntries(4, 4))
        assert.equal(writer.last, 4)
        assert.deepEqual(await readAllEntries(store), testLogEntries(1, 4))
        assert.deepEqual(await readAllEntries(store, 2), testLogEntries(3, 4))
        assert.deepEqual(await readAllEntries(store, 4), [])
        await writer.release()
      }))

    it('goes on where it was when it is opened again', () =>
      withStore(async (store) => {
        const first = await store.open(testSessionLogKey)
        await first.append(testLogEntries(1, 2))
        await first.release()
        const second = await store.open({ session: TEST_SESSION })
        assert.equal(second.last, 2)
        await second.append(testLogEntries(3, 3))
        assert.deepEqual(await readAllEntries(store), testLogEntries(1, 3))
        await second.release()
      }))

    it('has one writer at a time', () =>
      withStore(async (store) => {
        const writer = await store.open(testSessionLogKey)
        await assert.rejects(store.open(testSessionLogKey), { code: 'session_in_use' })
        await writer.release()
        await (await store.open(testSessionLogKey)).release()
      }))

    it('takes nothing from a writer that has let go', () =>
      withStore(async (store) => {
        const old = await store.open(testSessionLogKey)
        await old.append(testLogEntries(1, 1))
        await old.release()
        const writer = await store.open(testSessionLogKey)
        await assert.rejects(old.append(testLogEntries(2, 2)), { code: 'session_fenced' })
        await writer.append(testLogEntries(2, 2))
        assert.deepEqual(await readAllEntries(store), testLogEntries(1, 2))
        await writer.release()
      }))

    it('knows nothing of sessions that are not there, and forgets those that are removed', () =>
      withStore(async (store) => {
        await assert.rejects(store.open({ session: TEST_SESSION }), { code: 'session_not_found' })
        assert.deepEqual([await readAllEntries(store), await store.list()], [[], []])
        const writer = await store.open(testSessionLogKey)
        await writer.append(testLogEntries(1, 1))
        const summary = {
          cwd: testSessionLogKey.cwd,
          status: 'idle',
          archived: false,
          costUsd: 1,
          waiting: 0,
          seq: 1,
        } as const
        await writer.summarize(summary)
        const [listed] = await store.list()
        assert.deepEqual([listed?.session, listed?.summary], [TEST_SESSION, summary])
        await writer.release()
        await store.remove(TEST_SESSION)
        await store.remove(TEST_SESSION)
        assert.deepEqual([await readAllEntries(store), await store.list()], [[], []])
      }))

    it('passes on the same as it reads, whatever is in it', () =>
      withStore(async (store) => {
        const writer = await store.open(testSessionLogKey)
        const odd = ['\u0000 \ud800 "\\ \n', 'ä'.repeat(9000), '', `'; drop table x; --`].map((title, n) =>
          testLogEntry(n + 1, title),
        )
        await writer.append(odd)
        assert.deepEqual(await readAllEntries(store), odd)
        if (store.readTexts)
          assert.deepEqual([await readEntryTexts(store), await readEntryTexts(store, 3)], [odd, odd.slice(3)])
        await writer.release()
      }))

    it('keeps each session apart from the others, and gives many entries in order', () =>
      withStore(async (store) => {
        const other = '99999999-2222-4333-8444-555555555555'
        const [one, two] = [
          await store.open(testSessionLogKey),
          await store.open({ session: other, cwd: testSessionLogKey.cwd }),
        ]
        await Promise.all([one.append(testLogEntries(1, 1200)), two.append([{ ...testLogEntry(1), session: other }])])
        await one.append([])
        await one.append(testLogEntries(1201, 1201))
        assert.deepEqual(await readAllEntries(store), testLogEntries(1, 1201))
        assert.deepEqual(await readAllEntries(store, 1190), testLogEntries(1191, 1201))
        assert.deepEqual(await readAllEntries(store, 0, other), [{ ...testLogEntry(1), session: other }])
        assert.deepEqual(
          (await store.list()).map((log) => log.session),
          [TEST_SESSION, other],
        )
        await store.remove(other)
        assert.equal((await readAllEntries(store)).length, 1201)
        await Promise.all([one.release(), two.release()])
      }))

    it('is not told of as a session: the log over all of them', () =>
      withStore(async (store) => {
        const writer = await store.open({ session: 'all', cwd: '' })
        await writer.append([{ ...testLogEntry(1), session: 'all' }])
        assert.deepEqual(await store.list(), [])
        assert.equal((await readAllEntries(store, 0, 'all')).length, 1)
        await writer.release()
      }))

    it('does what a list of lists would do, whatever is asked of it', { timeout: 120_000 }, async () => {
      const sessions = ['a', 'b'].map((letter) => TEST_SESSION.replaceAll('1', letter))
      const step = fc.record({
        what: fc.constantFrom('open', 'append', 'append', 'stale', 'release', 'read', 'remove', 'receive'),
        which: fc.nat(1),
        count: fc.integer({ min: 1, max: 4 }),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 14 }), (steps) =>
          withStore((store) => compare(store, sessions, steps)),
        ),
        process.env['KEDGE_LONG'] ? {} : { numRuns: runs },
      )
    })
  })
}

type Step = { what: string; which: number; count: number }
type Model = { entries: LogEntry[] | undefined; writer: LogWriter | undefined; old: LogWriter[] }

/** Each step is done to the store and to a list; they must agree after it. */
async function compare(store: HubStore, sessions: readonly string[], steps: readonly Step[]): Promise<void> {
  const models = sessions.map((): Model => ({ entries: undefined, writer: undefined, old: [] }))
  for (const { what, which, count } of steps) {
    const [id = '', model] = [sessions[which], models[which]]
    assert.ok(model)
    const next = Array.from({ length: count }, (_, n) => ({
      ...testLogEntry((model.entries?.length ?? 0) + n + 1),
      session: id,
    }))
    if (what === 'open') {
      const opened = store.open({ session: id, cwd: testSessionLogKey.cwd })
      if (model.writer) await assert.rejects(opened, { code: 'session_in_use' })
      else model.writer = await opened
      model.entries ??= []
      assert.equal(model.writer?.last, model.entries.length)
    } else if (what === 'append' && model.writer && model.entries) {
      await model.writer.append(next)
      model.entries.push(...next)
    } else if (what === 'stale') {
      for (const old of model.old) await assert.rejects(old.append(next), { code: 'session_fenced' })
    } else if (what === 'release' && model.writer) {
      await model.writer.release()
      model.old.push(model.writer)
      model.writer = undefined
    } else if (what === 'remove' && !model.writer) {
      await store.remove(id)
      model.entries = undefined
    } else if (what === 'receive') {
      const given = async function* () {
        yield next
      }
      const received = store.receive({ session: id, cwd: testSessionLogKey.cwd }, given())
      if (model.entries) await assert.rejects(received, { code: 'session_in_use' })
      else model.entries = await received.then(() => next)
    }
    assert.deepEqual(await readAllEntries(store, count, id), model.entries?.slice(count) ?? [])
  }
  // Whether one that nothing was written to has a log is left open.
  const isEmpty = (id: string) => models[sessions.indexOf(id)]?.entries?.length === 0
  const listed = (await store.list()).map((log) => log.session).filter((id) => !isEmpty(id))
  assert.deepEqual(
    listed.sort(),
    sessions.filter((_, n) => (models[n]?.entries?.length ?? 0) > 0),
  )
  for (const { writer } of models) await writer?.release()
}
