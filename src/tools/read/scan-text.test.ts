import assert from 'node:assert/strict'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import { hashContent } from '../../platform/files/content-hash.js'
import { nodeFiles, type OpenFile } from '../../platform/files/files.js'
import {
  decodeText,
  encodeText,
  type TextEncoding,
  withoutByteOrderMark,
  withPlainLineEnds,
} from '../files/text-encoding.js'
import { scanText } from './scan-text.js'

const RUNS = byTier({ quick: 125, all: 500, long: 20_000 })
const ALL = { startLine: 1, count: 1_000_000, maxBytes: 1_000_000_000 }
const never = new AbortController().signal

/** A file that is in memory; what is read of it is the same. */
function fileOf(bytes: Uint8Array): OpenFile {
  const stat = { kind: 'file' as const, size: 0, mtimeMs: 0, mode: 0o644, dev: 1, ino: 1, uid: 0, links: 1 }
  return {
    stat: { ...stat, size: bytes.length },
    async read(buffer, position) {
      const part = bytes.subarray(position, position + buffer.length)
      buffer.set(part)
      return part.length
    },
    close: async () => undefined,
  }
}

const scan = (bytes: Uint8Array, window = ALL) => scanText(fileOf(bytes), window, never)
const textOf = (found: Awaited<ReturnType<typeof scan>>) => found?.lines?.map(({ text }) => text).join('\n')

describe('scanText', () => {
  it('does not read on when it has the lines that are wanted and need not know the rest', async () => {
    const bytes = Buffer.from('an é and a line\n'.repeat(500_000))
    let read = 0
    const file = fileOf(bytes)
    const counted: OpenFile = {
      ...file,
      async read(buffer, position) {
        const length = await file.read(buffer, position)
        read += length
        return length
      },
    }
    const window = { startLine: 2, count: 2, maxBytes: 1000 }
    const found = await scanText(counted, window, never, false)
    assert.equal(textOf(found), 'an é and a line\nan é and a line')
    assert.ok(read <= 1024 * 1024, `${read} bytes`)
    read = 0
    assert.equal((await scanText(counted, window, never))?.totalLines, 500_001)
    assert.equal(read, bytes.length)
    const wide = Buffer.from(`\ufeff${'ñandú\n'.repeat(300_000)}`, 'utf16le')
    assert.equal(textOf(await scanText(fileOf(wide), window, never, false)), 'ñandú\nñandú')
  })

  it('sees what decoding the whole file sees, whatever the bytes are', async () => {
    const byte = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(10, 13, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0))
    const piece = fc.array(byte, { maxLength: 40 })
    const mark = fc.constantFrom([], [], [0xff, 0xfe], [0xfe, 0xff], [0xef, 0xbb, 0xbf])
    await fc.assert(
      fc.asyncProperty(mark, piece, async (start, rest) => {
        const bytes = Buffer.from([...start, ...rest])
        const decoded = decodeText(bytes)
        const expected = decoded && withPlainLineEnds(withoutByteOrderMark(decoded.text))
        const found = await scan(bytes)
        assert.equal(textOf(found), expected)
        if (!found || expected === undefined) return
        assert.deepEqual(
          { totalLines: found.totalLines, size: found.size, hash: found.hash },
          { totalLines: expected.split('\n').length, size: bytes.length, hash: await hashContent(bytes) },
        )
      }),
      { numRuns: RUNS * 4 },
    )
  })

  it('gives windows that together are the file', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'é', '→', '😀', '\r', ' '), maxLength: 8 })
    const encoding = fc.constantFrom<TextEncoding[]>('utf-8', 'utf-16le', 'utf-16be')
    const end = fc.constantFrom('\n', '\r\n')
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 12 }),
        end,
        encoding,
        fc.integer({ min: 1, max: 5 }),
        async (...all) => {
          const [lines, lineEnd, name, count] = all
          const text = lines.join(lineEnd)
          const bytes = encodeText(`\uFEFF${text}`, name)
          assert.ok(bytes)
          const shown: (string | undefined)[] = []
          let total = 1
          for (let startLine = 1; startLine <= total; startLine += count) {
            const found = await scan(bytes, { ...ALL, startLine, count })
            total = found?.totalLines ?? assert.fail()
            shown.push(textOf(found))
          }
          assert.equal(shown.join('\n'), withPlainLineEnds(text))
        },
      ),
      { numRuns: RUNS },
    )
  })

  it('keeps nothing of what is too much, but counts it', async () => {
    const bytes = Buffer.from('some line\n'.repeat(1000))
    const found = await scan(bytes, { ...ALL, maxBytes: 5000 })
    assert.deepEqual([found?.lines, found?.totalLines, found?.size], [undefined, 1001, 10_000])
    assert.equal((await scan(Buffer.alloc(100_000, '\n'), { ...ALL, maxBytes: 5000 }))?.lines, undefined)
    assert.equal((await scan(bytes, { ...ALL, count: 100, maxBytes: 5000 }))?.lines?.length, 100)
  })

  it('cuts long lines once much was kept', async () => {
    const bytes = Buffer.from(`${'é'.repeat(200_000)}\nshort\n${'x'.repeat(100_000)}\n`)
    const found = await scan(bytes)
    const kept = found?.lines?.map(({ text, hidden }) => [text.length, hidden])
    assert.deepEqual(kept, [
      [131_072, 137_856],
      [5, 0],
      [8192, 91_808],
      [0, 0],
    ])
  })
})

describe('scanText of large files', () => {
  let folder = ''
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'kedge-scan-')))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const scanFile = async (content: Uint8Array, window: typeof ALL) => {
    const path = join(folder, 'large')
    await writeFile(path, content)
    const { file } = await nodeFiles.open(path)
    assert.ok(file)
    return scanText(file, window, never).finally(() => file.close())
  }

  it('is right where pieces meet, in every encoding', async () => {
    // Three bytes per character and an odd number per line: pieces end in the middle of both.
    const text = Array.from({ length: 60_000 }, (_, i) => `${i} ${'→'.repeat(13)}`).join('\r\n')
    for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'] as const) {
      const bytes = encodeText(`\uFEFF${text}`, encoding)
      assert.ok(bytes && bytes.length > 2 * 1024 * 1024)
      const found = await scanFile(bytes, { ...ALL, startLine: 20_001, count: 30_000 })
      const expected = text.split('\r\n').slice(20_000, 50_000).join('\n')
      assert.equal(textOf(found), expected)
      assert.deepEqual([found?.totalLines, found?.hash], [60_000, await hashContent(bytes)])
    }
  })

  it('learns late that a file is Latin-1, and then reads all of it so', async () => {
    const bytes = Buffer.concat([Buffer.from('Ã©\n'), Buffer.alloc(3_000_000, 'a\n'), Buffer.from([0xe9])])
    const found = await scanFile(bytes, { ...ALL, count: 1 })
    assert.equal(textOf(found), Buffer.from('Ã©').toString('latin1'))
  })
})
