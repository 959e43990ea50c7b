/** Parts of markdown: marks inside a line, tables, changes; and numbers as people read them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../../test/fast-check.js'
import { textWidth, withoutStyles } from '../screen/styled-text.js'
import { createStyles, detectTerminalAbilities, plainStyles } from '../screen/styles.js'
import { countChanges, diffLines, readDiffHunks } from './diff-lines.js'
import { inlineMarkdown } from './inline-markdown.js'
import { agoText, costText, durationText, shortCount } from './short-texts.js'
import { isTableSeparator, tableLines } from './table-lines.js'

const plain = plainStyles()
/** Marks that can be read. */
const tagged = {
  ...plain,
  bold: (text: string) => `<b>${text}</b>`,
  italic: (text: string) => `<i>${text}</i>`,
  strike: (text: string) => `<s>${text}</s>`,
  cyan: (text: string) => `<c>${text}</c>`,
  underline: (text: string) => `<u>${text}</u>`,
}

describe('marks inside a line', () => {
  const cases: [markdown: string, shown: string][] = [
    ['**bold** and *italic*', '<b>bold</b> and <i>italic</i>'],
    ['__bold__ and _italic_', '<b>bold</b> and <i>italic</i>'],
    ['~~gone~~', '<s>gone</s>'],
    ['`code` and `` a ` b ``', '<c>code</c> and <c>a ` b</c>'],
    ['`**not bold**`', '<c>**not bold**</c>'],
    // Names of things are no marks.
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
    ['a*b', 'a*b'],
    ['\\*not italic\\*', '*not italic*'],
    ['**never closed', '**never closed'],
    ['[docs](https://example.com)', '<u>docs</u> (https://example.com)'],
    ['[https://example.com](https://example.com)', '<u>https://example.com</u>'],
    ['![picture](a.png)', '<u>picture</u> (a.png)'],
    ['[no link]', '[no link]'],
  ]
  for (const [markdown, shown] of cases)
    test(markdown, () => {
      assert.equal(inlineMarkdown(markdown, tagged), shown)
    })

  test('while more of the line is to come, an open mark counts as closed at its end', () => {
    assert.equal(inlineMarkdown('so **bol', tagged, true), 'so <b>bol</b>')
    assert.equal(inlineMarkdown('run `npm t', tagged, true), 'run <c>npm t</c>')
    assert.equal(inlineMarkdown('run `', tagged, true), 'run `')
  })

  test('whatever is written, no word is lost', () => {
    const unit = fc.constantFrom('a', 'b', ' ', '*', '_', '`', '~', '[', ']', '(', ')', '\\')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), (text) => {
        const letters = (of: string) => of.replace(/[^ab]/g, '')
        assert.equal(letters(inlineMarkdown(text, plain)), letters(text))
      }),
    )
  })
})

describe('tables', () => {
  const source = ['| name | size |', '|---|--:|', '| a.ts | 12 |', '| long \\| name | **3** |']

  test('columns where they fit', () => {
    assert.deepEqual(tableLines(source, 60, plain), [
      'name         size',
      '-----------  ----',
      'a.ts         12',
      'long | name  3',
    ])
  })

  test('narrow: cells are wrapped; too narrow for that: a block for each row', () => {
    const narrow = tableLines(['| a | b |', '|-|-|', `| ${'word '.repeat(8)} | x |`], 24, plain)
    assert.ok(narrow.length > 3 && narrow.every((line) => line.length <= 24), narrow.join('\n'))
    assert.deepEqual(tableLines(source, 10, plain), ['name: a.ts', 'size: 12', '', 'name: long', '  | name', 'size: 3'])
  })

  test('which line makes a table of those around it', () => {
    for (const line of ['|---|---|', '---|---', ' :--: | --- ', '|-|']) assert.equal(isTableSeparator(line), true, line)
    for (const line of ['', '|', '| a |', '::', '--a--|']) assert.equal(isTableSeparator(line), false, line)
  })

  test('whatever is in it, no line is wider than the screen', () => {
    const cell = fc.constantFrom('a', 'two words', '文字', 'averyveryverylongword')
    const row = fc.array(cell, { minLength: 2, maxLength: 4 }).map((cells) => `| ${cells.join(' | ')} |`)
    fc.assert(
      fc.property(row, fc.array(row, { maxLength: 4 }), fc.integer({ min: 24, max: 80 }), (head, body, columns) => {
        for (const line of tableLines([head, '|-|-|', ...body], columns, plain))
          assert.ok(textWidth(line) <= columns, `${textWidth(line)} > ${columns}: ${line}`)
      }),
    )
  })
})

describe('changes', () => {
  const hunks = [
    { oldStart: 9, newStart: 9, lines: [' same', '-old', '+new', '+more'] },
    { oldStart: 40, newStart: 41, lines: ['-gone', '\\ No newline at end of file'] },
  ]

  test('lines have their numbers, before and after, with a sign where some are left out', () => {
    assert.deepEqual(diffLines(hunks, 40, plain), [
      ...[' 9   same', '10 - old', '10 + new', '11 + more'],
      ...['   ...', '40 - gone'],
    ])
    assert.deepEqual(countChanges(hunks), { added: 2, removed: 2 })
  })

  test('what a tool tells of a change, or something else', () => {
    assert.deepEqual(
      readDiffHunks({ structuredPatch: [{ oldStart: 2, newStart: 3, lines: ['+a'] }, null, { lines: 7 }] }),
      [
        { oldStart: 2, newStart: 3, lines: ['+a'] },
        { oldStart: 1, newStart: 1, lines: [] },
      ],
    )
    for (const other of [undefined, null, 'x', {}, { structuredPatch: 7 }])
      assert.equal(readDiffHunks(other), undefined)
  })
})

test('numbers as people read them', () => {
  assert.deepEqual([0, 999, 1000, 12_345, 1_200_000].map(shortCount), ['0', '999', '1.0k', '12k', '1.2M'])
  assert.deepEqual([5, 65, 3700].map(durationText), ['5 s', '1 min 5 s', '1 h 1 min'])
  assert.deepEqual([0, 0.0123, 0.5, 12.345].map(costText), ['', '$0.0123', '$0.500', '$12.35'])
  const now = 10_000_000_000
  const minute = 60_000
  assert.deepEqual(
    [0, 5, 120, 3000].map((minutes) => agoText(now - minutes * minute, now)),
    ['now', '5 min ago', '2 h ago', '2 days ago'],
  )
})

test('styles: NO_COLOR takes colors and leaves bold; an old terminal gets plain signs', () => {
  const { hasColor, hasUnicode } = detectTerminalAbilities({ LANG: 'en_US.UTF-8' })
  assert.deepEqual([hasColor, hasUnicode], [true, true])
  assert.equal(detectTerminalAbilities({ NO_COLOR: '1' }).hasColor, false)
  for (const env of [{ TERM: 'linux' }, { LANG: 'C' }, { LC_ALL: 'de_DE.ISO-8859-1', LANG: 'C.UTF-8' }])
    assert.equal(detectTerminalAbilities(env).hasUnicode, false, JSON.stringify(env))
  const styles = createStyles({ hasColor: false, hasUnicode: false })
  assert.deepEqual([styles.red('x'), styles.bold('x'), styles.sign.tick], ['x', '\u001b[1mx\u001b[22m', '+'])
  assert.equal(withoutStyles(createStyles({ hasColor: true, hasUnicode: true }).red('x')), 'x')
  assert.equal(createStyles({ hasColor: true, hasUnicode: true }).red(''), '')
})
