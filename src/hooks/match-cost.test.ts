import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../test/fast-check.js'
import { countRegexBacktrackPaths } from './match-cost.js'

describe('the ways an expression can read a subject', () => {
  const rows: [expression: string, length: number, paths: number][] = [
    ['', 10, 1],
    ['Bash', 10, 1],
    ['^Bash$', 10, 1],
    ['a|b', 10, 2],
    ['a|b|c|', 10, 4],
    ['a?', 10, 2],
    ['a*', 10, 11],
    ['a+', 10, 10],
    ['a*?', 10, 11],
    ['a{3}', 10, 1],
    ['a{2,4}', 10, 3],
    ['a{2,}', 10, 9],
    // More than the subject is long can't be told apart.
    ['a{2,400}', 10, 10],
    ['a{400}', 10, 1],
    ['a*b*', 10, 121],
    ['a?b?c?', 10, 8],
    ['(a|b)c?', 10, 4],
    ['(?:a|b)', 10, 2],
    ['(?=a|b)', 10, 2],
    ['(?!a|b)', 10, 2],
    ['(?<=a|b)', 10, 2],
    ['(?<!a|b)', 10, 2],
    ['(?<name>a|b|c)', 10, 3],
    ['(a)(b)(c)', 10, 1],
    ['((a|b)|c)', 10, 3],
    // What has a meaning elsewhere and none here.
    ['[a|b]', 10, 1],
    ['[*+?]*', 10, 11],
    ['[\\]|]', 10, 1],
    ['[(]a?', 10, 2],
    ['\\(a?\\)', 10, 2],
    ['\\|', 10, 1],
    ['\\*', 10, 1],
    ['\\\\*', 10, 11],
    ['a{', 10, 1],
    ['a{x}', 10, 1],
    ['a{,5}', 10, 1],
    ['}]', 10, 1],
    // A repetition of what can be read in two ways.
    ['(a|b)*', 3, 2 ** 4],
    ['(a|b){2}', 3, 2 ** 3],
    ['(a?)?', 3, 2 ** 2],
    ['(a*)*', 3, 4 ** 4],
  ]
  for (const [expression, length, paths] of rows) {
    test(`${expression || 'nothing'} on ${length}`, () =>
      assert.equal(countRegexBacktrackPaths(expression, length), paths))
  }

  test('the classic ones that hang have no bound worth knowing', () => {
    for (const expression of ['(a+)+$', '(a|a)*$', '(.*a){20}', '([a-z]+)*x', '(x+x+)+y']) {
      assert.ok(countRegexBacktrackPaths(expression, 100) > 1e12, expression)
    }
  })

  test('a plain alternative of many words costs as much as it has words', () => {
    const words = Array.from({ length: 200 }, (_, n) => `mcp__server__tool_${n}`)
    assert.equal(countRegexBacktrackPaths(words.join('|'), 1000), 200)
  })

  const part = fc.constantFrom('a', 'b?', 'c*', 'd+', '[ef]', '(g|h)', '\\(', 'x{1,3}', '.')

  test('more to read never makes it cheaper, and parts multiply', () => {
    fc.assert(
      fc.property(fc.array(part), fc.array(part), fc.nat({ max: 50 }), (left, right, length) => {
        const [a, b] = [left.join(''), right.join('')]
        assert.equal(
          countRegexBacktrackPaths(a + b, length),
          countRegexBacktrackPaths(a, length) * countRegexBacktrackPaths(b, length),
        )
        assert.equal(
          countRegexBacktrackPaths(`${a}|${b}`, length),
          countRegexBacktrackPaths(a, length) + countRegexBacktrackPaths(b, length),
        )
        assert.equal(countRegexBacktrackPaths(`(${a})`, length), countRegexBacktrackPaths(a, length))
        assert.ok(countRegexBacktrackPaths(a, length + 1) >= countRegexBacktrackPaths(a, length))
      }),
    )
  })
})
