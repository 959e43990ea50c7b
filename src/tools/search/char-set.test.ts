import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../../test/fast-check.js'
import {
  createCharSet,
  createSingleCharacterSet,
  escapeRegexCharacter,
  INVALID_BYTE_CHARACTER,
  negateCharacterClass,
  WORD_CHARACTERS,
} from './char-set.js'

const has = (set: { has(codePoint: number): boolean }, text: string) => set.has(text.codePointAt(0) ?? -1)

describe('a set of characters', () => {
  test('ranges, with and without case', () => {
    const set = createCharSet('a-f0-9', false)
    for (const one of 'af09') assert.equal(has(set, one), true, one)
    for (const one of 'AgF-é') assert.equal(has(set, one), false, one)
    const any = createCharSet('a-fß', true)
    for (const one of 'aAfFßẞ') assert.equal(has(any, one), true, one)
    assert.equal(has(any, 'G'), false)
  })

  test('the same answer twice, for characters of any size', () => {
    const set = createCharSet('\\p{Emoji_Presentation}é', false)
    for (const [one, answer] of [
      ['😀', true],
      ['é', true],
      ['e', false],
      ['漢', false],
    ] as const) {
      assert.equal(has(set, one), answer, one)
      assert.equal(has(set, one), answer, one)
    }
  })

  test('words have letters, marks, digits and connectors of all languages', () => {
    const word = createCharSet(WORD_CHARACTERS, false)
    for (const one of ['a', 'Z', '0', '_', 'é', 'ж', '漢', '٣', '\u0301', '\u200d'])
      assert.equal(has(word, one), true, one)
    for (const one of [' ', '-', '.', '😀', '\n', '½']) assert.equal(has(word, one), false, one)
  })

  test('no complement has what is no text', () => {
    const not = new RegExp(`^${negateCharacterClass('a')}$`, 'v')
    assert.equal(not.test('b'), true)
    assert.equal(not.test('a'), false)
    assert.equal(not.test('\n'), true)
    assert.equal(not.test(INVALID_BYTE_CHARACTER), false)
    assert.equal(not.test('😀'), true)
  })

  test('members that nobody knows are an error', () => {
    assert.throws(() => createCharSet('\\p{Nonsense}', false), SyntaxError)
    assert.throws(() => createCharSet('b-a', false), SyntaxError)
  })

  test('any character can be a member by itself, and nothing else is one then', () => {
    const code = fc.oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }), fc.nat(127))
    const character = code.map((one) => String.fromCodePoint(one))
    fc.assert(
      fc.property(character, character, (one, other) => {
        const set = createCharSet(escapeRegexCharacter(one), false)
        assert.equal(has(set, one), true)
        assert.equal(has(set, other), one === other)
        const only = createSingleCharacterSet(one)
        assert.equal(has(only, one), true)
        assert.equal(has(only, other), one === other)
      }),
      { numRuns: 40 },
    )
  })
})
