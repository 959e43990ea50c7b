import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import { QUOTE_MARK_PATTERN, takeOutQuotes } from './quoting.js'

/** The text with `#` for each mark, and what each of them means. */
function taken(source: string): { text: string; parts: string[] } {
  const { text, literal } = takeOutQuotes(source)
  const marks = new RegExp(QUOTE_MARK_PATTERN, 'g')
  return { text: text.replace(marks, '#'), parts: [...text.matchAll(marks)].map(([mark]) => literal(mark)) }
}

describe('quoted parts', () => {
  const rows: [source: string, text: string, parts: string[]][] = [
    ['read the file', 'read the file', []],
    ['read "a b.txt"', 'read #', ['a b.txt']],
    ["read 'a b.txt' now", 'read # now', ['a b.txt']],
    ['run `ls -l`', 'run #', ['ls -l']],
    ['say “hello” and ‘bye’', 'say # and #', ['hello', 'bye']],
    ["don't read what isn't there", "don't read what isn't there", []],
    ["the dogs' bowl and the cats' food", "the dogs' bowl and the cats' food", []],
    ['replace "a" with ""', 'replace # with #', ['a', '']],
    ['"it\'s"', '#', ["it's"]],
    ['an open "quote', 'an open "quote', []],
    ['``', '``', []],
    ['```js\nlet a = "b"\n```', '#', ['let a = "b"\n']],
    ['before\n```\nx\n```\nafter', 'before\n#\nafter', ['x\n']],
    ['"two\nlines"', '#', ['two\nlines']],
    ["'two\nlines'", "'two\nlines'", []],
  ]
  for (const [source, text, parts] of rows) {
    test(JSON.stringify(source), () => assert.deepEqual(taken(source), { text, parts }))
  }
})

describe('a line that announces what stands below it', () => {
  const rows: [source: string, text: string, parts: string[]][] = [
    ['create a.txt with:\none\ntwo', 'create a.txt with: #', ['one\ntwo']],
    ['create a.txt with:', 'create a.txt with:', []],
    ['create a.txt with:\n\n', 'create a.txt with:\n\n', []],
    ['plan:\n1. read\n2. write', 'plan: #', ['1. read\n2. write']],
    ['create a.txt containing the text:  \n"x"', 'create a.txt containing the text: #', ['x']],
    ['create a.txt with:\n```\ncode\n```', 'create a.txt with: #', ['code\n']],
    ['this is it:\nplain', 'this is it:\nplain', []],
    ['with: here\nplain', 'with: here\nplain', []],
  ]
  for (const [source, text, parts] of rows) {
    test(JSON.stringify(source), () => assert.deepEqual(taken(source), { text, parts }))
  }

  test('quotes below it stay as they were typed', () => {
    assert.deepEqual(taken('write a.md with:\nsay "hi"\nand `x`').parts, ['say "hi"\nand `x`'])
  })

  test('a line of a thousand characters is none', () => {
    assert.deepEqual(taken(`${'x '.repeat(500)} with:\nbelow`).parts, [])
  })
})

describe('back again', () => {
  test('a piece as it was typed, and what it means', () => {
    const { text, typed, literal } = takeOutQuotes('put "a b" into `c`')
    assert.equal(typed(text), 'put "a b" into `c`')
    const [first = ''] = text.match(new RegExp(QUOTE_MARK_PATTERN)) ?? []
    assert.equal(typed(first), '"a b"')
    assert.equal(literal(` ${first} `), 'a b')
    assert.equal(literal(`${first} and more `), '"a b" and more')
  })

  test('whoever types our marks gets them back', () => {
    const source = 'odd \uE0000\uE001 "x" \uE001'
    const { text, typed } = takeOutQuotes(source)
    assert.equal(typed(text), source)
  })

  test('nothing that was typed is lost', () => {
    const piece = fc.constantFrom(
      '"',
      "'",
      '`',
      '```\n',
      '“',
      '”',
      'word',
      ' ',
      '\n',
      'with:\n',
      'plan:',
      '\uE000',
      '1',
      '\uE001',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const source = pieces.join('')
        const { text, typed } = takeOutQuotes(source)
        const back = typed(text)
        // Blanks before what was announced are the only thing that may differ.
        assert.equal(back.replaceAll(/\s+/g, ' ').trim(), source.replaceAll(/\s+/g, ' ').trim())
      }),
      { numRuns: byTier({ quick: 75, all: 300 }) },
    )
  })
})
