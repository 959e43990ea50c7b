import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlToMarkdown } from './html-markdown.js'

const base = 'https://example.com/docs/'
const never = new AbortController().signal
const convert = (html: string) => htmlToMarkdown({ html, base }, never)

test('headings, links, lists, tables and code as Markdown', async () => {
  const page = await convert(`<html><head><title>The  page &amp; more</title></head><body>
    <h2>Install</h2><p>Read the <a href="../guide#x">guide <b>first</b></a>, or <a href="#top">go up</a>.</p>
    <ul><li>one<li>two</ul>
    <table><tr><th>a<th>b</tr><tr><td>1<td>2</tr></table>
    <pre><code class="language-js">let a = 1\nlet b</code></pre><img src="x.png" alt="A picture">`)
  assert.deepEqual(page, {
    title: 'The page & more',
    markdown: [
      '## Install',
      'Read the [guide **first**](https://example.com/guide#x), or go up.',
      '-   one\n-   two',
      '| a | b |\n| --- | --- |\n| 1 | 2 |',
      '```js\nlet a = 1\nlet b\n```',
      '![A picture]',
    ].join('\n\n'),
    cut: false,
    plain: false,
  })
})

test('what a visitor does not see is left out', async () => {
  const { markdown } = await convert(
    '<script>a()</script><style>b{}</style><p hidden>c</p><p style="color:red; display:none">d</p><div aria-hidden="true">e</div><template>f</template><svg><text>g</text></svg><p>seen</p>',
  )
  assert.equal(markdown, 'seen')
})

test('a table without a heading is still a table, and a long one takes no longer than it should', async () => {
  const rows = Array.from({ length: 2000 }, (_, i) => `<tr><td>${i}<td>x</tr>`).join('')
  const { markdown, plain } = await convert(`<table>${rows}</table>`)
  assert.equal(plain, false)
  assert.match(markdown, /^\| 0 \| x \|\n\| 1 \| x \|[\s\S]*\| 1999 \| x \|$/)
})

test('links that lead nowhere, or into a script, keep their words only', async () => {
  const { markdown } = await convert(
    '<a href="javascript:x()">one</a> <a href="data:,x">two</a> <a href="http://[">three</a> <a href="/a(b)">four</a>',
  )
  assert.equal(markdown, 'one two three [four](https://example.com/a%28b%29)')
})

test('what the library cannot cope with comes as bare text', async () => {
  const html = `${'<div>'.repeat(200_000)}<p>the words</p><script>no()</script>`
  const { markdown, plain } = await htmlToMarkdown({ html, base }, never, 1000)
  assert.deepEqual([plain, markdown], [true, 'the words'])
})

test('an abort ends the thread', async () => {
  const controller = new AbortController()
  const page = htmlToMarkdown({ html: '<b>'.repeat(50_000), base }, controller.signal)
  controller.abort()
  assert.equal((await page).plain, true)
})
