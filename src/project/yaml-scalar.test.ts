import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../test/fast-check.js'
import { MAX_NESTING, parsePlainScalar, readBrackets, readQuoted, withoutComment, YamlError } from './yaml-scalar.js'

describe('a plain word', () => {
  const rows: [text: string, value: unknown][] = [
    ['', null],
    ['~', null],
    ['null', null],
    ['Null', 'Null'],
    ['true', true],
    ['True', true],
    ['TRUE', true],
    ['tRUE', 'tRUE'],
    ['false', false],
    ['FALSE', false],
    // YAML 1.1 takes these as switches; people mean words.
    ['yes', 'yes'],
    ['no', 'no'],
    ['on', 'on'],
    ['off', 'off'],
    ['0', 0],
    ['12', 12],
    ['-3', -3],
    ['+3', 3],
    ['007', '007'],
    ['1_000', '1_000'],
    ['0x10', '0x10'],
    ['1.5', 1.5],
    ['-.5', -0.5],
    ['1.', '1.'],
    ['1.5e3', 1500],
    ['1.5E-2', 0.015],
    ['1e3', '1e3'],
    ['1.5e400', '1.5e400'],
    ['999999999999999', 999_999_999_999_999],
    // More digits than a number can hold stay what they are.
    ['1234567890123456', '1234567890123456'],
    ['12345678901234567890.5', '12345678901234567890.5'],
    ['2026-11-16', '2026-11-16'],
    ['1.2.3', '1.2.3'],
    ['NaN', 'NaN'],
    ['.inf', '.inf'],
  ]
  for (const [text, value] of rows) {
    it(text || 'nothing', () => assert.equal(parsePlainScalar(text), value))
  }

  it('is a number only when it can be written back', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (n) => {
        const value = parsePlainScalar(String(n))
        assert.ok(value === n || value === String(n) || Object.is(n, -0))
      }),
    )
  })
})

describe('a comment at the end', () => {
  const rows: [text: string, kept: string][] = [
    ['text', 'text'],
    ['  text  ', 'text'],
    ['text # note', 'text'],
    ['text   # note # more', 'text'],
    ['# only a note', ''],
    ['C# and F#', 'C# and F#'],
    ['issue #12', 'issue'],
    ['a#b', 'a#b'],
    // No YAML, but what people write: all of it counts.
    ['Use it when: the user says #hash # really', 'Use it when: the user says #hash # really'],
    ['http://x/#y', 'http://x/#y'],
  ]
  for (const [text, kept] of rows) it(text, () => assert.equal(withoutComment(text), kept))
})

describe('quotes', () => {
  const value = (text: string, start = 0) => readQuoted(text, start, 7)?.value

  it('end where they end', () => {
    assert.deepEqual(readQuoted('"a" b', 0, 1), { value: 'a', end: 3 })
    assert.deepEqual(readQuoted("x: 'it''s' y", 3, 1), { value: "it's", end: 10 })
    assert.deepEqual(readQuoted('""', 0, 1), { value: '', end: 2 })
    assert.deepEqual(readQuoted("''''", 0, 1), { value: "'", end: 4 })
  })

  it('may not end', () => {
    for (const text of ['"', "'", '"abc', "'abc", "'abc''", '"abc\\"']) assert.equal(value(text), undefined, text)
  })

  it('the other kind of quote is a character', () => {
    assert.equal(value(`"it's"`), "it's")
    assert.equal(value(`'say "x"'`), 'say "x"')
  })

  it('single ones escape nothing', () => assert.equal(value("'a\\nb'"), 'a\\nb'))

  const escapes: [written: string, means: string][] = [
    ['\\n', '\n'],
    ['\\t', '\t'],
    ['\\r', '\r'],
    ['\\0', '\0'],
    ['\\e', '\x1b'],
    ['\\a', '\x07'],
    ['\\_', '\xa0'],
    ['\\N', '\x85'],
    ['\\"', '"'],
    ['\\\\', '\\'],
    ['\\/', '/'],
    ['\\ ', ' '],
    ['\\x41', 'A'],
    ['\\u20ac', '€'],
    ['\\U0001F600', '😀'],
  ]
  for (const [written, means] of escapes) {
    it(`${written} in double ones`, () => assert.equal(value(`"a${written}b"`), `a${means}b`))
  }

  const wrong = ['\\q', '\\x4', '\\xzz', '\\u12', '\\ud800', '\\uDFFF', '\\U00110000', '\\U0000D800', '\\constructor']
  for (const written of wrong) {
    it(`${written} means nothing, and the line is named`, () => {
      assert.throws(
        () => value(`"a${written}"`),
        (error) => error instanceof YamlError && error.line === 7 && error.message.includes(written.slice(0, 2)),
      )
    })
  }

  it('whatever is put in single quotes comes out again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, behind) => {
        const quoted = `'${text.replaceAll("'", "''")}'`
        const rest = behind.replace(/^'+/, '')
        assert.deepEqual(readQuoted(quoted + rest, 0, 1), { value: text, end: quoted.length })
      }),
    )
  })

  it('JSON in double quotes means the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const written = JSON.stringify(text)
        assert.deepEqual(readQuoted(written, 0, 1), { value: text, end: written.length })
      }),
    )
  })
})

describe('brackets', () => {
  const read = (text: string) => readBrackets(text, 3)
  const rows: [text: string, value: unknown][] = [
    ['[]', []],
    ['{}', {}],
    ['[a]', ['a']],
    ['[a, b c, 3]', ['a', 'b c', 3]],
    ['[a,b,]', ['a', 'b']],
    ['[ "a, b" , \'c]\' ]', ['a, b', 'c]']],
    ['[true, null, ~, 1.5]', [true, null, null, 1.5]],
    ['[[a], [b, [c]]]', [['a'], ['b', ['c']]]],
    ['{a: 1, b: [x], "c d": {e: f}}', { a: 1, b: ['x'], 'c d': { e: 'f' } }],
    ['{a: 1,}', { a: 1 }],
    ['{a:"1"}', { a: '1' }],
    ['{"a":1}', { a: 1 }],
    ["{'it''s': x}", { "it's": 'x' }],
    ['[a] # note', ['a']],
    ['[Bash(git add:*), Read]', ['Bash(git add:*)', 'Read']],
    ['{mcp/x.y-z: 1, $a: 2}', { 'mcp/x.y-z': 1, $a: 2 }],
  ]
  for (const [text, value] of rows) it(text, () => assert.deepEqual(read(text), value))

  const none = [
    '[',
    '[a',
    '[a b',
    '{a',
    '{a: ',
    '{a: b',
    '[a] b',
    '[a]]',
    '{a:b}',
    '[,]',
    '[a,,b]',
    '{a: b c: d',
    '{: x}',
  ]
  for (const text of none) it(`${text} is no list and no map`, () => assert.equal(read(text), undefined))

  it('a key that objects have anyway is one like others', () => {
    const value = read('{__proto__: x, constructor: y}')
    assert.deepEqual(Object.entries(value as object), [
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ])
    assert.equal(Object.getPrototypeOf(value), Object.prototype)
  })

  it('are nested so deep and no deeper', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    assert.doesNotThrow(() => read(nested(MAX_NESTING + 1)))
    assert.throws(() => read(nested(MAX_NESTING + 2)), /nested too deeply/)
    assert.throws(() => read('{a: '.repeat(100_000)), /nested too deeply/)
  })

  const leaf = fc.oneof(fc.integer({ min: -1e9, max: 1e9 }), fc.boolean(), fc.constant(null), fc.string())
  const tree = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('node')), fc.dictionary(fc.string(), tie('node'))),
  })).node

  it('JSON is read as what it says', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(tree), fc.dictionary(fc.string(), tree)), (value) => {
        const said = JSON.parse(JSON.stringify(value))
        assert.deepEqual(read(JSON.stringify(value)), said)
        assert.deepEqual(read(JSON.stringify(value, null, 1)), said)
      }),
    )
  })

  it('nothing else is thrown, whatever stands there', () => {
    const noise = fc.array(fc.constantFrom(...'[]{},:"\'\\ab1# \n'), { maxLength: 40 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(noise, (text) => {
        try {
          read(text)
        } catch (error) {
          assert.ok(error instanceof YamlError, String(error))
        }
      }),
    )
  })
})
