import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../test/fast-check.js'
import { findImportReferences, withoutHtmlComments } from './import-references.js'

/** As written. */
const found = (...lines: string[]) => findImportReferences(lines.join('\n')).map(([written]) => written)

describe('what a file imports', () => {
  const rows: [what: string, lines: string[], paths: string[]][] = [
    ['at the start of a line', ['@docs/style.md'], ['docs/style.md']],
    ['inside a sentence', ['See @README.md for more'], ['README.md']],
    ['in brackets', ['(@a.md)'], ['a.md)']],
    ['several, in order', ['@b @a', '@c'], ['b', 'a', 'c']],
    ['each once', ['@a and @b and @a'], ['a', 'b']],
    ['from home', ['@~/.claude/own.md'], ['~/.claude/own.md']],
    ['from the root', ['@/etc/x.md'], ['/etc/x.md']],
    ['from here and above', ['@./a @../b'], ['./a', '../b']],
    ['a blank with a backslash before it', ['@my\\ notes.md x'], ['my notes.md']],
    ['letters of other languages', ['@заметки.md @メモ.md'], ['заметки.md', 'メモ.md']],
    ['no address of mail', ['ada@example.com'], []],
    ['nothing behind it', ['@ x', '@'], []],
    ['other signs', ['@#x @!y @*z @@w @-flag'], ['-flag']],
    ['another home', ['@~ada/x'], []],
    ['inside code', ['`@a` ``@b ` @c`` @d'], ['d']],
    ['backticks that are not closed are just backticks', ['` @a'], ['a']],
    ['a span over two lines of a paragraph', ['`x', '@a` @b'], ['b']],
    ['a span ends with its paragraph', ['` x', '', '@a `'], ['a']],
    ['between fences', ['```', '@a', '```', '@b'], ['b']],
    ['between other fences', ['~~~md', '@a', '```', '@b', '~~~', '@c'], ['c']],
    ['a longer fence is closed by one as long', ['````', '```', '@a', '````', '@b'], ['b']],
    ['a fence with a word does not close', ['```', '``` js', '@a', '```', '@b'], ['b']],
    ['a fence that is never closed', ['```', '@a', '', '@b'], []],
    ['three backticks and one more are a span', ['```x``` @a'], ['a']],
    ['indented code', ['text', '', '    @a', '', '@b'], ['b']],
    ['an indented line goes on with its paragraph', ['text', '    @a'], ['a']],
    ['a list that goes on', ['- item', '', '    @a', '', 'text', '', '    @b'], ['a']],
    ['a numbered list that goes on', ['12. item', '', '    @a'], ['a']],
  ]
  for (const [what, lines, paths] of rows) it(what, () => assert.deepEqual(found(...lines), paths))

  it('comes in two spellings where punctuation may not belong to it', () => {
    assert.deepEqual(findImportReferences('Read @a.md, then (@b.md). **@c.md**, "@d" @e_ @f?!'), [
      ['a.md,', 'a.md'],
      ['b.md).', 'b.md'],
      ['e_', 'e'],
      ['f?!', 'f'],
    ])
    assert.deepEqual(findImportReferences('@..'), [['..']])
  })

  it('is a path of sensible length, and a list of sensible length', () => {
    assert.deepEqual(found(`@${'a'.repeat(1024)} @${'b'.repeat(1025)} @c`), ['a'.repeat(1024), 'c'])
    const many = Array.from({ length: 150 }, (_, n) => `@file${n}`)
    assert.deepEqual(
      found(many.join(' ')),
      many.slice(0, 100).map((one) => one.slice(1)),
    )
  })

  it('is found wherever it stands between words of a paragraph', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}[.,]?$/)
    const path = fc.stringMatching(/^[a-z]{1,5}(\/[a-z]{1,5}){0,2}\.md$/)
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            word,
            path.map((one) => `@${one}`),
          ),
        ),
        fc.constantFrom(' ', '\n'),
        (words, glue) => {
          const wanted = words.filter((one) => one.startsWith('@')).map((one) => one.slice(1))
          assert.deepEqual(found(words.join(glue)), [...new Set(wanted)])
        },
      ),
    )
  })
})

describe('comments', () => {
  const rows: [what: string, lines: string[], kept: string[]][] = [
    ['on a line of its own', ['a', '<!-- note -->', 'b'], ['a', 'b']],
    ['over several lines', ['a', '<!-- one', '', 'two -->', 'b'], ['a', 'b']],
    ['with text behind it', ['<!-- note --> rest', 'b'], [' rest', 'b']],
    ['inside a line stays', ['a <!-- note --> b'], ['a <!-- note --> b']],
    ['indented a little', ['   <!-- note -->', 'b'], ['b']],
    ['indented as code stays', ['    <!-- note -->', 'b'], ['    <!-- note -->', 'b']],
    ['between fences stays', ['```html', '<!-- note -->', '```'], ['```html', '<!-- note -->', '```']],
    ['that is never closed stays', ['<!-- note', 'b'], ['<!-- note', 'b']],
    ['its end does not stand inside its beginning', ['<!-->', 'b', '-->', 'c'], ['c']],
    ['two of them', ['<!-- a -->', 'x', '<!-- b -->', 'y'], ['x', 'y']],
    ['fences inside of it are none', ['<!--', '```', '-->', '<!-- b -->', 'x'], ['x']],
    ['nothing else', ['<!-- a -->'], ['']],
  ]
  for (const [what, lines, kept] of rows) {
    it(what, () => assert.equal(withoutHtmlComments(lines.join('\n')), kept.join('\n')))
  }

  it('text without any is not touched', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const plain = text.replaceAll('<!--', '')
        assert.equal(withoutHtmlComments(plain), plain)
      }),
    )
  })

  it('nothing but lines that belong to comments goes', () => {
    const line = fc.constantFrom('a', '<!-- x -->', '<!-- x', 'y -->', '```', '    <!-- z -->', '', '<!--> b')
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const kept = withoutHtmlComments(lines.join('\n')).split('\n')
        assert.ok(kept.length <= Math.max(1, lines.length))
        // In the order they were, each a line or the end of one.
        let at = 0
        for (const one of kept.filter((text) => text !== '')) {
          while (at < lines.length && !lines[at]?.endsWith(one)) at += 1
          assert.ok(at < lines.length, one)
          at += 1
        }
      }),
    )
  })
})
