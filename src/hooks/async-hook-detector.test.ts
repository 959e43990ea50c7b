import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../test/fast-check.js'
import { createAsyncHookDetector } from './async-hook-detector.js'

const bytes = (text: string) => new TextEncoder().encode(text)

/** What each chunk was answered with: undefined, or the ms and the rest as text. */
function feed(...chunks: string[]) {
  const line = createAsyncHookDetector()
  return chunks.map((chunk) => {
    const said = line(bytes(chunk))
    return said && { ms: said.ms, rest: new TextDecoder().decode(said.rest) }
  })
}

const YES = { ms: undefined, rest: '' }

describe('the first line of a hook', () => {
  const rows: [what: string, chunks: string[], answers: ReturnType<typeof feed>][] = [
    ['the line alone', ['{"async": true}\n'], [YES]],
    ['without an end of line', ['{"async": true}'], [YES]],
    ['with an end of line of Windows', ['{"async": true}\r\n'], [YES]],
    ['with blanks around', ['  {"async":true}  \n'], [YES]],
    ['what comes behind it is the answer', ['{"async": true}\n{"decision"'], [{ ms: undefined, rest: '{"decision"' }]],
    ['in two pieces', ['{"asy', 'nc": true}\nmore'], [undefined, { ms: undefined, rest: 'more' }]],
    ['byte by byte', [...'{"async":true}'], [...Array(13).fill(undefined), YES]],
    ['it is said once', ['{"async":true}\n', '{"async":true}\n'], [YES, undefined]],
    ['with the time it wants', ['{"async":true,"asyncTimeout":1500}\n'], [{ ms: 1500, rest: '' }]],
    ['a time that is none', ['{"async":true,"asyncTimeout":"1500"}\n'], [YES]],
    ['no time at all', ['{"async":true,"asyncTimeout":0}\n'], [YES]],
    ['less than no time', ['{"async":true,"asyncTimeout":-5}\n'], [YES]],
    ['other fields beside it', ['{"async":true,"systemMessage":"on it"}\n'], [YES]],
    ['false', ['{"async":false}\n', '{"async":true}\n'], [undefined, undefined]],
    ['not quite true', ['{"async":"true"}\n{"async":true}\n'], [undefined]],
    ['a number', ['{"async":1}\n'], [undefined]],
    ['null', ['null\n{"async":true}'], [undefined]],
    ['a list that has it', ['[{"async":true}]\n'], [undefined]],
    ['text', ['working on it\n', '{"async":true}\n'], [undefined, undefined]],
    ['an empty first line', ['\n{"async":true}\n', '{"async":true}\n'], [undefined, undefined]],
    ['the object goes over two lines', ['{"async":\n', 'true}\n'], [undefined, undefined]],
    ['nothing yet', ['', '{"async":true}'], [undefined, YES]],
  ]
  for (const [what, chunks, answers] of rows) test(what, () => assert.deepEqual(feed(...chunks), answers))

  const objections = [
    '{"async":true,"decision":"block"}',
    '{"async":true,"continue":false}',
    '{"async":true,"hookSpecificOutput":{"permissionDecision":"deny"}}',
    '{"async":true,"hookSpecificOutput":{"permissionDecision":"ask"}}',
    '{"async":true,"hookSpecificOutput":{"decision":{"behavior":"deny"}}}',
  ]
  for (const said of objections) {
    test(`one that objects is not let go: ${said}`, () => assert.deepEqual(feed(`${said}\n`), [undefined]))
  }

  test('a line of 1000 characters says something else, even if it would say it in the end', () => {
    const padded = (length: number) => '{"async":true}'.padEnd(length)
    assert.deepEqual(feed(`${padded(999)}\n`), [YES])
    assert.deepEqual(feed(`${padded(1000)}\n`), [undefined])
    assert.deepEqual(feed(' '.repeat(600), ' '.repeat(600), '{"async":true}\n'), [undefined, undefined, undefined])
  })

  test('the rest is bytes, which may be no text', () => {
    const line = createAsyncHookDetector()
    const said = line(new Uint8Array([...bytes('{"async":true}\n'), 0xff, 0, 10, 0xfe]))
    assert.deepEqual([...(said?.rest ?? [])], [0xff, 0, 10, 0xfe])
  })

  test('however it is cut into pieces, it is said once and nothing behind it is lost', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 60 }), { maxLength: 6 }), fc.string(), (cuts, behind) => {
        const whole = bytes(`{"async":true,"asyncTimeout":7}\n${behind}`)
        const places = [0, ...[...new Set(cuts)].sort((a, b) => a - b).filter((n) => n < whole.length), whole.length]
        const line = createAsyncHookDetector()
        let answers = 0
        let after = ''
        const decoder = new TextDecoder()
        for (let n = 1; n < places.length; n += 1) {
          const chunk = whole.subarray(places[n - 1], places[n])
          const said = line(chunk)
          if (said) {
            answers += 1
            assert.equal(said.ms, 7)
            after += decoder.decode(said.rest, { stream: true })
          } else if (answers > 0) after += decoder.decode(chunk, { stream: true })
        }
        assert.equal(answers, 1)
        // When the line was complete before its end came, that end is the first of what is behind it.
        assert.ok(after === behind || after === `\n${behind}`)
      }),
    )
  })
})
