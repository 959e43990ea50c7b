import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { nodeFiles } from '../platform/files/files.js'
import { createMemoryStore, MAX_BLOB_BYTES } from './blobs.js'
import {
  captureFile,
  isReachedWithoutLinks,
  isSameFile,
  LINKED_FOLDER_REASON,
  SPECIAL_FILE_REASON,
  SYMBOLIC_LINK_REASON,
  unknownState,
} from './capture-file.js'

let root = ''
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-look-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const statOf = async (path: string) => {
  const stat = await nodeFiles.lstat(path)
  assert.ok(stat)
  return stat
}

describe('a look', () => {
  const store = createMemoryStore(1024)
  const look = (path: string) => captureFile(path, nodeFiles, store)

  it('at a file keeps its content and its mode', async () => {
    const path = join(root, 'a.sh')
    writeFileSync(path, 'echo hi')
    chmodSync(path, 0o750)
    const { state, stat } = await look(path)
    assert.ok(state.kind === 'file')
    assert.equal(state.mode, 0o750)
    assert.equal(new TextDecoder().decode(await store.read(state.blob)), 'echo hi')
    assert.deepEqual(stat, await statOf(path))
  })

  it('at nothing sees nothing, also where a file stands in the way', async () => {
    writeFileSync(join(root, 'file'), '')
    assert.deepEqual(await look(join(root, 'none')), { state: { kind: 'nothing' } })
    assert.deepEqual(await look(join(root, 'none', 'below')), { state: { kind: 'nothing' } })
    assert.deepEqual(await look(join(root, 'file', 'below')), { state: { kind: 'nothing' } })
  })

  it('at a folder sees its mode only', async () => {
    mkdirSync(join(root, 'folder'), { mode: 0o700 })
    assert.deepEqual(await look(join(root, 'folder')), { state: { kind: 'folder', mode: 0o700 } })
  })

  it('at a link does not follow it', async () => {
    writeFileSync(join(root, 'target'), 'secret')
    const path = join(root, 'link')
    symlinkSync(join(root, 'target'), path)
    assert.deepEqual(await look(path), { state: unknownState(SYMBOLIC_LINK_REASON, await statOf(path)) })
  })

  it('behind a link does not see a file', async () => {
    mkdirSync(join(root, 'real'))
    writeFileSync(join(root, 'real', 'a'), 'text')
    symlinkSync(join(root, 'real'), join(root, 'link'))
    assert.deepEqual(await look(join(root, 'link', 'a')), { state: { kind: 'unknown', why: LINKED_FOLDER_REASON } })
  })

  it('at a socket leaves it alone', async () => {
    const path = join(root, 's')
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(path, resolve))
    try {
      assert.deepEqual(await look(path), { state: unknownState(SPECIAL_FILE_REASON, await statOf(path)) })
    } finally {
      await new Promise((resolve) => server.close(resolve))
    }
  })

  it('at a huge file says so, and how to notice a change', async () => {
    const path = join(root, 'huge')
    writeFileSync(path, '')
    truncateSync(path, MAX_BLOB_BYTES + 1)
    const { mtimeMs } = await statOf(path)
    const why = 'it is larger than 50 MB'
    assert.deepEqual(await look(path), { state: { kind: 'unknown', why, size: MAX_BLOB_BYTES + 1, mtimeMs } })
  })

  it('that can not keep what it sees says why', async () => {
    const path = join(root, 'a')
    writeFileSync(path, 'too much')
    const { state, stat } = await captureFile(path, nodeFiles, createMemoryStore(1))
    assert.ok(state.kind === 'unknown')
    assert.match(state.why, /keeps at most 0 MB/)
    assert.equal(state.size, 8)
    assert.equal(stat, undefined)
  })

  it('never rejects', async () => {
    const files = {
      ...nodeFiles,
      lstat: async () => {
        throw new Error('EACCES: permission denied')
      },
    }
    const why = 'EACCES: permission denied'
    assert.deepEqual(await captureFile('/a', files, store), { state: { kind: 'unknown', why } })
  })

  it('at what became something else meanwhile says so', async () => {
    const path = join(root, 'a')
    writeFileSync(path, 'x')
    const stat = await statOf(path)
    const files = { ...nodeFiles, open: async () => ({ stat, file: undefined }) }
    assert.deepEqual(await captureFile(path, files, store), { state: unknownState('it was replaced meanwhile', stat) })
  })
})

describe('the way to a path', () => {
  it('is free of links, also where nothing is yet', async () => {
    mkdirSync(join(root, 'real', 'deep'), { recursive: true })
    symlinkSync(join(root, 'real'), join(root, 'link'))
    symlinkSync(join(root, 'nowhere'), join(root, 'dangling'))
    const reached = async (...names: string[]) => isReachedWithoutLinks(join(root, ...names), nodeFiles)
    assert.equal(await reached('real', 'deep', 'a'), true)
    assert.equal(await reached('real', 'new', 'newer', 'a'), true)
    assert.equal(await reached('link'), true, 'the last name itself is not on the way')
    assert.equal(await reached('link', 'a'), false)
    assert.equal(await reached('link', 'deep', 'a'), false)
    assert.equal(await reached('link', 'new', 'a'), false)
    assert.equal(await reached('dangling', 'a'), false)
    assert.equal(await isReachedWithoutLinks('/', nodeFiles), true)
  })
})

describe('two looks', () => {
  it('show the same file while nothing of it changes', async () => {
    const path = join(root, 'a')
    writeFileSync(path, 'x')
    const stat = await statOf(path)
    assert.equal(isSameFile(stat, await statOf(path)), true)
    const changes = { kind: 'directory', dev: -1, ino: -1, size: 2, mtimeMs: 0, mode: 0o1 } as const
    for (const [key, value] of Object.entries(changes))
      assert.equal(isSameFile(stat, { ...stat, [key]: value }), false, key)
    assert.equal(isSameFile(stat, { ...stat, links: 7 }), true)
  })
})
