/** Escapes and bracketed classes: what each stands for, where it ends, and what is refused. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc, { anyCharacter } from '../../../test/fast-check.js'
import { createCharSet, createSingleCharacterSet, escapeRegexCharacter, negateCharacterClass } from './char-set.js'
import { parseCharacterClass, parseEscape } from './regex-character-class.js'

const sample = [...'azAZ09_ \t\n-]^\\.éÉßſ´٣😀\u200d']
const chosen = (members: string) =>
  sample.filter((char) => createCharSet(members, false).has(char.codePointAt(0) ?? 0)).join('')

describe('an escape', () => {
  it('stands for one character', () => {
    const cases: [string, string, number][] = [
      ['n', '\n', 1],
      ['t', '\t', 1],
      ['a', '\x07', 1],
      ['v', '\v', 1],
      ['.', '.', 1],
      ['-', '-', 1],
      [' ', ' ', 1],
      ['x41B', 'A', 3],
      ['u00e9', 'é', 5],
      ['U0001F600', '😀', 9],
      ['x{1F600}', '😀', 8],
      ['u{e9}x', 'é', 5],
      ['U{41}', 'A', 5],
    ]
    for (const [text, literal, end] of cases) assert.deepEqual(parseEscape(text, 0), { literal, end }, text)
  })

  it('stands for a class, or for all that is not in it', () => {
    const members = (text: string) => {
      const found = parseEscape(text, 0)
      return 'members' in found ? chosen(found.members) : assert.fail(text)
    }
    assert.equal(members('d'), '09٣')
    assert.equal(members('D'), 'azAZ_ \t\n-]^\\.éÉßſ´😀\u200d')
    assert.equal(members('s'), ' \t\n')
    assert.equal(members('w'), 'azAZ09_éÉßſ٣\u200d')
    assert.equal(members('W'), ' \t\n-]^\\.´😀')
    assert.equal(members('pL'), 'azAZéÉßſ')
    assert.equal(members('p{Lu}'), 'AZÉ')
    assert.equal(members('P{Lu}'), members('p{^Lu}'))
    assert.equal(members('P{^Lu}'), members('p{Lu}'))
    assert.equal(members('p{Greek}'), '')
    assert.equal(members('p{Latin}'), 'azAZéÉßſ')
  })

  it('is refused when it means nothing, or something we have not', () => {
    const cases: [string, RegExp][] = [
      ['1', /backreferences are not supported/],
      ['e', /unrecognized escape/],
      ['<', /unrecognized escape/],
      ['é', /unrecognized escape/],
      ['', /unrecognized escape/],
      ['x{110000}', /invalid code point/],
      ['ud800', /invalid code point/],
      ['u{dfff}', /invalid code point/],
      ['p{Nonsense}', /\\p\{Nonsense\} is not supported without ripgrep/],
      ['p', /this form of \\p is not supported/],
      ['p{a=b}', /this form of \\p is not supported/],
    ]
    for (const [text, reason] of cases) assert.throws(() => parseEscape(text, 0), reason, text)
  })

  it('may be a code point next to those of surrogates', () => {
    assert.deepEqual(parseEscape('u{d7ff}', 0), { literal: '\ud7ff', end: 7 })
    assert.deepEqual(parseEscape('u{e000}', 0), { literal: '\ue000', end: 7 })
    assert.deepEqual(parseEscape('x{10ffff}', 0), { literal: '\u{10ffff}', end: 9 })
  })
})

describe('a bracketed class', () => {
  const members = (text: string) => {
    const found = parseCharacterClass(text, 0)
    assert.equal(found.end, text.length, text)
    return 'members' in found ? chosen(found.members) : `only ${found.literal}`
  }

  it('has characters, ranges, escapes and named classes', () => {
    const cases: [string, string][] = [
      ['[a]', 'only a'],
      ['[aa]', 'only a'],
      ['[a-a]', 'only a'],
      ['[\\n]', 'only \n'],
      ['[az]', 'az'],
      ['[a-z]', 'az'],
      ['[a-zA-Z]', 'azAZ'],
      ['[]a]', 'a]'],
      ['[^]a]', 'zAZ09_ \t\n-^\\.éÉßſ´٣😀\u200d'],
      ['[a-]', 'a-'],
      ['[-a]', 'a-'],
      ['[a^]', 'a^'],
      ['[[:digit:]]', '09'],
      ['[[:^digit:]0]', 'azAZ0_ \t\n-]^\\.éÉßſ´٣😀\u200d'],
      ['[[:alpha:]_]', 'azAZ_'],
      ['[[:space:]]', ' \t\n'],
      ['[\\d_]', '09_٣'],
      ['[^\\D]', '09٣'],
      ['[\\]\\\\]', ']\\'],
      ['[😀-😁]', '😀'],
      ['[\\x30-\\x39]', '09'],
    ]
    for (const [text, expected] of cases) assert.equal(members(text), expected, text)
  })

  it('ends where it ends, with more behind it', () => {
    assert.deepEqual(parseCharacterClass('x[ab]c]', 1).end, 5)
  })

  it('is refused when it is broken, or has what we have not', () => {
    const cases: [string, RegExp][] = [
      ['[', /unclosed character class/],
      ['[]', /unclosed character class/],
      ['[^]', /unclosed character class/],
      ['[a-', /unclosed character class/],
      ['[z-a]', /the start must be <= the end/],
      ['[\\d-z]', /invalid range boundary/],
      ['[a-\\d]', /invalid range boundary/],
      ['[a&&b]', /&& in a character class is not supported/],
      ['[a~~b]', /~~ in a character class is not supported/],
      ['[[ab]]', /a class inside a character class is not supported/],
      ['[[:nonsense:]]', /a class inside a character class is not supported/],
    ]
    for (const [text, reason] of cases) assert.throws(() => parseCharacterClass(text, 0), reason, text)
  })
})

describe('a set of characters', () => {
  it('never has half of a pair, nor what stands for a byte that is no text', () => {
    for (const members of [negateCharacterClass('a'), negateCharacterClass('\\p{L}'), '\\p{L}']) {
      const set = createCharSet(members, false)
      for (const code of [0xd800, 0xdc80, 0xdfff]) assert.equal(set.has(code), false, members)
    }
  })

  it('has both cases where they do not matter', () => {
    const has = (members: string, char: string) => createCharSet(members, true).has(char.codePointAt(0) ?? 0)
    assert.deepEqual(
      [has('a', 'A'), has('É', 'é'), has('k', '\u212a'), has('s', 'ſ'), has('a', 'b')],
      [true, true, true, true, false],
    )
  })

  it('takes every character for itself once it is escaped', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }),
        fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }),
        (one, other) => {
          const code = one.codePointAt(0) ?? 0
          if (code >= 0xd800 && code < 0xe000) return
          const set = createCharSet(escapeRegexCharacter(one), false)
          assert.equal(set.has(code), true)
          assert.equal(set.has(other.codePointAt(0) ?? 0), one === other)
          assert.equal(createSingleCharacterSet(one).has(other.codePointAt(0) ?? 0), one === other)
          // The second answer is remembered, and the same.
          assert.equal(set.has(code), true)
        },
      ),
      { numRuns: 20 },
    )
  })

  it('is refused when JavaScript does not know it', () => {
    assert.throws(() => createCharSet('\\p{Nonsense}', false), SyntaxError)
  })
})
