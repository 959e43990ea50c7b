import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../test/fast-check.js'
import { byTier } from '../../test/support/tier.js'
import { matcherApplies } from './match.js'
import { countRegexBacktrackPaths } from './match-cost.js'

/** Small expressions, as text. */
const expression = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('a', 'b', '.', '[ab]', '[^\\]a]', '\\w', '\\(', '\\[', '\\|', 'a{', ']', '}'),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => `${a}${b}`),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(${a}|${b})`),
    fc.tuple(tie('node'), fc.constantFrom('*', '+', '?', '*?', '{2}', '{1,3}', '{2,}')).map(([a, q]) => `(?:${a})${q}`),
    tie('node').map((a) => `(?=${a})`),
    tie('node').map((a) => `(?<!${a})`),
  ),
})).node

describe('matchers', () => {
  // As observed of the original where it answers; a broken expression covers everything with us.
  const rows: [matcher: string | undefined, covers: string[], not: string[]][] = [
    [undefined, ['Bash', 'Read'], []],
    ['', ['Bash', 'Read'], []],
    ['*', ['Bash', 'Read'], []],
    ['Bash', ['Bash'], ['BashOutput', 'bash', 'Read']],
    ['ash', [], ['Bash']],
    ['Ba', [], ['Bash']],
    ['Read|Bash', ['Read', 'Bash'], ['Rea', 'Write']],
    ['Bas|Rea', [], ['Bash', 'Read']],
    ['Bash|', ['Bash'], ['Read']],
    ['B.s', ['Bash', 'aBash'], ['Read']],
    ['[a]', ['Bash', 'Read'], ['Write']],
    ['^Bash', ['Bash', 'BashOutput'], ['MyBash']],
    ['^Bash$', ['Bash'], ['BashOutput']],
    ['.*', ['Bash', ''], []],
    ['mcp__.*', ['mcp__files__write'], ['Bash']],
    ['mcp__.*__write', ['mcp__files__write_all'], ['mcp__files__read']],
    ['mcp__my-server__x', ['mcp__my-server__x'], ['mcp__my-server__y']],
    ['Bash(echo *)', [], ['Bash']],
    ['Read, Bash', [], ['Bash']],
    ['^(?!Read)', ['Bash'], ['Read']],
    ['[', ['Bash', 'Read'], []],
    ['a)(b', ['Bash'], []],
  ]
  for (const [matcher, covers, not] of rows) {
    test(`${matcher}`, () => {
      for (const subject of covers) assert.equal(matcherApplies(matcher, { names: [subject] }), true, subject)
      for (const subject of not) assert.equal(matcherApplies(matcher, { names: [subject] }), false, subject)
    })
  }

  test('any of the names a tool goes by is enough', () => {
    assert.equal(matcherApplies('Agent', { names: ['Task', 'Agent'] }), true)
    assert.equal(matcherApplies('Task', { names: ['Task', 'Agent'] }), true)
    assert.equal(matcherApplies('Bash', { names: ['Task', 'Agent'] }), false)
  })

  test('no expression hangs', () => {
    fc.assert(
      fc.property(expression, fc.nat(300), (source, length) => {
        matcherApplies(`${source}$`, { names: [`${'ab'.repeat(length)}!`] })
      }),
      { numRuns: byTier({ quick: 75, all: 300, long: 20_000 }) },
    )
  })

  test('names of files are lists of just those names', () => {
    const env = { names: ['.env'], literal: true } as const
    for (const matcher of ['.env', '.envrc|.env', '*', '']) assert.equal(matcherApplies(matcher, env), true, matcher)
    for (const matcher of ['.', 'xenv', '.envrc', '.*']) assert.equal(matcherApplies(matcher, env), false, matcher)
    assert.equal(matcherApplies('.env', { names: ['xenv'], literal: true }), false)
  })

  test('an event without a subject is covered by every matcher', () => {
    assert.equal(matcherApplies('Bash', undefined), true)
  })

  test('an expression that would take for ever covers everything, at once', () => {
    const subject = `${'a'.repeat(5000)}!`
    for (const matcher of ['(a+)+$', '(a|a)*$', '^(a*)*$', '(?:a|aa)+$', 'a*a*a*a*a*a*a*b', `${'a?'.repeat(60)}b`]) {
      assert.equal(matcherApplies(matcher, { names: [subject] }), true, matcher)
    }
  })

  test('ordinary expressions are never taken for endless ones', () => {
    const subject = 'mcp__a_long_server_name__and_a_tool_name_of_quite_some_length_too'
    for (const matcher of [
      'mcp__.*__.*read.*',
      'Edit|Write.*',
      '^(Bash|Read|Edit|Write)$',
      '[A-Z].+x',
      '(foo|bar)?z',
    ]) {
      assert.equal(matcherApplies(matcher, { names: [subject] }), false, matcher)
    }
  })
})

describe('the cost of an expression', () => {
  test('is a number of at least one for every valid expression, and read to its end', () => {
    fc.assert(
      fc.property(expression, fc.nat(30), (source, length) => {
        try {
          new RegExp(source)
        } catch {
          return
        }
        const paths = countRegexBacktrackPaths(source, length)
        assert.ok(paths >= 1, `${source}: ${paths}`)
        // Everything was read: a choice of two behind it doubles the ways.
        assert.equal(countRegexBacktrackPaths(`${source}(?:x|y)`, length), paths * 2)
      }),
      { numRuns: byTier({ quick: 125, all: 500, long: 50_000 }) },
    )
  })

  test('counts what it says', () => {
    assert.equal(countRegexBacktrackPaths('abc', 10), 1)
    assert.equal(countRegexBacktrackPaths('a|b|c', 10), 3)
    assert.equal(countRegexBacktrackPaths('a*', 10), 11)
    assert.equal(countRegexBacktrackPaths('a+', 10), 10)
    assert.equal(countRegexBacktrackPaths('a?b?', 10), 4)
    assert.equal(countRegexBacktrackPaths('a{2}', 10), 1)
    assert.equal(countRegexBacktrackPaths('a{1,3}', 10), 3)
    assert.equal(countRegexBacktrackPaths('[a|(*]x', 10), 1)
    assert.equal(countRegexBacktrackPaths('(?<name>a|b)(?:c|d)', 10), 4)
    assert.ok(countRegexBacktrackPaths('(a*)*', 10) > 1e10)
  })
})
