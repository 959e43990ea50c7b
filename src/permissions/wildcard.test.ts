import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.js'
import { byTier } from '../../test/support/tier.js'
import { compileWildcard, escapeWildcard, matchesWildcard } from './wildcard.js'

const matches = (pattern: string, text: string) => matchesWildcard(compileWildcard(pattern), text)

test('a star is any text, nothing else is special', () => {
  assert.ok(matches('git * main', 'git push origin main'))
  assert.ok(!matches('git * main', 'git main'))
  assert.ok(matches('*', ''))
  assert.ok(matches('a*b*c', 'a__b__b__c'))
  assert.ok(!matches('ab*ba', 'aba'))
  assert.ok(!matches('a.c', 'abc'))
  assert.ok(matches('rm \\*', 'rm *'))
  assert.ok(!matches('rm \\*', 'rm x'))
})

test('it agrees with the regular expression of the same meaning', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '*', '\\', ' ') })
  fc.assert(
    fc.property(text, text, (pattern, candidate) => {
      const source = pattern.replace(/\\\*|\*|[\\ab ]/g, (part) =>
        part === '*' ? '[^]*' : part === '\\*' ? '\\*' : part === '\\' ? '\\\\' : part,
      )
      assert.equal(matches(pattern, candidate), new RegExp(`^${source}$`).test(candidate), `${pattern} ~ ${candidate}`)
    }),
    { numRuns: byTier({ quick: 500, all: 2000 }) },
  )
})

test('an escaped text matches itself alone', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '*', '\\') })
  fc.assert(fc.property(text, text, (one, other) => matches(escapeWildcard(one), other) === (one === other)))
})
