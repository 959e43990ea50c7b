import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import { decodeText, encodeText, type TextEncoding } from '../files/text-encoding.js'
import { replaceText } from './replace-text.js'

const replace = (text: string, oldString: string, newString: string, replaceAll = false) =>
  replaceText(text, { oldString, newString, replaceAll })

describe('replaceText', () => {
  it('replaces the only occurrence', () => {
    assert.deepEqual(replace('alpha\nbeta\n', 'beta', 'gamma'), {
      text: 'alpha\ngamma\n',
      before: 'alpha\nbeta\n',
      after: 'alpha\ngamma\n',
    })
  })

  it('takes $ and other signs as they are', () => {
    assert.equal(textOf(replace('a.b', '.', "$&$1$'")), "a$&$1$'b")
  })

  it('replaces all when asked', () => {
    assert.equal(textOf(replace('x-x-xx', 'x', 'yy', true)), 'yy-yy-yyyy')
  })

  it('writes CRLF where the file has CRLF, for either spelling in the input', () => {
    assert.deepEqual(replace('a\r\nb\r\nc\r\n', 'a\nb', 'a\nB\nb2'), {
      text: 'a\r\nB\r\nb2\r\nc\r\n',
      before: 'a\nb\nc\n',
      after: 'a\nB\nb2\nc\n',
    })
    assert.equal(textOf(replace('a\r\nb\r\n', 'a\r\nb', 'Z\r\nY')), 'Z\r\nY\r\n')
  })

  it('leaves mixed line ends alone outside the changed part', () => {
    assert.equal(textOf(replace('a\r\nb\nc\r\nd\r\n', 'a\nb\nc', 'a\nB\nc')), 'a\r\nB\nc\r\nd\r\n')
    assert.equal(textOf(replace('a\nb\r\nc\n', 'b\nc', 'b')), 'a\nb\n')
  })

  it('does not take a lone carriage return for a line end', () => {
    assert.equal(textOf(replace('a\rb\rc', 'b', 'x')), 'a\rx\rc')
  })

  const refusals: [string, string, string, string, string][] = [
    ['same', 'x', 'x', 'x', 'No changes to make: old_string and new_string are exactly the same.'],
    [
      'same but for line ends',
      'a\r\nb',
      'a\nb',
      'a\r\nb',
      'No changes to make: old_string and new_string are exactly the same.',
    ],
    ['missing', 'x\n', 'zz', 'y', 'String to replace not found in file.\nString: zz'],
    [
      'ambiguous',
      'x x x',
      'x',
      'y',
      'Found 3 matches of the string to replace, but replace_all is false. Set it to true to change them all, or add surrounding lines to old_string so that it matches only one place.\nString: x\nFound at line 1.',
    ],
    [
      'empty',
      'x',
      '',
      'y',
      'old_string is empty, but the file already has content. Name the text to replace, or use Write for a whole new content.',
    ],
  ]
  for (const [name, text, oldString, newString, reason] of refusals) {
    it(`refuses: ${name}`, () => assert.equal(replace(text, oldString, newString), reason))
  }

  it('fills an empty file, behind its mark', () => {
    assert.deepEqual(replace('', '', 'new'), { text: 'new', before: '', after: 'new' })
    assert.deepEqual(replace('\uFEFF', '', 'new'), { text: '\uFEFFnew', before: '\uFEFF', after: '\uFEFFnew' })
  })

  it('there and back gives the same bytes, in every encoding and with every line end', () => {
    fc.assert(
      fc.property(document(), ({ bytes, encoding, oldString, newString, at }) => {
        const there = applyTo(bytes, oldString, newString)
        assert.notDeepEqual(there, bytes)
        assert.deepEqual(applyTo(there, newString, oldString), bytes, `${encoding} ${at}`)
      }),
      { numRuns: byTier({ quick: 500, all: 2000 }) },
    )
  })

  it('there and back gives the same text when all occurrences are replaced, whatever the line ends', () => {
    const piece = fc.array(fc.constantFrom('a', '\n', '\r\n', '\r', 'é'), { maxLength: 6 }).map((p) => p.join(''))
    const word = fc.string({ unit: fc.constantFrom('x', 'yz', '$&', ' ', '→'), maxLength: 4 })
    fc.assert(
      fc.property(fc.array(piece, { minLength: 2, maxLength: 8 }), word, word, (pieces, from, to) => {
        const text = pieces.join(`<${from}>`)
        const there = textOf(replace(text, `<${from}>`, `{${to}}`, true))
        assert.equal(there, pieces.join(`{${to}}`))
        assert.equal(textOf(replace(there, `{${to}}`, `<${from}>`, true)), text)
      }),
      { numRuns: byTier({ quick: 250, all: 1000, long: 50_000 }) },
    )
  })

  it('never touches a character outside the match', () => {
    const piece = fc.array(fc.constantFrom('a', 'b', '\n', '\r\n', '\r', 'é'), { maxLength: 12 }).map((p) => p.join(''))
    fc.assert(
      fc.property(piece, piece, piece, (head, tail, inserted) => {
        const text = textOf(replace(`${head}[OLD]${tail}`, '[OLD]', `[${inserted}]`))
        assert.ok(text.startsWith(`${head}[`) && text.endsWith(`]${tail}`), JSON.stringify(text))
      }),
      { numRuns: byTier({ quick: 500, all: 2000 }) },
    )
  })
})

function textOf(change: ReturnType<typeof replaceText>): string {
  if (typeof change === 'string') return assert.fail(change)
  return change.text
}

function applyTo(bytes: Uint8Array, oldString: string, newString: string): Uint8Array {
  const decoded = decodeText(bytes)
  assert.ok(decoded)
  const encoded = encodeText(textOf(replace(decoded.text, oldString, newString)), decoded.encoding)
  assert.ok(encoded)
  return Uint8Array.from(encoded)
}

/** A file with exactly one place that holds `oldString`, and none that holds `newString`. */
function document() {
  const word = fc.string({ maxLength: 8, unit: fc.constantFrom('a', 'Z', ' ', '\t', 'é', 'ß', '$', '0') })
  const lines = fc.array(word, { minLength: 0, maxLength: 6 })
  const encodings = fc.constantFrom<[TextEncoding, boolean][]>(
    ['utf-8', false],
    ['utf-8', true],
    ['utf-16le', true],
    ['utf-16be', true],
    ['latin1', false],
  )
  return fc
    .record({ head: lines, tail: lines, from: lines, to: lines, end: fc.constantFrom('\n', '\r\n'), encodings })
    .map(({ head, tail, from, to, end, encodings: [encoding, mark] }) => {
      const oldString = `<${from.join('\n')}>`
      const newString = `{${to.join('\n')}}`
      // A line before it, since a file without any line end can't tell which kind it once had.
      const text = ['', ...head, oldString, ...tail].join('\n').replaceAll('\n', end)
      // The "ÿ" keeps a Latin-1 file from being valid UTF-8.
      const whole = (mark ? '\uFEFF' : '') + (encoding === 'latin1' ? `ÿ${text}` : text)
      const encoded = encodeText(whole, encoding)
      assert.ok(encoded)
      return { bytes: Uint8Array.from(encoded), encoding, oldString, newString, at: JSON.stringify(text) }
    })
}
