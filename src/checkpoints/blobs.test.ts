import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import fc from '../../test/fast-check.js'
import { nodeFiles } from '../platform/files/files.js'
import { createDiskStore, createMemoryStore } from './blobs.js'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (content: Uint8Array) => new TextDecoder().decode(content)
const nameOf = (content: string) => createHash('sha256').update(content).digest('hex')
const MISSING = { message: 'its kept copy is missing' }
const DAMAGED = { message: 'its kept copy is damaged' }

describe('copies on disk', () => {
  let root = ''
  let folder = ''
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'kedge-blobs-'))
    folder = join(root, 'session', 'copies')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it('are kept under the hash of their content, for nobody else to read', async () => {
    const store = createDiskStore(nodeFiles, folder)
    const name = await store.keep(bytes('hello'))
    assert.equal(name, nameOf('hello'))
    assert.equal(readFileSync(join(folder, name), 'utf8'), 'hello')
    assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600)
    assert.equal(statSync(folder).mode & 0o777, 0o700)
    assert.equal(text(await store.read(name)), 'hello')
  })

  it('of the same content are kept once', async () => {
    const store = createDiskStore(nodeFiles, folder)
    const name = await store.keep(bytes('hello'))
    const old = new Date(1000)
    utimesSync(join(folder, name), old, old)
    assert.equal(await store.keep(bytes('hello')), name)
    assert.equal(statSync(join(folder, name)).mtimeMs, 1000, 'not written again')
    assert.notEqual(await store.keep(bytes('other')), name)
    assert.equal(readdirSync(folder).length, 2)
  })

  it('kept by two at once are whole', async () => {
    const [a, b] = [createDiskStore(nodeFiles, folder), createDiskStore(nodeFiles, folder)]
    const names = await Promise.all([a.keep(bytes('x')), b.keep(bytes('x')), a.keep(bytes('x')), b.keep(bytes('x'))])
    assert.deepEqual(new Set(names), new Set([nameOf('x')]))
    assert.deepEqual(readdirSync(folder), [nameOf('x')])
    assert.equal(text(await a.read(nameOf('x'))), 'x')
  })

  it('that were cut off are mended by keeping them again', async () => {
    const store = createDiskStore(nodeFiles, folder)
    const name = await store.keep(bytes('hello'))
    writeFileSync(join(folder, name), 'hel')
    await assert.rejects(store.read(name), DAMAGED)
    await store.keep(bytes('hello'))
    assert.equal(text(await store.read(name)), 'hello')
  })

  it('that were changed are never given out', async () => {
    const store = createDiskStore(nodeFiles, folder)
    const name = await store.keep(bytes('hello'))
    writeFileSync(join(folder, name), 'jello')
    await assert.rejects(store.read(name), DAMAGED)
  })

  it('of sessions before are found, also behind a damaged one', async () => {
    const earlier = join(root, 'earlier')
    const name = await createDiskStore(nodeFiles, earlier).keep(bytes('hello'))
    const store = createDiskStore(nodeFiles, folder, [join(root, 'nowhere'), earlier])
    assert.equal(text(await store.read(name)), 'hello')
    await createDiskStore(nodeFiles, folder).keep(bytes('hello'))
    writeFileSync(join(folder, name), 'jello')
    assert.equal(text(await store.read(name)), 'hello')
    writeFileSync(join(earlier, name), 'cello')
    await assert.rejects(store.read(name), DAMAGED)
  })

  it('that nobody kept are missing', async () => {
    await assert.rejects(createDiskStore(nodeFiles, folder).read(nameOf('never')), MISSING)
  })

  it('of the original are read by its names', async () => {
    const store = createDiskStore(nodeFiles, root)
    writeFileSync(join(root, '0123abc_-Z@v12'), 'theirs')
    assert.equal(text(await store.read('0123abc_-Z@v12')), 'theirs')
    await assert.rejects(store.read('0123abc@v13'), MISSING)
  })

  it('are never looked for outside of their folder', async () => {
    const store = createDiskStore(nodeFiles, join(root, 'copies'))
    writeFileSync(join(root, 'secret'), 'secret')
    const names = [
      ...['../secret', 'secret', '', '.', '..', '/etc/passwd', 'a/b@v1', '..@v1', 'a@v', 'a@v1/../../secret'],
      ...[nameOf('x').toUpperCase(), `${nameOf('x')}0`, nameOf('x').slice(1), `${nameOf('x')}\n`, 'a@v1\n'],
    ]
    for (const name of names)
      await assert.rejects(store.read(name), { message: 'the name of its kept copy is not one of ours' }, name)
  })

  it('behind a link that is no file are missing', async () => {
    const store = createDiskStore(nodeFiles, root)
    symlinkSync('/dev/null', join(root, 'a@v1'))
    await assert.rejects(store.read('a@v1'), MISSING)
  })

  it('come back as they were, whatever they hold', async () => {
    const store = createDiskStore(nodeFiles, folder)
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (content) => {
        const back = await store.read(await store.keep(content))
        assert.deepEqual([...back], [...content])
      }),
      { numRuns: 30 },
    )
  })
})

describe('copies in memory', () => {
  it('come back, and do not change with what they were made of', async () => {
    const store = createMemoryStore(100)
    const content = bytes('hello')
    const name = await store.keep(content)
    content[0] = 0
    assert.equal(name, nameOf('hello'))
    assert.equal(text(await store.read(name)), 'hello')
  })

  it('are refused when they become too many, and the others stay', async () => {
    const store = createMemoryStore(2 * 1024 * 1024)
    const half = await store.keep(new Uint8Array(1024 * 1024))
    const rest = await store.keep(new Uint8Array(1024 * 1024).fill(1))
    await assert.rejects(store.keep(bytes('x')), {
      message: 'a session that is not saved keeps at most 2 MB of copies',
    })
    assert.equal((await store.read(half)).length, 1024 * 1024)
    // The same again takes no room.
    assert.equal(await store.keep(new Uint8Array(1024 * 1024).fill(1)), rest)
    await assert.rejects(store.read(nameOf('x')), MISSING)
  })

  it('that were too large take no room', async () => {
    const store = createMemoryStore(4)
    await assert.rejects(store.keep(bytes('hello')))
    assert.equal(text(await store.read(await store.keep(bytes('hell')))), 'hell')
  })

  it('of before are asked for when there is none here', async () => {
    const earlier = createMemoryStore(100)
    const name = await earlier.keep(bytes('old'))
    const store = createMemoryStore(100, earlier)
    assert.equal(text(await store.read(name)), 'old')
    await assert.rejects(store.read(nameOf('never')), MISSING)
  })
})
