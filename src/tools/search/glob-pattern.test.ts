/** Globs one by one: what each form matches, what is refused, and that none takes for ever. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import { parseIgnoreLine } from './glob-pattern.js'

const rule = (pattern: string) => parseIgnoreLine(pattern) ?? assert.fail(`${pattern} is nothing`)
/** Which of the paths match; a slash at the end makes one a folder. */
const matching = (pattern: string, paths: readonly string[]) =>
  paths.filter((path) => rule(pattern).matches(path.replace(/\/$/, ''), path.endsWith('/')))

describe('a glob', () => {
  const paths = ['a', 'b.ts', 'a/b.ts', 'a/c/b.ts', 'a/', 'a/c/', 'a/c/d', '.h', 'a/.h']
  const cases: [pattern: string, string[]][] = [
    ['a', ['a', 'a/']],
    ['/a', ['a', 'a/']],
    ['b.ts', ['b.ts', 'a/b.ts', 'a/c/b.ts']],
    ['/b.ts', ['b.ts']],
    ['*.ts', ['b.ts', 'a/b.ts', 'a/c/b.ts']],
    ['a/*', ['a/b.ts', 'a/c/', 'a/.h']],
    ['a/*/', ['a/c/']],
    ['a/', ['a/']],
    ['a/**', ['a/b.ts', 'a/c/b.ts', 'a/c/', 'a/c/d', 'a/.h']],
    ['**/b.ts', ['b.ts', 'a/b.ts', 'a/c/b.ts']],
    ['a/**/b.ts', ['a/b.ts', 'a/c/b.ts']],
    ['**', paths],
    ['a**', ['a', 'a/']],
    ['?', ['a', 'a/', 'a/c/', 'a/c/d']],
    ['.*', ['.h', 'a/.h']],
    ['*', paths],
    ['/*', ['a', 'b.ts', 'a/', '.h']],
    ['a/c', ['a/c/']],
    ['c/d', []],
    ['{a/b,b}.ts', ['b.ts', 'a/b.ts']],
    ['{**/d,.h}', ['a/c/d', '.h']],
  ]
  for (const [pattern, expected] of cases) {
    it(`${pattern} matches ${expected.join(' ') || 'nothing'}`, () => {
      assert.deepEqual(matching(pattern, paths), expected)
    })
  }

  it('that is empty or a comment is none, unless it is escaped', () => {
    assert.deepEqual(
      [parseIgnoreLine(''), parseIgnoreLine('   '), parseIgnoreLine('# a'), parseIgnoreLine('#')],
      Array(4).fill(undefined),
    )
    assert.deepEqual(matching('\\#a', ['#a', 'a', '\\#a']), ['#a'])
  })

  it('is negated by what it begins with, and only by that', () => {
    const negation = (pattern: string, path: string) => [rule(pattern).negated, rule(pattern).matches(path, false)]
    assert.deepEqual(negation('!a', 'a'), [true, true])
    assert.deepEqual(negation('\\!a', '!a'), [false, true])
    assert.deepEqual(negation('!!a', '!a'), [true, true])
    assert.deepEqual(negation('!/a', 'b/a'), [true, false])
    assert.deepEqual(negation('a!', 'a!'), [false, true])
  })

  it('loses blanks at its end, but not one that is escaped', () => {
    assert.deepEqual(matching('a  ', ['a', 'a  ']), ['a'])
    assert.deepEqual(matching('a\\ ', ['a', 'a ']), ['a '])
    assert.deepEqual(matching(' a', ['a', ' a']), [' a'])
  })

  it('has classes with ranges, negation and brackets of their own', () => {
    const names = ['a', 'b', 'c', '-', ']', '!', '^', '\\']
    const cases: [string, string[]][] = [
      ['[ab]', ['a', 'b']],
      ['[a-c]', ['a', 'b', 'c']],
      ['[!a-c]', ['-', ']', '!', '^', '\\']],
      ['[^a-c]', ['-', ']', '!', '^', '\\']],
      ['[]a]', ['a', ']']],
      ['[!]a]', ['b', 'c', '-', '!', '^', '\\']],
      ['[a-]', ['a', '-']],
      ['[-a]', ['a', '-']],
      ['[\\]', ['\\']],
      ['[a^]', ['a', '^']],
    ]
    for (const [pattern, expected] of cases) assert.deepEqual(matching(pattern, names), expected, pattern)
  })

  it('takes letters beyond ASCII for what they are in UTF-8', () => {
    assert.deepEqual(matching('ü*', ['über', 'uber']), ['über'])
    assert.deepEqual(matching('*.é', ['a.é', 'a.e']), ['a.é'])
    // Two bytes.
    assert.deepEqual([matching('?', ['é']), matching('??', ['é'])], [[], ['é']])
  })

  it('is refused with the reason when it is broken', () => {
    const cases: [string, RegExp][] = [
      ['[', /unclosed character class/],
      ['[!', /unclosed character class/],
      ['[]', /unclosed character class/],
      ['[!]', /unclosed character class/],
      ['[^]', /unclosed character class/],
      ['[b-a]', /invalid range; 'b' > 'a'/],
      ['{a', /unclosed alternate group/],
      ['{a,{b}', /unclosed alternate group/],
      ['a}', /unopened alternate group/],
      ['{a}}', /unopened alternate group/],
      ['a\\', /dangling '\\'/],
      ['*'.repeat(201), /too many wildcards/],
      ['{a,b}'.repeat(10), /more than 1000 patterns/],
    ]
    for (const [pattern, reason] of cases) {
      assert.throws(
        () => parseIgnoreLine(pattern),
        (error) => error instanceof SyntaxError && reason.test(error.message),
        pattern,
      )
    }
  })

  it('takes braces and commas that are escaped or in a class for themselves', () => {
    assert.deepEqual(matching('\\{a,b\\}', ['{a,b}', 'a']), ['{a,b}'])
    assert.deepEqual(matching('[{}]', ['{', '}', 'a']), ['{', '}'])
    assert.deepEqual(matching('{a\\,b,c}', ['a,b', 'a', 'c']), ['a,b', 'c'])
    assert.deepEqual(matching('a,b', ['a,b', 'a']), ['a,b'])
    // Empty alternatives count for nothing, and nothing at all is left of braces with none other.
    assert.deepEqual(matching('a{}', ['a', 'a{}']), ['a'])
    assert.deepEqual(matching('a{,b}', ['a', 'ab']), ['ab'])
  })
})

describe('any glob', () => {
  const part = fc.constantFrom('a', 'b', '.', '*', '?', '[ab]', '[.b]')
  const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''))
  const path = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 4,
  })

  it('of one name matches the last name of a path, as a regular expression says', () => {
    fc.assert(
      fc.property(name, path, (pattern, parts) => {
        const expression = pattern
          .replace(/\*+/g, '*')
          .replace(/(?<!\[)\./g, '\\.')
          .replaceAll('?', '[^/]')
          .replaceAll('*', '[^/]*')
        assert.equal(
          rule(pattern).matches(parts.join('/'), false),
          new RegExp(`^(?:${expression})$`).test(parts.at(-1) ?? '') || pattern === '**',
          pattern,
        )
      }),
      { numRuns: byTier({ quick: 125, all: 500 }) },
    )
  })

  it('may have a class that matches a slash, as ripgrep has it', () => {
    assert.deepEqual(matching('a[!a]a', ['a/a', 'aba', 'aaa']), ['a/a', 'aba'])
  })

  it('matches the path that is written with all of it escaped, and no other', () => {
    const odd = fc.string({
      unit: fc.constantFrom('a', '*', '?', '[', ']', '{', '}', ',', '\\', '!', '#', ' '),
      minLength: 1,
      maxLength: 6,
    })
    fc.assert(
      fc.property(odd, odd, (one, other) => {
        const escaped = `/${one.replace(/[\s\S]/g, '\\$&')}`
        assert.equal(rule(escaped).matches(one, false), true, escaped)
        assert.equal(rule(escaped).matches(other, false), one === other)
      }),
    )
  })

  it('is done with soon, however many stars it has', () => {
    const long = `${'a'.repeat(200)}/`.repeat(5)
    for (const pattern of [`${'*a'.repeat(90)}b`, `${'**/a*/'.repeat(30)}b`, `${'a*'.repeat(95)}[b]`]) {
      assert.equal(rule(pattern).matches(`${long}a`, false), false, pattern)
    }
  })
})
