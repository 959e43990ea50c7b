import assert from 'node:assert/strict'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { type FileSystem, nodeFiles } from '../platform/files/files.js'
import { takeLock } from '../platform/files/process-lock.js'
import type { TranscriptLine } from '../protocol/transcript.js'
import { createTestResumePorts, createTestSessionsFolder, TEST_SESSION_ID, testUserLine } from './test-sessions.js'
import { createTranscriptLog, type TranscriptLogOptions } from './transcript-log.js'
import { lockPath } from './transcript-paths.js'

function open(path: string, overrides: Partial<TranscriptLogOptions> = {}) {
  const files = overrides.files ?? nodeFiles
  const told: string[] = []
  const lock = () => takeLock(lockPath(path), createTestResumePorts({ files: { ...nodeFiles, ...files } }))
  const options = { files, path, sessionId: TEST_SESSION_ID, isNew: true, persist: true, sync: false, lock, labels: {} }
  const log = createTranscriptLog({ ...options, ...overrides })
  log.onLost((message) => told.push(message))
  return { log, told }
}

// The shape does not matter here, only that it is a line.
const entry = (n: number, content = `line ${n}`) => testUserLine(n, content) as unknown as TranscriptLine
const linesOf = (content: string) =>
  content
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((one) => JSON.parse(one))

test('S31: lines go to a file that only its owner can read, in folders of the same kind; the lock is gone afterwards', () => {
  using at = createTestSessionsFolder()
  const path = join(at.root, 'projects', 'deep', 'er', `${TEST_SESSION_ID}.jsonl`)
  const { log, told } = open(path)
  log.append(entry(1))
  log.append(entry(2))
  const mode = (of: string) => (statSync(of).mode & 0o777).toString(8)
  assert.deepEqual([mode(path), mode(dirname(path)), mode(dirname(dirname(path)))], ['600', '700', '700'])
  assert.equal(statSync(lockPath(path)).isFile(), true)
  log.close()
  log.append(entry(3))
  assert.deepEqual(linesOf(at.read(path)).map(({ uuid }) => uuid).length, 2)
  assert.equal(nodeFiles.existsSync(lockPath(path)), false)
  assert.deepEqual(told, [])
})

test('without persistence nothing is written, but a host still gets its copy', () => {
  using at = createTestSessionsFolder()
  const copies: TranscriptLine[] = []
  const { log } = open(at.path, { persist: false, mirror: (line) => copies.push(line) })
  const line = entry(1)
  log.append(line)
  assert.deepEqual([copies, copies[0] === line], [[line], false])
  assert.equal(nodeFiles.existsSync(at.path), false)
})

test('S23: a file that is removed while it is written: told once, and the session goes on', () => {
  using at = createTestSessionsFolder()
  const { log, told } = open(at.path)
  log.append(entry(1))
  rmSync(at.path)
  log.append(entry(2))
  log.append(entry(3))
  assert.equal(told.length, 1)
  assert.match(told[0] ?? '', /can't be saved any more and goes on in memory only: .*was removed/)
  assert.equal(nodeFiles.existsSync(at.path), false, 'a file that begins in the middle would not be this session')
})

test('a folder that vanishes, and a lock that another process took over: told once, nothing more is written', () => {
  using at = createTestSessionsFolder()
  const gone = open(at.path)
  gone.log.append(entry(1))
  rmSync(at.folder, { recursive: true })
  gone.log.append(entry(2))
  assert.deepEqual([gone.told.length, nodeFiles.existsSync(at.folder)], [1, false])
  const other = join(at.root, 'projects', 'other', `${TEST_SESSION_ID}.jsonl`)
  const taken = open(other)
  taken.log.append(entry(1))
  writeFileSync(lockPath(other), '{"pid":1}')
  taken.log.append(entry(2))
  taken.log.close()
  assert.match(taken.told.join(), /another process has taken it over/)
  assert.equal(linesOf(at.read(other)).length, 1)
})

test('S18: an error of the disk, also one that shows only when data is flushed, ends saving; it is never tried again', () => {
  using at = createTestSessionsFolder()
  const fault = (code: string) => Object.assign(new Error(`${code}: injected, write`), { code })
  for (const code of ['ENOSPC', 'EIO', 'EROFS', 'EDQUOT']) {
    let calls = 0
    const files: FileSystem = {
      ...nodeFiles,
      appendSync(path, content, how) {
        calls += 1
        assert.equal(how?.sync, true)
        // As a failing fsync does: the bytes are there, but nobody knows for how long.
        if (calls === 2) nodeFiles.appendSync(path, content)
        if (calls >= 2) throw fault(code)
        nodeFiles.appendSync(path, content, how)
      },
    }
    const path = join(at.folder, code, `${TEST_SESSION_ID}.jsonl`)
    const { log, told } = open(path, { files, sync: true })
    for (let n = 1; n <= 5; n += 1) log.append(entry(n))
    log.close()
    assert.deepEqual([calls, told.length], [2, 1])
    assert.match(told[0] ?? '', new RegExp(code))
  }
})

test('a result that can not be written down does not cost its line', () => {
  using at = createTestSessionsFolder()
  const circle: Record<string, unknown> = {}
  circle.self = circle
  const { log, told } = open(at.path)
  // As a tool of somebody else's might return it.
  log.append({ ...entry(1), toolUseResult: circle } as TranscriptLine)
  assert.deepEqual([linesOf(at.read()).length, told], [1, []])
})

test('title and tag stay near the end of a growing file; what others wrote last is what is kept', () => {
  using at = createTestSessionsFolder()
  const { log } = open(at.path, { labels: { title: 'Old title', tag: 'kept' } })
  const grow = () => {
    for (let n = 0; n < 12; n += 1) log.append(entry(n, 'x'.repeat(4000)))
  }
  grow()
  assert.match(at.read().slice(-64 * 1024), /"customTitle":"Old title"[\s\S]*"tag":"kept"/)
  nodeFiles.appendSync(
    at.path,
    `${JSON.stringify({ type: 'custom-title', customTitle: 'New', sessionId: TEST_SESSION_ID })}\n`,
  )
  for (let round = 0; round < 4; round += 1) grow()
  const end = at.read().slice(-64 * 1024)
  assert.match(end, /"customTitle":"New"/)
  assert.doesNotMatch(end, /Old title/)
  log.close()
})
