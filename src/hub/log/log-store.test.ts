/** Logs in memory and in files: what every place does, and what only files do. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { nodeFiles } from '../../platform/files/files.js'
import { nodeClock } from '../../platform/node-platform.js'
import { fileLogStore } from './file-log-store.js'
import type { HubStore } from './log-store.js'
import { memoryLogStore } from './memory-log-store.js'
import {
  readAllEntries,
  readEntryTexts,
  TEST_SESSION,
  testLogEntries,
  testLogEntry,
  testLogStore,
  testSessionLogKey,
} from './test-log-stores.js'

function inFolder(): { store: HubStore; again(): HubStore; path: string; remove(): void } {
  const projects = mkdtempSync(join(tmpdir(), 'kedge-logs-'))
  let tokens = 0
  const make = () =>
    fileLogStore({
      files: nodeFiles,
      clock: nodeClock,
      projects,
      feedFolder: join(projects, '..hub'),
      token: () => `token ${tokens++}`,
      folderOf: (id) => join(projects, '-home-ada-project', id),
    })
  return {
    store: make(),
    again: make,
    path: join(projects, '-home-ada-project', TEST_SESSION, 'hub.log'),
    remove: () => rmSync(projects, { recursive: true, force: true }),
  }
}

testLogStore('in memory', async () => ({ store: memoryLogStore(() => 1), remove() {} }))
testLogStore('as files', async () => inFolder())

describe('a log file', () => {
  it('is cut off where a process was killed in the middle of a line', async () => {
    const { store, again, path, remove } = inFolder()
    const writer = await store.open(testSessionLogKey)
    await writer.append(testLogEntries(1, 3))
    await writer.release()
    const whole = readFileSync(path)
    const ends = [...whole.keys()].filter((at) => whole[at] === 10).map((at) => at + 1)
    for (let size = 0; size <= whole.length; size += 1) {
      writeFileSync(path, whole.subarray(0, size))
      const count = ends.filter((end) => end <= size).length
      assert.deepEqual(await readAllEntries(again()), testLogEntries(1, count), `${size} bytes, before it is opened`)
      const next = await again().open(testSessionLogKey)
      assert.equal(next.last, count)
      await next.append([testLogEntry(count + 1, 'next')])
      await next.release()
      assert.deepEqual(await readAllEntries(again()), [...testLogEntries(1, count), testLogEntry(count + 1, 'next')])
    }
    remove()
  })

  it('keeps its numbers when a line was damaged', async () => {
    const { store, again, path, remove } = inFolder()
    const writer = await store.open(testSessionLogKey)
    await writer.append(testLogEntries(1, 3))
    await writer.release()
    const lines = readFileSync(path, 'utf8').split('\n')
    writeFileSync(path, [lines[0], '{"seq":2,"kind":"sta', ...lines.slice(2)].join('\n'))
    const read = await readAllEntries(again())
    assert.deepEqual(
      read.map(({ seq }) => seq),
      [1, 2, 3],
    )
    assert.deepEqual(read[2], testLogEntry(3))
    remove()
  })

  it('is passed on as it is written, also by who has not read it; a damaged line as what it says, nothing', async () => {
    const { store, again, path, remove } = inFolder()
    const writer = await store.open(testSessionLogKey)
    await writer.append(testLogEntries(1, 2))
    await writer.append([testLogEntry(3, 'ä " \\ \n')])
    const all3 = [...testLogEntries(1, 2), testLogEntry(3, 'ä " \\ \n')]
    assert.deepEqual(
      [await readEntryTexts(store), await readEntryTexts(store, 2), await readEntryTexts(store, 3)],
      [all3, [all3[2]], []],
    )
    await writer.release()
    const lines = readFileSync(path, 'utf8').split('\n')
    const [first = '', second = ''] = lines
    for (const damaged of [second.slice(0, 50), `${second.slice(0, -3)}}`, '', '{}', first]) {
      writeFileSync(path, [lines[0], damaged, ...lines.slice(2)].join('\n'))
      const fresh = again()
      const known = await readAllEntries(fresh)
      assert.deepEqual(await readEntryTexts(fresh), known, `${damaged}, once it was read`)
      assert.deepEqual(await readEntryTexts(again()), known, `${damaged}, not yet read`)
      assert.deepEqual(known[2], all3[2])
      // Who keeps writing does not make it whole.
      const next = await fresh.open(testSessionLogKey)
      await next.append([testLogEntry(4)])
      await next.release()
      assert.deepEqual(await readEntryTexts(fresh), [...known, testLogEntry(4)])
    }
    remove()
  })

  it('is read from the middle without reading what comes before', async () => {
    const { store, path, remove } = inFolder()
    const writer = await store.open(testSessionLogKey)
    const long = (seq: number) => testLogEntry(seq, `${seq} ${'ä'.repeat(40_000)}`)
    for (let seq = 1; seq <= 40; seq += 1) await writer.append([long(seq)])
    // Whoever reads from the start would find this.
    writeFileSync(path, 'x', { flag: 'r+' })
    assert.deepEqual(await readAllEntries(store, 35), [36, 37, 38, 39, 40].map(long))
    assert.equal((await readAllEntries(store, 0)).length, 40)
    await writer.release()
    remove()
  })

  it('takes all entries of a write or none', async () => {
    const { again, path, remove } = inFolder()
    const projects = join(path, '..', '..', '..')
    let isFull = false
    const store = fileLogStore({
      clock: nodeClock,
      projects,
      token: () => 'one',
      feedFolder: '',
      folderOf: (id) => join(projects, '-home-ada-project', id),
      files: {
        ...nodeFiles,
        appendSync(file, content) {
          nodeFiles.appendSync(file, isFull ? String(content).slice(0, 90) : content)
          if (isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
        },
      },
    })
    const writer = await store.open(testSessionLogKey)
    await writer.append(testLogEntries(1, 2))
    isFull = true
    await assert.rejects(writer.append(testLogEntries(3, 5)), { code: 'ENOSPC' })
    isFull = false
    await writer.append(testLogEntries(3, 3))
    assert.deepEqual(await readAllEntries(again()), testLogEntries(1, 3))
    await writer.release()
    remove()
  })
})
