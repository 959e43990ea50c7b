import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../../test/fast-check.js'
import { type GitIndexFile, repositoriesInGitIndex as linked, namesInGitIndex as named } from './git-index.js'

const FILE = 0o100644
const LINK = 0o160000

/** As a file that is read in pieces. */
function opened(bytes: Uint8Array): GitIndexFile {
  return {
    stat: { size: bytes.length },
    async read(into, position) {
      const some = bytes.subarray(position, position + into.length)
      into.set(some)
      return some.length
    },
  }
}
const linkedRepositories = (bytes: Uint8Array) => linked(opened(bytes))
const namesInIndex = (bytes: Uint8Array) => named(opened(bytes))

type Entry = { path: string; mode: number; extended?: boolean }

/** As git writes it; `extensions` by their names, each with that many bytes. */
function index(entries: readonly Entry[], { version = 2, extensions = {} as Record<string, number> } = {}): Uint8Array {
  const header = Buffer.alloc(12)
  header.write('DIRC')
  header.writeUInt32BE(version, 4)
  header.writeUInt32BE(entries.length, 8)
  const parts = entries.map(({ path, mode, extended = false }) => {
    const name = Buffer.from(path)
    const fixed = extended ? 64 : 62
    // Every byte that is not looked at is what the kind of a link looks like.
    const entry = Buffer.alloc(Math.ceil((fixed + name.length + 1) / 8) * 8)
    for (let at = 0; at < 56; at += 4) entry.writeUInt32BE(LINK, at)
    entry.writeUInt32BE(mode, 24)
    entry.writeUInt16BE((extended ? 0x4000 : 0) | Math.min(name.length, 0xfff), 60)
    entry.set(name, fixed)
    return entry
  })
  const more = Object.entries(extensions).map(([name, size]) => {
    const extension = Buffer.alloc(8 + size, 0xe0)
    extension.write(name)
    extension.writeUInt32BE(size, 4)
    return extension
  })
  return new Uint8Array(Buffer.concat([header, ...parts, ...more, Buffer.alloc(20, 1)]))
}

test('links to repositories are found among files, and nothing else is', async () => {
  const entry = fc.record({
    path: fc.stringMatching(/^[a-zäß/]{1,40}$/),
    mode: fc.constantFrom(FILE, LINK, 0o120000, 0o100755, 0o040000),
    extended: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(entry), fc.subarray(['TREE', 'REUC', 'UNTR', 'FSMN', 'EOIE']), async (entries, names) => {
      const bytes = index(entries, {
        version: 3,
        extensions: Object.fromEntries(names.map((name, i) => [name, i * 7])),
      })
      const links = entries.filter(({ mode }) => mode === LINK).map(({ path }) => path)
      assert.deepEqual(await linkedRepositories(bytes), links)
      assert.deepEqual(
        await namesInIndex(bytes),
        entries.map(({ path }) => path),
      )
      // Also where the bytes are a part of others.
      const around = new Uint8Array(bytes.length + 8)
      around.set(bytes, 3)
      assert.deepEqual(await linkedRepositories(around.subarray(3, 3 + bytes.length)), links)
    }),
  )
})

test('what is not understood to its end says nothing', async () => {
  const good = index([{ path: 'a', mode: LINK }])
  assert.deepEqual(await linkedRepositories(good), ['a'])
  assert.equal(await linkedRepositories(new Uint8Array()), undefined)
  assert.equal(await linkedRepositories(new Uint8Array(40)), undefined)
  assert.equal(await linkedRepositories(index([], { version: 5 })), undefined)
  assert.equal(await linkedRepositories(index([], { version: 1 })), undefined)
  assert.equal(await linkedRepositories(index([], { extensions: { link: 4 } })), undefined)
  assert.deepEqual(await linkedRepositories(index([], { extensions: { sdir: 0 } })), [])
  assert.equal(await linkedRepositories(index([{ path: '', mode: FILE }])), undefined)
  const rest = new Uint8Array([...good.subarray(0, -20), 0x41, 0x42, 0x43, ...good.subarray(-20)])
  assert.equal(await linkedRepositories(rest), undefined)
  const longer = index([{ path: 'a', mode: FILE }])
  longer[11] = 2
  assert.equal(await linkedRepositories(longer), undefined)
})

test('git goes by the length of a name: one that is another than it seems says nothing', async () => {
  const lengthAt = 12 + 60
  for (const length of [0, 1, 40, 0xffe]) {
    const lying = index([
      { path: 'ab', mode: FILE },
      { path: 'c', mode: LINK },
    ])
    new DataView(lying.buffer).setUint16(lengthAt, length)
    assert.equal(await linkedRepositories(lying), undefined, `${length}`)
  }
  const hidden = index([
    { path: `${'a'.repeat(8)}${'b'.repeat(100)}`, mode: FILE },
    { path: 'c', mode: LINK },
  ])
  hidden[12 + 62 + 8] = 0
  assert.deepEqual(await linkedRepositories(hidden), ['c'])
  assert.equal(await namesInIndex(hidden), undefined)
  const cut = index([{ path: 'inner/x', mode: LINK }])
  cut[12 + 62 + 5] = 0
  assert.equal(await linkedRepositories(cut), undefined)
  const long = 'x'.repeat(0x1000)
  assert.deepEqual(
    await linkedRepositories(
      index([
        { path: long, mode: LINK },
        { path: 'y', mode: LINK },
      ]),
    ),
    [long, 'y'],
  )
})

test('no bytes are too odd for it', async () => {
  const bytes = index(
    [
      { path: 'a/b', mode: FILE },
      { path: 'c', mode: LINK },
    ],
    { extensions: { TREE: 9 } },
  )
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length), fc.nat(bytes.length - 1), fc.nat(255), async (length, at, value) => {
      const changed = bytes.slice()
      changed[at] = value
      for (const some of [changed, changed.subarray(0, length)]) {
        const found = await linkedRepositories(some)
        assert.ok(found === undefined || found.every((path) => typeof path === 'string'))
      }
    }),
  )
})

test('of names that are no text, or not all there, nothing is said', async () => {
  assert.deepEqual(await namesInIndex(index([{ path: 'a', mode: FILE }])), ['a'])
  assert.equal(await namesInIndex(index([{ path: 'a\uFFFD', mode: FILE }])), undefined)
  const sparse = index([{ path: 'a', mode: FILE }], { extensions: { sdir: 4 } })
  assert.deepEqual([await namesInIndex(sparse), await linkedRepositories(sparse)], [undefined, []])
  assert.equal(await namesInIndex(index([{ path: 'a', mode: FILE }], { extensions: { link: 4 } })), undefined)
})

test('an index of many pieces is read to its end, wherever they are cut', async () => {
  for (let shift = 0; shift < 80; shift += 7) {
    const entries = Array.from({ length: 1_500 }, (_, i) => ({
      path: `${'x'.repeat(i === 0 ? 1 + shift : (i * 7) % 90)}${i}`,
      mode: i % 100 === 99 ? LINK : FILE,
    }))
    const bytes = index(entries, { extensions: { TREE: 70_000 + shift, REUC: 3, EOIE: 40_000 } })
    const links = entries.filter(({ mode }) => mode === LINK).map(({ path }) => path)
    assert.equal(links.length, 15)
    assert.deepEqual(await linkedRepositories(bytes), links)
    assert.equal((await namesInIndex(bytes))?.length, entries.length)
    assert.equal(await linkedRepositories(index(entries, { extensions: { TREE: 70_000, link: 4 } })), undefined)
  }
})

test('a file that ends before it should says nothing', async () => {
  const bytes = index(Array.from({ length: 2_000 }, (_, i) => ({ path: `a${i}`, mode: FILE })))
  for (const length of [0, 11, 12, 40_000, bytes.length - 30])
    assert.equal(await linked({ ...opened(bytes.subarray(0, length)), stat: { size: bytes.length } }), undefined)
  assert.equal(await linked({ ...opened(bytes), stat: { size: 17 * 1024 * 1024 } }), undefined)
})
