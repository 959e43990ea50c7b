/** Markdown of models and strangers, as the nodes a reader gets: in whatever pieces it comes, and with nothing in it that acts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc, { anyCharacter } from '../fast-check.js'
import { installPage } from './page-globals.js'
import { installTinyDocument, shapeOf, TinyElement, type TinyNode } from './tiny-document.js'

installPage()
installTinyDocument()
const { createMarkdownWriter } = await import('../../web/safe/markdown.js')

type Shown = { root: TinyElement; shapes: string[]; codes: string[] }

function write(...pieces: string[]): Shown {
  const root = new TinyElement('div')
  const codes: string[] = []
  const onCode = (code: HTMLElement) => void codes.push(code.textContent ?? '')
  const writer = createMarkdownWriter(root as unknown as HTMLElement, onCode) // as much of an element as it uses
  for (const piece of pieces) writer.write(piece)
  writer.end()
  return { root, shapes: root.childNodes.map(shapeOf), codes }
}
function elements(node: TinyNode): TinyElement[] {
  return [...(node instanceof TinyElement ? [node] : []), ...node.childNodes.flatMap(elements)]
}
const find = ({ root }: Shown, name: string) => elements(root).filter((one) => one.localName === name)

describe('what marks become', () => {
  const table: [about: string, text: string, shapes: string[]][] = [
    ['words', 'a **b** _c_ ~~d~~ `e`', ['p(a strong(b) em(c) s(d) code(e))']],
    ['paragraphs', 'one\n\ntwo', ['p(one)', 'p(two)']],
    ['a quote', '> said', ['blockquote(p(said))']],
    ['a list', '- one\n- two', ['ul(li(one)li(two))']],
    ['boxes', '- [ ] open\n- [x] done', ['ul(li(span.box(☐) open)li(span.box(☑) done))']],
    [
      'a table',
      '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n',
      ['div.table(table(thead(tr(th(a)th(b)))tbody(tr(td(1)td(2))tr(td(3)td(4)))))'],
    ],
    ['an ordered list with brackets', '1) one\n2) two', ['ol(li(one)li(two))']],
    ['a list with space in it', '1. a\n\n   more\n\n2. b', ['ol(li(p(a)p(more))li(p(b)))']],
    ['a heading with a line under it', 'Title\n===\n\ntext', ['p.heading.h1(Title)', 'p(text)']],
    ['a rule', 'a\n\n---\n\nb', ['p(a)', 'hr()', 'p(b)']],
  ]
  for (const [about, text, shapes] of table)
    test(about, () => {
      const inOne = (lines: string[]) => lines.map((line) => line.replace(/\s+/g, ' ').replace(/ ?([()]) ?/g, '$1'))
      assert.deepEqual(inOne(write(text).shapes), inOne(shapes))
    })

  test('headings are headings inside of a message, whatever their level', () => {
    for (const marks of ['#', '###', '######']) {
      const [heading] = find(write(`${marks} Title\n`), 'p')
      assert.equal(heading?.textContent, 'Title')
      assert.deepEqual([heading?.attributes.get('role'), heading?.attributes.get('aria-level')], ['heading', '2'])
      assert.ok(heading?.classList.contains(`h${marks.length}`))
    }
  })

  test('an ordered list keeps the number it begins with', () => {
    assert.equal(find(write('7. seven\n8. eight'), 'ol')[0]?.attributes.get('start'), '7')
  })
})

describe('names and signs of programs are read as they were written', () => {
  const same = [
    ...['call user_id_map and MAX_RETRY_COUNT', 'utils/my_helper_file.py', '_id is private', 'snake_case_ and _x'],
    ...['$HOME and $PATH', 'cost $5 or $$', 'arr[0][1] and a[i]', 'see [^1] and [x]', '*.ts and *.js'],
    ...['**kwargs and *args', 'a \\d+ and C:\\dir', '~/.config and ~user', '[ref]: later', 'if a < b && c > d'],
  ]
  for (const text of same)
    test(text, () => {
      assert.deepEqual(write(text).shapes, [`p(${text})`])
      assert.deepEqual(write(...text).shapes, [`p(${text})`])
    })

  test('what stands for a sign is the sign, but not in code, and never a control', () => {
    assert.deepEqual(write('a &lt;b&gt; &amp; &#x27; `&lt;` &#27;[1m').shapes, ["p(a <b> & ' code(&lt;) [1m)"])
  })
})

describe('code', () => {
  test('stays as it is, can be scrolled by keys, and is told of when it is complete', () => {
    const shown = write('```ts\nconst a = "<b>"\n\n  **x**\n```\n')
    const [block] = find(shown, 'pre')
    assert.equal(block?.textContent, 'const a = "<b>"\n\n  **x**')
    assert.deepEqual([block?.tabIndex, block?.attributes.get('aria-label')], [0, 'Code'])
    assert.equal(find(shown, 'code')[0]?.dataset['language'], 'ts')
    assert.deepEqual(shown.codes, ['const a = "<b>"\n\n  **x**'])
  })

  test('in a line is not told of, and is no block', () => {
    const shown = write('run `ls` now')
    assert.deepEqual([shown.codes, find(shown, 'pre').length], [[], 0])
  })

  test('a name of a language is a name and nothing more', () => {
    const [code] = find(write('```ts" onclick="x()\nx\n```'), 'code')
    assert.match(code?.dataset['language'] ?? '', /^[\w+#-]{0,30}$/)
  })

  test('that was never closed is code to the end', () => {
    const shown = write('```\na', '\nb')
    assert.equal(find(shown, 'pre')[0]?.textContent, 'a\nb')
    assert.equal(shown.codes.length, 1)
  })
})

describe('links', () => {
  test('lead away in a tab of their own, and say where', () => {
    const [link] = find(write('[the docs](https://docs.example/a?b=1)'), 'a')
    assert.equal(link?.textContent, 'the docs (docs.example)')
    assert.deepEqual(Object.fromEntries(link?.attributes ?? []), {
      href: 'https://docs.example/a?b=1',
      title: 'https://docs.example/a?b=1',
      target: '_blank',
      rel: 'noopener noreferrer nofollow',
    })
  })

  test('words that name another place than the link do not hide it', () => {
    const [link] = find(write('[bank.example](https://evil.example/)'), 'a')
    assert.equal(link?.textContent, 'bank.example (evil.example)')
  })

  test('a bare address is a link, and its host is not said twice', () => {
    const [link] = find(write('see https://docs.example/a now'), 'a')
    assert.deepEqual(
      [link?.textContent, link?.attributes.get('href')],
      [...['https://docs.example/a', 'https://docs.example/a']],
    )
  })

  test('an address at the very end of a message is one, too', () => {
    const [link] = find(write('see https://docs.example/a'), 'a')
    assert.equal(link?.attributes.get('href'), 'https://docs.example/a')
  })

  for (const address of ['javascript:alert', 'data:text/html,x', 'file:///etc/passwd', './relative'])
    test(`${address} is text`, () => {
      const [link] = find(write(`[click](${address})`), 'a')
      assert.equal(link?.attributes.has('href'), false)
      assert.equal(link?.textContent, `click (${address})`)
    })

  test('an image is a link: nothing is fetched because it was looked at', () => {
    const shown = write('![a chart](https://evil.example/track.png)')
    assert.deepEqual(find(shown, 'img'), [])
    const [link] = find(shown, 'a')
    assert.equal(link?.textContent, '🖼 a chart (evil.example)')
    assert.equal(link?.attributes.get('href'), 'https://evil.example/track.png')
  })
})

describe('text of strangers', () => {
  test('tags are words', () => {
    const shown = write('a <script>alert(1)</script> <img src=x onerror=y>')
    assert.deepEqual(shown.shapes, ['p(a <script>alert(1)</script> <img src=x onerror=y>)'])
  })

  test('controls are gone, and what turns lines around is marked', () => {
    assert.deepEqual(write('a\u001b[31mb\u0007 c\u202ed').shapes, ['p(ab c[U+202E]d)'])
  })

  const ALLOWED = /^(?:div|button|p|br|hr|em|strong|s|code|pre|a|ul|ol|li|blockquote|span|table|thead|tbody|tr|th|td)$/
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom('**', '`', '```\n', '[a](', 'https://e.example', 'javascript:x', ')', '![', ']', '\n', '\n\n'),
      fc.constantFrom('- ', '> ', '# ', '|a|b|\n|-|-|\n', '<script>', '1. ', '- [x] ', '~~', '_'),
      fc.string({ unit: anyCharacter, maxLength: 8 }),
    ),
    { maxLength: 25 },
  )
  test('whatever comes, only these elements come out, and links lead to pages and mail only', () => {
    fc.assert(
      fc.property(pieces, (some) => {
        for (const element of elements(write(...some).root)) {
          assert.match(element.localName, ALLOWED)
          const href = element.attributes.get('href')
          if (href !== undefined) assert.match(href, /^(?:https?|mailto):/)
        }
      }),
    )
  })

  test('in one piece or letter by letter, it becomes the same', () => {
    const text =
      '# T\n\nSome **bold** and `code`, [a](https://e.example).\n\n```js\nlet a = 1\n```\n\n- x\n- y\n\n| a |\n|-|\n| 1 |\n'
    assert.deepEqual(write(...text).shapes, write(text).shapes)
  })

  test('what is long, or deep in itself, is shown all the same', () => {
    for (const text of ['_a'.repeat(20_000), `${'> '.repeat(3000)}a`, `${'- '.repeat(3000)}a`, '['.repeat(20_000)])
      assert.equal(write(text).root.textContent, text)
  })

  test('nodes that were shown stay while more comes', () => {
    const root = new TinyElement('div')
    const writer = createMarkdownWriter(root as unknown as HTMLElement, () => {}) // as much of an element as it uses
    writer.write('- one\n- tw')
    const [list] = root.childNodes
    const [item] = list?.childNodes ?? []
    const words = item?.childNodes[0]
    writer.write('o\n\n')
    writer.write('after')
    assert.deepEqual(root.childNodes.map(shapeOf), ['ul(li(one)li(two))', 'p(after)'])
    assert.ok(root.childNodes[0] === list && list?.childNodes[0] === item && item?.childNodes[0] === words)
  })
})
