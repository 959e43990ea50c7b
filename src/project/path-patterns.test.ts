import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../test/fast-check.js'
import { byTier } from '../../test/support/tier.js'
import { matchesGlob } from './path-patterns.js'

describe('patterns of paths', () => {
  it('match as documented', () => {
    for (const [pattern, yes, no] of [
      ['**/*.ts', ['a.ts', 'x/a.ts', 'x/y/a.ts'], ['a.tsx', 'ts', 'x/a.ts/b']],
      ['*.md', ['a.md', '.md'], ['x/a.md']],
      ['src/**', ['src/a', 'src/a/b'], ['srcs/a', 'a/src/b']],
      ['src/**/*', ['src/a', 'src/a/b'], ['src']],
      ['./src/*.ts', ['src/a.ts'], ['src/a/b.ts']],
      ['/src/a?.ts', ['src/ab.ts'], ['src/a.ts', 'src/abc.ts']],
      ['src/**/*.{ts,tsx}', ['src/a.ts', 'src/b/c.tsx'], ['src/a.js', 'src/a.{ts,tsx}']],
      ['{a,b}/{c,d}', ['a/c', 'b/d'], ['a/b', 'c/d']],
      ['**', ['a', 'a/b'], []],
      ['a/**/b/**/c', ['a/b/c', 'a/x/b/y/z/c'], ['a/c', 'a/b']],
      ['x{', ['x{'], ['x']],
    ] as const) {
      for (const path of yes) assert.ok(matchesGlob(path, pattern), `${pattern} ${path}`)
      for (const path of no) assert.ok(!matchesGlob(path, pattern), `not ${pattern} ${path}`)
    }
  })

  it('mean the same as the regular expressions they stand for', () => {
    const segment = fc
      .array(fc.constantFrom('a', 'b', '*', '?'), { minLength: 1, maxLength: 4 })
      .map((all) => all.join(''))
    const pattern = fc.array(fc.oneof(segment, fc.constant('**')), { minLength: 1, maxLength: 4 })
    const path = fc.array(fc.stringMatching(/^[ab]{1,4}$/), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(path, pattern, (names, parts) => {
        const source = parts.map((part) =>
          part === '**' ? '(?:[^/]+/)*' : `${part.replaceAll(/\*+/g, '[^/]*').replaceAll('?', '[^/]')}/`,
        )
        assert.equal(
          matchesGlob(names.join('/'), parts.join('/')),
          new RegExp(`^${source.join('')}$`).test(`${names.join('/')}/`),
        )
      }),
      { numRuns: byTier({ quick: 250, all: 1000, long: 50_000 }) },
    )
  })

  it('that ask for too much work match nothing', () => {
    assert.equal(matchesGlob('a', `{${'a,'.repeat(100)}}`), false)
    assert.equal(matchesGlob('a', '{a,b}'.repeat(20)), false)
    assert.equal(matchesGlob('a', 'a'.repeat(1000)), false)
    assert.equal(matchesGlob('a'.repeat(5000), `${'*a'.repeat(200)}b`), false)
  })
})
