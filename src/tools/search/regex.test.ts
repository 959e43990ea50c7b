/** Regular expressions without ripgrep: the same matches as a backtracking engine, in linear time, and no guesses. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import { compileRegex, longestRequiredText } from './regex-program.js'
import { createScanner } from './regex-scan.js'
import { parseRegex } from './regex-syntax.js'
import { createTextSearch } from './text-search.js'

const runs = (few: number) => byTier({ quick: few / 5, all: few, long: few * 100 })
const plain = { ignoreCase: false, dotAll: false }
const inOneGo = () => {}

/** All matches, one behind the other, in steps of so many characters. */
function matchAll(pattern: string, text: string, step: number): [number, string][] {
  const scanner = createScanner(compileRegex(parseRegex(pattern, plain)))
  const found: [number, string][] = []
  for (let at = 0; at <= text.length; ) {
    scanner.begin(text, 0, text.length, at)
    let span = scanner.advance(step, false)
    while (span === undefined) span = scanner.advance(step, false)
    if (span === 'none') break
    found.push([span.start, text.slice(span.start, span.end)])
    at = span.end > span.start ? span.end : span.end + 1
  }
  return found
}

describe('regular expressions without ripgrep', () => {
  it('find what JavaScript finds, however often they pause', () => {
    const atom = fc.constantFrom(...['a', 'b', 'c', '.', '[ab]', '[^a]', '\\.', '^', '$', '\\b', '\\B', '\\n', '\\d'])
    const times = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,2}', '{1,}', '*?', '+?', '??', '{1,2}?')
    const sequence = fc
      .array(fc.tuple(atom, times), { maxLength: 4 })
      // JavaScript has no repetition of what takes no character.
      .map((parts) => parts.map(([part, count]) => (/^[$^]|^\\[bB]/.test(part) ? part : part + count)).join(''))
    const pattern = fc
      .tuple(sequence, sequence, fc.constantFrom(')', '|)', ')+', '|b)*', ')??', '|b){1,2}?', '|bc){2}'), sequence)
      // Nor does it repeat what was empty.
      .map(([first, second, end, last]) => `${first}(?:${/\|\)/.test(end) ? '' : 'a'}${second}${end}${last}`)
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '.', '\n', '1', ' '), maxLength: 14 })
    fc.assert(
      fc.property(pattern, text, fc.integer({ min: 1, max: 20 }), (source, subject, step) => {
        const expected = [...subject.matchAll(new RegExp(source, 'gm'))].map((match) => [match.index, match[0]])
        assert.deepEqual(matchAll(source, subject, step), expected)
      }),
      { numRuns: runs(500) },
    )
  })

  it('know characters outside the first plane, and bytes that are no text', () => {
    assert.deepEqual(matchAll('.', '😀é\udc80a', 100), [
      [0, '😀'],
      [2, 'é'],
      [4, 'a'],
    ])
    assert.deepEqual(matchAll('[^a]\\b', '😀a', 100), [[0, '😀']])
    assert.deepEqual(matchAll('(?i)[^É]', 'éx', 100), [[1, 'x']])
  })

  it('T39 end, whatever the pattern', async () => {
    const text = `${'a'.repeat(20_000)}b`
    for (const pattern of [
      '(a+)+$',
      '(a*)*c',
      '(a|a)*c',
      '(a|aa)+$',
      '(.*a){12}c',
      'a{0,50}a{0,50}c',
      '^(([a-z])+.)+[A-Z]',
    ]) {
      for (const multiline of [false, true]) {
        const search = createTextSearch(pattern, { ignoreCase: false, multiline }, inOneGo)
        assert.deepEqual(await search(text, false), { count: 0, lines: [] }, pattern)
      }
    }
  })

  it('are left in the middle when whoever waits says so', async () => {
    const stop = new Error('stop')
    let breaths = 0
    const search = createTextSearch('(a+)+$', { ignoreCase: false, multiline: false }, () => {
      breaths += 1
      if (breaths === 3) throw stop
    })
    await assert.rejects(search(`${'a'.repeat(1_000_000)}b`, false), stop)
  })

  it('say what they can not do, and never guess', () => {
    const refused = [
      '(?x) a',
      '(?-u)a',
      '(?U)a+',
      '(?R)a$',
      '[a&&b]',
      '[a--b]',
      '[[ab]c]',
      '\\b{start}a',
      '\\p{scx=Greek}',
    ]
    for (const pattern of refused) {
      assert.throws(() => parseRegex(pattern, plain), /not supported without ripgrep/, pattern)
    }
    assert.throws(() => compileRegex(parseRegex('(a{1000}){1000}', plain)), /so many repetitions/)
    assert.throws(() => parseRegex('('.repeat(10_000), plain), /nested too deeply/)
    assert.deepEqual(matchAll('(?:){1000000000}b', 'ab', 9), [[1, 'b']])
  })

  it('know which text every match has in it', () => {
    const required = (pattern: string, ignoreCase = false) =>
      longestRequiredText(parseRegex(pattern, { ignoreCase, dotAll: false }))
    assert.deepEqual(
      ['abc', 'ab+cde', 'ab|cd', '(abc)?d', '(abc)d', 'a.bcd.e', '\\.foo', '[a]b', ''].map((pattern) =>
        required(pattern),
      ),
      ['abc', 'cde', '', 'd', 'abc', 'bcd', '.foo', 'ab', ''],
    )
    assert.deepEqual([required('a==b', true), required('k', true)], ['==', ''])
  })
})
