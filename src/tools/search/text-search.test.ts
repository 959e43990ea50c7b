/** Lines that match: counted and numbered line by line or across lines, with empty matches and odd ends of text. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import { createTextSearch, splitLines } from './text-search.js'

const find = (pattern: string, text: string, { multiline = false, ignoreCase = false, onlyFirst = false } = {}) =>
  createTextSearch(pattern, { ignoreCase, multiline }, () => {})(text, onlyFirst)

describe('line by line', () => {
  const cases: [pattern: string, text: string, lines: number[]][] = [
    ['a', 'a\nb\nba', [0, 2]],
    ['a', '', []],
    ['', '', []],
    ['', 'a\n\nb\n', [0, 1, 2]],
    ['^$', 'a\n\nb\n\n', [1, 3]],
    ['$', 'a', [0]],
    ['^b', 'ab\nba', [1]],
    ['a$', 'ab\nba\r\nba', [2]],
    ['x', 'a\nb', []],
    ['\\r$', 'a\r\nb\n', [0]],
    ['[^a]', 'a\naa\nab', [2]],
    ['(?i)É', 'é\ne', [0]],
    ['b|c', 'a\nb\nc', [1, 2]],
  ]
  for (const [pattern, text, lines] of cases) {
    it(`${JSON.stringify(pattern)} in ${JSON.stringify(text)}: ${lines.join(' ') || 'nothing'}`, async () => {
      assert.deepEqual(await find(pattern, text), { count: lines.length, lines })
    })
  }

  it('stops at the first one when that is all that is asked', async () => {
    assert.deepEqual(await find('a', 'b\na\na', { onlyFirst: true }), { count: 1, lines: [1] })
  })

  it('has no line break to match, and says how to match one', async () => {
    assert.throws(() => createTextSearch('a\\nb', { ignoreCase: false, multiline: false }, () => {}), /Set multiline/)
    assert.throws(() => createTextSearch('a[\\n]b', { ignoreCase: false, multiline: false }, () => {}), /Set multiline/)
    // One of many that a set has isn't a literal.
    assert.deepEqual(await find('a\\s', 'a\na b'), { count: 1, lines: [1] })
  })

  it('ignores case where it should', async () => {
    assert.deepEqual(await find('ab', 'AB\nab\nb', { ignoreCase: true }), { count: 2, lines: [0, 1] })
  })

  it('finds the lines that JavaScript finds', async () => {
    const pattern = fc.constantFrom('a', 'ab', '^a', 'a$', 'a|b', 'a.b', '^$', 'a+b', '[^a]b', 'ba*$')
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', ' '), maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(pattern, text, async (source, subject) => {
        const lines = splitLines(subject).flatMap((line, i) => (new RegExp(source).test(line) ? [i] : []))
        assert.deepEqual(await find(source, subject), { count: lines.length, lines })
      }),
      { numRuns: byTier({ quick: 100, all: 400 }) },
    )
  })
})

describe('across lines', () => {
  const cases: [pattern: string, text: string, count: number, lines: number[]][] = [
    ['a\\nb', 'xa\nbx\na\nc', 1, [0, 1]],
    ['a\\nb', 'a\nb\na\nb', 2, [0, 1, 2, 3]],
    ['a.b', 'a\nb', 1, [0, 1]],
    ['\\n', 'a\nb\n', 2, [0, 1]],
    ['\\n\\n', 'a\n\n\nb', 1, [0, 1]],
    ['[\\s\\S]*', 'a\nb', 1, [0, 1]],
    ['a\\s*', 'a\n\nb a', 2, [0, 1, 2]],
    ['x\\n', 'a\n', 0, []],
    ['\\n?', '', 0, []],
    ['a', 'a\naa', 2, [0, 1]],
  ]
  for (const [pattern, text, count, lines] of cases) {
    it(`${JSON.stringify(pattern)} in ${JSON.stringify(text)}: ${count} in ${lines.join(' ') || 'no line'}`, async () => {
      assert.deepEqual(await find(pattern, text, { multiline: true }), { count, lines })
    })
  }

  it('counts an empty match for itself, but not right behind another', async () => {
    assert.deepEqual(await find('\\n*', 'a\nb\n', { multiline: true }), { count: 3, lines: [0, 1] })
    assert.deepEqual(await find('(?:\\nz)?', '😀b', { multiline: true }), { count: 3, lines: [0] })
  })

  it('says of itself whether it needs the whole text', () => {
    const isWhole = (pattern: string, multiline: boolean) =>
      createTextSearch(pattern, { ignoreCase: false, multiline }, () => {}).acrossLines
    assert.deepEqual(
      [isWhole('a\\sb', true), isWhole('a.b', true), isWhole('ab', true), isWhole('a\\sb', false)],
      [true, true, false, false],
    )
  })

  it('stops at the first one when that is all that is asked', async () => {
    assert.deepEqual(await find('a\\n', 'a\na\n', { multiline: true, onlyFirst: true }), { count: 1, lines: [0] })
  })
})

it('others may run in between, line by line and across lines', async () => {
  for (const multiline of [false, true]) {
    let breaths = 0
    const search = createTextSearch('a\\s', { ignoreCase: false, multiline }, () => {
      breaths += 1
    })
    await search('a \n'.repeat(100_000), false)
    assert.ok(breaths >= 8, `${breaths} breaths`)
  }
})

it('lines are without their breaks, and the end of the last one begins no other', () => {
  assert.deepEqual(
    [splitLines(''), splitLines('\n'), splitLines('a'), splitLines('a\n'), splitLines('a\n\n')],
    [[], [''], ['a'], ['a'], ['a', '']],
  )
})
