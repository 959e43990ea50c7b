import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.js'
import type { OpenFile } from '../platform/files/files.js'
import { MAX_TRANSCRIPT_LINE_BYTES, salvageRecords, visitFileLines } from './file-lines.js'

/** A file in memory that is read in pieces of its own choice. */
function fileOf(bytes: Uint8Array, piece = Number.POSITIVE_INFINITY): OpenFile {
  const stat = { kind: 'file' as const, size: bytes.length, mtimeMs: 0, mode: 0, dev: 0, ino: 0, uid: 0, links: 1 }
  return {
    stat,
    async read(buffer, position) {
      const part = bytes.subarray(position, position + Math.min(buffer.length, piece))
      buffer.set(part)
      return part.length
    },
    close: async () => {},
  }
}

async function linesOf(bytes: Uint8Array, piece?: number) {
  const lines: { number: number; start: number; end: number; text: string | undefined; isEnded: boolean }[] = []
  await visitFileLines(fileOf(bytes, piece), bytes.length, ({ bytes: content, ...line }) => {
    lines.push({ ...line, text: content && new TextDecoder().decode(content) })
  })
  return lines
}

const encode = (text: string) => new TextEncoder().encode(text)

test('lines come with their numbers and places; the last may lack its newline', async () => {
  assert.deepEqual(await linesOf(encode('ab\n\ncdé\nx')), [
    { number: 1, start: 0, end: 2, isEnded: true, text: 'ab' },
    { number: 3, start: 4, end: 8, isEnded: true, text: 'cdé' },
    { number: 4, start: 9, end: 10, isEnded: false, text: 'x' },
  ])
  assert.deepEqual(await linesOf(encode('')), [])
  assert.deepEqual(await linesOf(encode('\n\n')), [])
})

test('however a file is cut into pieces, the lines are the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ maxLength: 12 }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 9 }),
      async (parts, piece) => {
        const text = parts.join('\n')
        const expected = text.split('\n').filter((line) => line !== '')
        const lines = await linesOf(encode(text), piece)
        assert.deepEqual(
          lines.map((line) => line.text),
          expected.map((line) => new TextDecoder().decode(encode(line))),
        )
        const all = encode(text)
        for (const { start, end, text: found } of lines)
          assert.equal(new TextDecoder().decode(all.subarray(start, end)), found)
      },
    ),
  )
})

test('a line beyond the limit is passed over; the one behind it is whole', async () => {
  const bytes = encode(`first\n${'x'.repeat(MAX_TRANSCRIPT_LINE_BYTES + 3_000_000)}\nlast\n`)
  const lines = await linesOf(bytes)
  assert.deepEqual(
    lines.map(({ number, text }) => [number, text?.slice(0, 20)]),
    [
      [1, 'first'],
      [2, undefined],
      [3, 'last'],
    ],
  )
})

test('whole records are found in a line that is none', () => {
  const record = (n: number, text = 'a "quoted" \\ {brace') =>
    JSON.stringify({ parentUuid: null, sessionId: 's', uuid: `u${n}`, type: 'user', message: { content: text } })
  const uuids = (text: string | Uint8Array) =>
    salvageRecords(typeof text === 'string' ? encode(text) : text).records.map((value) => Reflect.get(value, 'uuid'))
  const one = record(1)
  const two = record(2, 'zwei ü')
  assert.deepEqual(uuids(`${one}J${two}`), ['u1', 'u2'], 'the newline between them was damaged')
  assert.deepEqual(uuids(`${'\0'.repeat(100)}${two}`), ['u2'], 'zeros of a power cut')
  assert.deepEqual(salvageRecords(encode(`${one}${two.slice(0, 20)}`)).length, encode(one).length)
  for (let cut = 1; cut < one.length; cut += 1) {
    assert.deepEqual(uuids(`${one.slice(0, cut)}${two}`), ['u2'], `half a record of ${cut} characters in front`)
  }
})

test('what a record holds is not taken for a record', () => {
  const inner = { type: 'user', uuid: 'inner', sessionId: 's', message: { content: 'planted' } }
  const outer = JSON.stringify({ type: 'user', uuid: 'outer', sessionId: 's', toolUseResult: { found: [inner] } })
  assert.deepEqual(salvageRecords(encode(`z${outer.slice(1)}`)).records, [])
  assert.deepEqual(salvageRecords(encode('{"type":"text","text":"a block"}]}')).records, [])
})
