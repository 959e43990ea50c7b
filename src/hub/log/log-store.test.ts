/** One suite for every place where logs can be kept. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { nodeFiles } from '../../platform/files/files.js'
import { nodeClock } from '../../platform/node-platform.js'
import { processOwners } from '../../platform/processes/process-owner.js'
import type { Entry } from './entries.js'
import { fileLogStore } from './file-log-store.js'
import type { HubStore } from './log-store.js'
import { memoryLogStore } from './memory-log-store.js'

const session = '11111111-2222-4333-8444-555555555555'
const place = { session, cwd: '/home/ada/project' }
const entry = (seq: number, title = `t${seq}`): Entry => ({
  ...{ session, seq, at: '2026-01-01T00:00:00.000Z', kind: 'state', data: { title } },
})
const entries = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => entry(from + n))

async function all(store: HubStore, after = 0): Promise<Entry[]> {
  const found: Entry[] = []
  for await (const some of store.read(session, after)) found.push(...some)
  return found
}

/** As whoever passes them on gets them. */
async function texts(store: HubStore, after = 0): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const some of store.readTexts?.(session, after) ?? [])
    for (const { seq, kind, text } of some) found.push({ ...JSON.parse(text), seq, kind })
  return found
}

function inFolder(): { store: HubStore; again(): HubStore; path: string; remove(): void } {
  const projects = mkdtempSync(join(tmpdir(), 'kedge-logs-'))
  let tokens = 0
  const make = () =>
    fileLogStore({
      ...{ files: nodeFiles, clock: nodeClock, owners: processOwners, projects, feedFolder: join(projects, '..hub') },
      token: () => `token ${tokens++}`,
      folderOf: (id) => join(projects, '-home-ada-project', id),
    })
  return {
    store: make(),
    again: make,
    path: join(projects, '-home-ada-project', session, 'hub.log'),
    remove: () => rmSync(projects, { recursive: true, force: true }),
  }
}

const STORES: Record<string, () => { store: HubStore; remove(): void }> = {
  'in memory': () => ({ store: memoryLogStore(() => 1), remove() {} }),
  'as files': inFolder,
}

for (const [name, make] of Object.entries(STORES)) {
  describe(`logs ${name}`, () => {
    const withStore = async (use: (store: HubStore) => Promise<void>) => {
      const { store, remove } = make()
      try {
        await use(store)
      } finally {
        remove()
      }
    }

    it('receives a log as a whole, or nothing of it, and never over another', async () => {
      await withStore(async (store) => {
        const broken = async function* () {
          yield entries(1, 2)
          throw new Error('cut off')
        }
        await assert.rejects(store.receive(place, broken()), /cut off/)
        assert.deepEqual([await store.list(), await all(store)], [[], []])
        await store.receive(
          place,
          (async function* () {
            yield entries(1, 2)
            yield entries(3, 5)
          })(),
        )
        assert.deepEqual(await all(store), entries(1, 5))
        const again = async function* () {
          yield entries(1, 1)
        }
        await assert.rejects(store.receive(place, again()), { code: 'session_in_use' })
        const writer = await store.open({ session })
        await writer.append([entry(6)])
        assert.deepEqual(await all(store), entries(1, 6))
        await writer.release()
      })
    })

    it('gives back what it was given, from any number on', () =>
      withStore(async (store) => {
        const writer = await store.open(place)
        assert.equal(writer.last, 0)
        await writer.append(entries(1, 3))
        await writer.append(entries(4, 4))
        assert.equal(writer.last, 4)
        assert.deepEqual(await all(store), entries(1, 4))
        assert.deepEqual(await all(store, 2), entries(3, 4))
        assert.deepEqual(await all(store, 4), [])
        await writer.release()
      }))

    it('goes on where it was when it is opened again', () =>
      withStore(async (store) => {
        const first = await store.open(place)
        await first.append(entries(1, 2))
        await first.release()
        const second = await store.open({ session })
        assert.equal(second.last, 2)
        await second.append(entries(3, 3))
        assert.deepEqual(await all(store), entries(1, 3))
        await second.release()
      }))

    it('has one writer at a time', () =>
      withStore(async (store) => {
        const writer = await store.open(place)
        await assert.rejects(store.open(place), { code: 'session_in_use' })
        await writer.release()
        await (await store.open(place)).release()
      }))

    it('takes nothing from a writer that has let go', () =>
      withStore(async (store) => {
        const old = await store.open(place)
        await old.append(entries(1, 1))
        await old.release()
        const writer = await store.open(place)
        await assert.rejects(old.append(entries(2, 2)), { code: 'session_fenced' })
        await writer.append(entries(2, 2))
        assert.deepEqual(await all(store), entries(1, 2))
        await writer.release()
      }))

    it('knows nothing of sessions that are not there, and forgets those that are removed', () =>
      withStore(async (store) => {
        await assert.rejects(store.open({ session }), { code: 'session_not_found' })
        assert.deepEqual([await all(store), await store.list()], [[], []])
        const writer = await store.open(place)
        await writer.append(entries(1, 1))
        const summary = { cwd: place.cwd, status: 'idle', archived: false, costUsd: 1, waiting: 0, seq: 1 } as const
        await writer.summarise(summary)
        const [listed] = await store.list()
        assert.deepEqual([listed?.session, listed?.summary], [session, summary])
        await writer.release()
        await store.remove(session)
        await store.remove(session)
        assert.deepEqual([await all(store), await store.list()], [[], []])
      }))
  })
}

describe('a log file', () => {
  it('is cut off where a process was killed in the middle of a line', async () => {
    const { store, again, path, remove } = inFolder()
    const writer = await store.open(place)
    await writer.append(entries(1, 3))
    await writer.release()
    const whole = readFileSync(path)
    const ends = [...whole.keys()].filter((at) => whole[at] === 10).map((at) => at + 1)
    for (let size = 0; size <= whole.length; size += 1) {
      writeFileSync(path, whole.subarray(0, size))
      const count = ends.filter((end) => end <= size).length
      assert.deepEqual(await all(again()), entries(1, count), `${size} bytes, before it is opened`)
      const next = await again().open(place)
      assert.equal(next.last, count)
      await next.append([entry(count + 1, 'next')])
      await next.release()
      assert.deepEqual(await all(again()), [...entries(1, count), entry(count + 1, 'next')])
    }
    remove()
  })

  it('keeps its numbers when a line was damaged', async () => {
    const { store, again, path, remove } = inFolder()
    const writer = await store.open(place)
    await writer.append(entries(1, 3))
    await writer.release()
    const lines = readFileSync(path, 'utf8').split('\n')
    writeFileSync(path, [lines[0], '{"seq":2,"kind":"sta', ...lines.slice(2)].join('\n'))
    const read = await all(again())
    assert.deepEqual(
      read.map(({ seq }) => seq),
      [1, 2, 3],
    )
    assert.deepEqual(read[2], entry(3))
    remove()
  })

  it('is passed on as it is written, also by who has not read it; a damaged line as what it says, nothing', async () => {
    const { store, again, path, remove } = inFolder()
    const writer = await store.open(place)
    await writer.append(entries(1, 2))
    await writer.append([entry(3, 'ä " \\ \n')])
    const all3 = [...entries(1, 2), entry(3, 'ä " \\ \n')]
    assert.deepEqual([await texts(store), await texts(store, 2), await texts(store, 3)], [all3, [all3[2]], []])
    await writer.release()
    const lines = readFileSync(path, 'utf8').split('\n')
    const [first = '', second = ''] = lines
    for (const damaged of [second.slice(0, 50), `${second.slice(0, -3)}}`, '', '{}', first]) {
      writeFileSync(path, [lines[0], damaged, ...lines.slice(2)].join('\n'))
      const fresh = again()
      const known = await all(fresh)
      assert.deepEqual(await texts(fresh), known, `${damaged}, once it was read`)
      assert.deepEqual(await texts(again()), known, `${damaged}, not yet read`)
      assert.deepEqual(known[2], all3[2])
      // Who goes on writing does not make it whole.
      const next = await fresh.open(place)
      await next.append([entry(4)])
      await next.release()
      assert.deepEqual(await texts(fresh), [...known, entry(4)])
    }
    remove()
  })

  it('is read from the middle without reading what comes before', async () => {
    const { store, path, remove } = inFolder()
    const writer = await store.open(place)
    const long = (seq: number) => entry(seq, `${seq} ${'ä'.repeat(40_000)}`)
    for (let seq = 1; seq <= 40; seq += 1) await writer.append([long(seq)])
    // Whoever reads from the start would find this.
    writeFileSync(path, 'x', { flag: 'r+' })
    assert.deepEqual(await all(store, 35), [36, 37, 38, 39, 40].map(long))
    assert.equal((await all(store, 0)).length, 40)
    await writer.release()
    remove()
  })

  it('takes all entries of a write or none', async () => {
    const { again, path, remove } = inFolder()
    const projects = join(path, '..', '..', '..')
    let isFull = false
    const store = fileLogStore({
      ...{ clock: nodeClock, owners: processOwners, projects, token: () => 'one', feedFolder: '' },
      folderOf: (id) => join(projects, '-home-ada-project', id),
      files: {
        ...nodeFiles,
        appendSync(file, content) {
          nodeFiles.appendSync(file, isFull ? String(content).slice(0, 90) : content)
          if (isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
        },
      },
    })
    const writer = await store.open(place)
    await writer.append(entries(1, 2))
    isFull = true
    await assert.rejects(writer.append(entries(3, 5)), { code: 'ENOSPC' })
    isFull = false
    await writer.append(entries(3, 3))
    assert.deepEqual(await all(again()), entries(1, 3))
    await writer.release()
    remove()
  })
})
