import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import { compileRegex, longestRequiredText, someCharacterSetInPattern } from './regex-program.js'
import { createScanner } from './regex-scan.js'
import { parseRegex } from './regex-syntax.js'

const parse = (pattern: string, ignoreCase = false) => parseRegex(pattern, { ignoreCase, dotAll: false })

/** The first match, looked for so many characters at a time. */
function find(pattern: string, text: string, { piece = 1e9, at = 0, from = 0, to = text.length, anyEnd = false } = {}) {
  const scanner = createScanner(compileRegex(parse(pattern)))
  scanner.begin(text, from, to, at)
  for (;;) {
    const found = scanner.advance(piece, anyEnd)
    if (found === 'none') return undefined
    if (found) return [found.start, found.end]
  }
}

describe('a program', () => {
  const forks = (pattern: string) => compileRegex(parse(pattern)).steps.filter(({ kind }) => kind === 'fork').length
  const sets = (pattern: string) => compileRegex(parse(pattern)).steps.filter(({ kind }) => kind === 'set').length

  test('has a step for each character, and a fork for each choice', () => {
    assert.deepEqual([sets('abc'), forks('abc')], [3, 0])
    assert.deepEqual([sets('a|b|c'), forks('a|b|c')], [3, 2])
    assert.deepEqual([sets('a*'), forks('a*')], [1, 2])
    assert.deepEqual([sets('a+'), forks('a+')], [1, 1])
    assert.deepEqual([sets('a?'), forks('a?')], [1, 1])
  })

  test('repetitions are written out', () => {
    assert.deepEqual([sets('a{3}'), forks('a{3}')], [3, 0])
    assert.deepEqual([sets('a{2,5}'), forks('a{2,5}')], [5, 3])
    assert.deepEqual([sets('a{3,}'), forks('a{3,}')], [3, 1])
    assert.deepEqual([sets('(ab){2}'), forks('(ab){2}')], [4, 0])
  })

  test('nothing, however often, is nothing', () => {
    assert.ok(compileRegex(parse('(){1000}')).steps.length < 5)
    assert.ok(compileRegex(parse('(){1000,}')).steps.length < 10)
  })

  test('too many repetitions are refused', () => {
    assert.doesNotThrow(() => compileRegex(parse('a{1000}')))
    assert.throws(() => compileRegex(parse('((a{100}){100}){100}')), /so many repetitions/)
  })
})

describe('the text every match has in it', () => {
  const rows: [pattern: string, text: string][] = [
    ['abc', 'abc'],
    ['a', 'a'],
    ['', ''],
    ['abc|abd', ''],
    ['ab.cde', 'cde'],
    ['abcd*ef', 'abc'],
    ['ab+cd', 'cd'],
    ['(abc)de', 'abc'],
    ['x\\bfoo', 'foo'],
    ['[ab]cd', 'cd'],
    ['(a|b)', ''],
    ['a{3}', ''],
  ]
  for (const [pattern, text] of rows) {
    test(pattern || 'nothing', () => assert.equal(longestRequiredText(parse(pattern)), text))
  }

  test('is in every match', () => {
    const part = fc.constantFrom('a', 'bc', '.', 'd?', '(e|f)', 'g+', '[hi]', '(jk)')
    const text = fc.array(fc.constantFrom(...'abcdefghijkxyz'), { maxLength: 20 }).map((all) => all.join(''))
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), text, (parts, subject) => {
        const pattern = parts.join('')
        const match = new RegExp(pattern).exec(subject)
        if (match) assert.ok(match[0].includes(longestRequiredText(parse(pattern))))
      }),
    )
  })
})

describe('whether a pattern has such a character', () => {
  const newline = (pattern: string) => someCharacterSetInPattern(parse(pattern), ({ set }) => set.has(10))
  for (const [pattern, answer] of [
    ['abc', false],
    ['a\\nb', true],
    ['a|\\n', true],
    ['(a\\n)*', true],
    ['^$', false],
    ['.', false],
    ['[^a]', true],
    ['\\s', true],
  ] as const) {
    test(`${pattern} and an end of line`, () => assert.equal(newline(pattern), answer))
  }
})

describe('looking for it', () => {
  const rows: [pattern: string, text: string, span: number[] | undefined][] = [
    ['b', 'abc', [1, 2]],
    ['x', 'abc', undefined],
    ['', 'abc', [0, 0]],
    ['', '', [0, 0]],
    ['a*', 'baa', [0, 0]],
    ['a+', 'baa', [1, 3]],
    ['a+?', 'baa', [1, 2]],
    ['a|ab', 'ab', [0, 1]],
    ['ab|a', 'ab', [0, 2]],
    ['(a|ab)(c|bcd)', 'abcd', [0, 4]],
    ['^b', 'a\nb', [2, 3]],
    ['a$', 'a\nb', [0, 1]],
    ['\\Ab', 'a\nb', undefined],
    ['b\\z', 'a\nb', [2, 3]],
    ['\\bfoo\\b', 'afoo foo', [5, 8]],
    ['\\Boo', 'oo foo', [4, 6]],
    ['\\<o', 'foo o', [4, 5]],
    ['o\\>', 'foo', [2, 3]],
    ['.', '😀', [0, 2]],
    ['😀+', 'x😀😀', [1, 5]],
    ['\\w+', '😀 é漢', [3, 5]],
    ['(a*)*b', 'aaac', undefined],
    ['(a|a)*$', 'aaa', [0, 3]],
    ['a{2,3}', 'aaaa', [0, 3]],
    ['a{2,3}?', 'aaaa', [0, 2]],
  ]
  for (const [pattern, text, span] of rows) {
    test(`${pattern || 'nothing'} in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(find(pattern, text), span)
      assert.deepEqual(find(pattern, text, { piece: 1 }), span, 'one character at a time')
      assert.equal(find(pattern, text, { anyEnd: true }) !== undefined, span !== undefined)
    })
  }

  test('from a place on, and only in a part that has nothing around it', () => {
    assert.deepEqual(find('a', 'abab', { at: 1 }), [2, 3])
    assert.deepEqual(find('^b', 'abab', { from: 1, to: 3, at: 1 }), [1, 2])
    assert.deepEqual(find('a$', 'abab', { from: 0, to: 3, at: 0 }), [2, 3])
    assert.equal(find('b', 'abab', { from: 2, to: 3, at: 2 }), undefined)
    assert.deepEqual(find('\\bb', 'abab', { from: 1, to: 4, at: 1 }), [1, 2])
    assert.equal(find('\\bb', 'abab', { from: 0, to: 4, at: 1 }), undefined)
  })

  test('a scanner can be used again', () => {
    const scanner = createScanner(compileRegex(parse('a+b')))
    for (const [text, answer] of [
      ['aaab', { start: 0, end: 4 }],
      ['aaaa', 'none'],
      ['xab', { start: 1, end: 3 }],
    ] as const) {
      scanner.begin(text, 0, text.length, 0)
      assert.deepEqual(scanner.advance(1000, false), answer)
    }
  })

  test('does what it is asked for and no more at a time', () => {
    const scanner = createScanner(compileRegex(parse('b')))
    const text = `${'a'.repeat(1000)}b`
    scanner.begin(text, 0, text.length, 0)
    let turns = 0
    while (scanner.advance(100, false) === undefined) turns += 1
    assert.equal(turns, 10)
  })

  const piece = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', 'c')
  const pattern = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      piece,
      fc.tuple(tie('node'), tie('node')).map(([a, b]) => `${a}${b}`),
      fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(?:${a}|${b})`),
      fc.tuple(piece, fc.constantFrom('*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}')).map(([a, q]) => `(?:${a})${q}`),
      fc.constantFrom('^', '$', '\\b', '\\B'),
    ),
  })).node
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ' ', '\n', '😀'), { maxLength: 12 }).map((all) => all.join(''))

  const isInsideOfCharacter = (of: string, index: number) => (of.codePointAt(index - 1) ?? 0) > 0xffff

  test('finds what a backtracking engine finds', () => {
    fc.assert(
      fc.property(pattern, text, fc.integer({ min: 1, max: 5 }), (expression, subject, size) => {
        const match = new RegExp(expression, 'mu').exec(subject)
        // V8 finds an empty match inside of a character of two units, where the language has no position.
        fc.pre(!match || !isInsideOfCharacter(subject, match.index))
        const wanted = match ? [match.index, match.index + match[0].length] : undefined
        assert.deepEqual(find(expression, subject, { piece: size }), wanted, expression)
      }),
      { numRuns: byTier({ quick: 100, all: 400 }) },
    )
  })
})
