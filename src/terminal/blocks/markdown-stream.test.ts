import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/fast-check.js'
import { withoutStyles } from '../screen/styled-text.js'
import { createStyles, plainStyles } from '../screen/styles.js'
import { inlineMarkdown } from './inline-markdown.js'
import { MarkdownStream, markdownLines } from './markdown-stream.js'

const plain = plainStyles()
const styles = createStyles({ hasColor: true, hasUnicode: true })

test('inside a line: marks become styles, and what is no mark stays', () => {
  const bold = (text: string) => `\u001b[1m${text}\u001b[22m`
  const table: [string, string][] = [
    ['**a** b', `${bold('a')} b`],
    ['2 ** 3 and **kwargs', '2 ** 3 and **kwargs'],
    ['snake_case_name', 'snake_case_name'],
    ['_a_', '\u001b[3ma\u001b[23m'],
    ['`a*b*`', '\u001b[36ma*b*\u001b[39m'],
    ['\\*a\\*', '*a*'],
    ['[x](https://e.example)', '\u001b[4mx\u001b[24m \u001b[2m(https://e.example)\u001b[22m'],
    ['a ` b', 'a ` b'],
  ]
  for (const [text, expected] of table) assert.equal(inlineMarkdown(text, styles), expected, text)
  // More of the line is to come: it will be closed.
  assert.equal(inlineMarkdown('see **bol', styles, true), `see ${bold('bol')}`)
})

test('blocks: headings, lists with a hanging indent, quotes, rules, tables, code as it is', () => {
  const text = '# T\n\n- one two three\n  - [x] sub\n> q\n---\n|a|b|\n|-|-|\n|1|2|\n```js\nif (x) {\t1 }\n```\nend'
  assert.deepEqual(markdownLines(text, 12, plain), [
    ...['T', '', '• one two', '  three', '  • [x] sub', '| q', '------------', 'a    b', '---  ---', '1    2', 'js'],
    ...['if (x) {    1 }', 'end'],
  ])
})

test('a table that does not fit becomes a block for each row', () => {
  const lines = markdownLines('|name|what it is|why|how|\n|-|-|-|-|\n|a|long words here|x|y|', 20, plain)
  assert.deepEqual(lines, ['name: a', 'what it is: long', '  words here', 'why: x', 'how: y'])
})

test('however a text is cut into pieces, what comes out is what comes out of the whole', () => {
  const word = fc.constantFrom(
    '**a**',
    'word ',
    '`c d`',
    '\n',
    '\n\n',
    '- x\n',
    '```ts\n',
    '```\n',
    '| a | b |\n',
    '|---|---|\n',
    '# h\n',
    '*i*',
    '文 ',
    '> q\n',
    '[l](u)',
  )
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 25 }),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      (words, sizes) => {
        const text = words.join('')
        const stream = new MarkdownStream(styles)
        const out: string[] = []
        for (let at = 0, n = 0; at < text.length; n += 1) {
          const size = sizes[n % sizes.length] ?? 1
          out.push(...stream.push(text.slice(at, at + size), 200))
          stream.tail(200)
          at += size
        }
        out.push(...stream.end(200))
        assert.deepEqual(out, markdownLines(text, 200, styles))
      },
    ),
  )
})

test('a line without an end is given row by row, each once', () => {
  const stream = new MarkdownStream(plain)
  const words = Array.from({ length: 300 }, (_, n) => `w${n}`)
  const out = words.flatMap((one) => {
    assert.ok(stream.tail(20).length <= 7)
    return stream.push(`${one} `, 20)
  })
  out.push(...stream.end(20))
  assert.deepEqual(withoutStyles(out.join(' ')).trim().split(/\s+/), words)
})

test('a paragraph that grows word by word is drawn twice per row at most, not once per word', () => {
  let drawn = 0
  const bold = (text: string) => {
    drawn += 1
    return text
  }
  const stream = new MarkdownStream({ ...plain, bold })
  const words = ['**begin**', ...Array.from({ length: 1200 }, (_, n) => ` word${n}`)]
  const rows = words.flatMap((word) => stream.push(word, 80))
  const length = words.join('').length
  assert.ok(drawn > 0 && drawn <= (2 * length) / 80, `${drawn} times for ${length} characters`)
  assert.equal([...rows, ...stream.end(80)].join(' '), words.join('').replaceAll('**', ''))
})
