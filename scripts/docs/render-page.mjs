// Markdown becomes HTML: headings get the anchors the usual hosts give them, links lead to pages of the site, code is colored.
import { Marked } from 'marked'
import { anchorOf } from './split-pages.mjs'

/** `link(href)` gives the address on the site, or undefined where the site has no such page. `color` is optional. */
export function createRenderer({ link, color }) {
  let sections = []
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens)
        const plain = plainText(text)
        const id = anchorOf(plain)
        if (depth <= 2) sections.push({ id: depth === 1 ? '' : id, title: plain, text: '' })
        return `<h${depth} id="${id}">${text}<a class="anchor" href="#${id}" aria-label="Link to this heading">#</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const target = link(href)
        if (target === undefined) return `<span class="file" title="${escaped(href)}, in the repository">${text}</span>`
        return `<a href="${escaped(target)}">${text}</a>`
      },
      code({ text, lang }) {
        const block = color?.(text, lang) ?? `<pre tabindex="0"><code>${escaped(text)}</code></pre>`
        // Output is there to be compared, not to be pasted.
        const [copy, label] = lang === 'text' ? ['', 'Output'] : [' data-copy', 'Code']
        const named = block.replace('<pre', `<pre role="group" aria-label="${label}"`)
        return `<div class="code"${copy}>${named}</div>\n`
      },
      table(token) {
        const cell = (tag, html) => `<${tag}>${html}</${tag}>`
        // An empty cell is the header of nothing.
        const row = (cells, tag) =>
          `<tr>${cells.map(({ text, tokens }) => cell(text === '' ? 'td' : tag, this.parser.parseInline(tokens))).join('')}</tr>`
        const head = token.header.some(({ text }) => text !== '') ? `<thead>${row(token.header, 'th')}</thead>` : ''
        // Without a mouse it is scrolled by the arrow keys, for which it has to have the focus.
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>${token.rows.map((cells) => row(cells, 'td')).join('\n')}</tbody></table></div>\n`
      },
    },
  })
  marked.use({ extensions: [memberOf(escaped)] })
  return (text) => {
    sections = []
    const html = marked.parse(text)
    return { html, sections: withTexts(html, sections) }
  }
}

/** A line `@@ path | type | text` of a generated page: a member with an address, its type and its sentence. */
function memberOf(safe) {
  return {
    name: 'member',
    level: 'block',
    start: (text) => text.match(/^@@ /m)?.index,
    tokenizer(text) {
      const found = /^@@ (.+?) \| (.*?) \| (.*)(?:\n|$)/.exec(text)
      if (!found) return
      const [raw, name, type, about] = found
      const token = { type: 'member', raw, name, kind: type, tokens: [] }
      this.lexer.inline(about, token.tokens)
      return token
    },
    renderer({ name, kind, tokens }) {
      const id = `member-${anchorOf(name)}`
      const type = kind === '' ? '' : ` <code class="type">${safe(kind)}</code>`
      const link = `<a class="anchor" href="#${id}" aria-label="Link to ${safe(name)}">#</a>`
      return `<div class="member"><h3 id="${id}"><code>${safe(name)}</code>${type}${link}</h3><p>${this.parser.parseInline(tokens)}</p></div>\n`
    },
  }
}

/** What search finds: the words below each heading. */
function withTexts(html, sections) {
  const [, ...texts] = html.split(/<h[12] id="[^"]*">/)
  return sections.map((section, at) => ({
    ...section,
    text: plainText((texts[at] ?? '').replace(/^[\s\S]*?<\/h[12]>/, ''))
      .replace(/\s+/g, ' ')
      .trim(),
  }))
}

export function plainText(html) {
  return html
    .replace(/<a class="anchor".*?<\/a>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .trim()
}

export function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
