import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc, { anyCharacter } from '../../../test/fast-check.js'
import { KeyDecoder } from './key-decoder.js'

const TABLE: [string, string[]][] = [
  ['abc', ['text:abc']],
  ['a\rb', ['text:a', 'enter', 'text:b']],
  ['\n', ['ctrl-j']],
  ['\t\u001b[Z', ['tab', 'shift-tab']],
  ['\u007f\b', ['backspace', 'backspace']],
  ['\u0001\u0000\u001f', ['ctrl-a', 'ctrl-space', 'ctrl-_']],
  ['\u001b[A\u001bOB\u001b[1;5C\u001b[1;3D', ['up', 'down', 'ctrl-right', 'alt-left']],
  ['\u001b[3~\u001b[5~\u001b[H\u001b[4~', ['delete', 'pageup', 'home', 'end']],
  // Newer terminals name keys by their codes.
  ['\u001b[13;2u\u001b[27u\u001b[99;5u\u001b[97u\u001b[65;2u', ['shift-enter', 'escape', 'ctrl-c', 'text:a', 'text:A']],
  ['\u001b[97;1:3u', []],
  ['\u001b[27;2;13~', ['shift-enter']],
  ['\u001bb\u001b\r\u001b\u007f', ['alt-b', 'alt-enter', 'alt-backspace']],
  ['\u001b\u001b[A', ['escape', 'up']],
  ['\u001b[I\u001b[O', ['focus', 'blur']],
  // What a terminal answers is nobody's key.
  ['\u001b]11;rgb:0000/0000/0000\u0007x', ['text:x']],
  ['\u001b[12;40Rx\u001b[?62cx', ['text:x', 'text:x']],
  ['\u001b[200~a\u001b[31mb\r\nc\u0003\u001b[201~d', ['paste:a[31mb\nc', 'text:d']],
  ['文👍e\u0301', ['text:文👍e\u0301']],
]

describe('keys of a terminal', () => {
  for (const [data, expected] of TABLE) {
    test(JSON.stringify(data), () => {
      assert.deepEqual(shown(new KeyDecoder().feed(data)), expected)
      // However it is cut, with nothing between: the same keys.
      const decoder = new KeyDecoder()
      const keys = [...data].flatMap((one) => decoder.feed(one))
      assert.deepEqual(joined(shown(keys)), joined(expected))
    })
  }

  test('an escape that nothing follows is the key; a sequence that is never finished is none', () => {
    const decoder = new KeyDecoder()
    assert.deepEqual(decoder.feed('\u001b'), [])
    assert.equal(decoder.isWaiting, true)
    assert.deepEqual(shown(decoder.flush()), ['escape'])
    assert.deepEqual(decoder.feed('\u001b[12'), [])
    assert.deepEqual(decoder.flush(), [])
    assert.deepEqual(shown(decoder.feed('a')), ['text:a'])
  })

  test('anything at all: it never throws, keeps little, and no control character is ever text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter, maxLength: 20 }), { maxLength: 20 }), (pieces) => {
        const decoder = new KeyDecoder()
        for (const { id, text } of pieces.flatMap((piece) => [...decoder.feed(piece), ...decoder.flush()])) {
          assert.ok(id.length < 40)
          assert.doesNotMatch(text, id === 'paste' ? /[\u0000-\u0008\u000b-\u001f]/ : /[\u0000-\u001f\u007f]/)
        }
      }),
    )
  })
})

function shown(keys: { id: string; text: string }[]): string[] {
  return keys.map(({ id, text }) => (text === '' ? id : `${id}:${text}`))
}

/** Text typed letter by letter is the same text. */
function joined(keys: string[]): string {
  return keys
    .map((key) => key.replace(/^text:/, ''))
    .join(' ')
    .replaceAll(' ', '')
}
