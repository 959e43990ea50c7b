import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc, { anyCharacter } from '../../test/fast-check.js'
import { MalformedLine } from './channel.js'
import { createLineDecoder, encodeLine } from './ndjson.js'

const decode = (pieces: Uint8Array[], limit?: number) => {
  const decoder = createLineDecoder(limit)
  return [...pieces.flatMap((piece) => decoder.push(piece)), ...decoder.end()]
}
const bytes = (text: string) => new TextEncoder().encode(text)

test('any objects survive any split of their bytes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string({ unit: anyCharacter }), fc.jsonValue())),
      fc.array(fc.nat(50)),
      (objects, cuts) => {
        const expected = objects.map((object) => JSON.parse(JSON.stringify(object)))
        const all = bytes(objects.map(encodeLine).join(''))
        const pieces: Uint8Array[] = []
        let from = 0
        for (const cut of cuts) {
          pieces.push(all.subarray(from, from + cut))
          from += cut
        }
        pieces.push(all.subarray(from))
        assert.deepEqual(decode(pieces), expected)
      },
    ),
  )
})

test('U+2028 stays inside its line', () => {
  assert.deepEqual(decode([bytes('{"a":"x\u2028y"}\n')]), [{ a: 'x\u2028y' }])
  assert.equal(encodeLine({ a: '\u2028' }), '{"a":"\\u2028"}\n')
})

test('blank lines and lone CRs are nothing', () => {
  assert.deepEqual(decode([bytes('\n\r\n  \n{"a":\r1}\n')]), [{ a: 1 }])
})

test('a last line without newline counts when it is whole', () => {
  assert.deepEqual(decode([bytes('{"a":1}\n{"b":2}')]), [{ a: 1 }, { b: 2 }])
})

test('what is not an object is reported with its line number', () => {
  const found = decode([bytes('{"a":1}\nhello\n[1]\n{}{}\n"x"\n{"b":')])
  assert.deepEqual(
    found.map((line) => (line instanceof MalformedLine ? [line.lineNumber, line.atEnd, line.tooLong] : line)),
    [{ a: 1 }, [2, false, false], [3, false, false], [4, false, false], [5, false, false], [6, true, false]],
  )
})

test('a line over the limit is dropped, and only that line', () => {
  const found = decode([bytes('{"a":1}\n'), bytes('{"long":"'), bytes('x'.repeat(500)), bytes('"}\n{"b":2}\n')], 100)
  assert.equal(found.length, 3)
  const [first, dropped, last] = found
  assert.deepEqual([first, last], [{ a: 1 }, { b: 2 }])
  assert.ok(dropped instanceof MalformedLine && dropped.tooLong && dropped.lineNumber === 2)
})
