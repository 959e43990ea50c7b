/** The thread that turns HTML into Markdown with a library that works on the whole page at once. See html-markdown.ts. */
import { parentPort, workerData } from 'node:worker_threads'
import TurndownService from 'turndown'
import { gfm } from 'turndown-plugin-gfm'
import type { HtmlPage, PageMarkdown } from '../documents/html-markdown.js'
import { parseUrl } from '../web/parse-url.js'

/** Never shown to a visitor, so not to a model either. */
const UNSEEN = ['script', 'style', 'noscript', 'template', 'iframe', 'object', 'canvas', 'svg', 'title'] as const

/** What is used here of an element; the library brings its own document, so there is no DOM of TypeScript's. */
type PageElement = { nodeName: string; getAttribute(name: string): string | null }
/** Other packages may give that name of the DOM a type without content. */
const elementOf = (node: unknown) => node as PageElement // of the library's document

function convert({ html, base }: HtmlPage): PageMarkdown {
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' })
  service.use(gfm)
  // The library types name the elements of a page; drawings are none of them.
  service.remove(UNSEEN as unknown as TurndownService.TagName[])
  // The plugin leaves tables without a heading as HTML.
  service.addRule('anyTable', { filter: 'table', replacement: (content: string) => `\n\n${content.trim()}\n\n` })
  service.addRule('hidden', { filter: (node) => isHidden(elementOf(node)), replacement: () => '' })
  service.addRule('resolvedLink', {
    filter: (node) => elementOf(node).nodeName === 'A' && elementOf(node).getAttribute('href') !== null,
    replacement(content, node) {
      const text = content.replace(/\s+/g, ' ').trim()
      const target = resolve(elementOf(node).getAttribute('href') ?? '', base)
      return text === '' || target === undefined ? text : `[${text}](${target})`
    },
  })
  // Pictures can't be seen, only what is said about them; their addresses are often long and never read.
  service.addRule('picture', {
    filter: 'img',
    replacement(_content, node) {
      const alt = (elementOf(node).getAttribute('alt') ?? '').replace(/\s+/g, ' ').trim()
      return alt === '' ? '' : `![${alt}]`
    },
  })
  const title = /<title\b[^>]{0,200}>([^<]{0,1000})/i.exec(html)?.[1] ?? ''
  return { title: service.turndown(title.replace(/\s+/g, ' ').trim()), markdown: service.turndown(html) }
}

function isHidden(node: PageElement): boolean {
  if (node.getAttribute('hidden') !== null || node.getAttribute('aria-hidden') === 'true') return true
  return /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(node.getAttribute('style') ?? '')
}

/** Undefined for what leads nowhere a reader could go. */
function resolve(href: string, base: string): string | undefined {
  const url = href.startsWith('#') ? undefined : parseUrl(href, base)
  if (!url || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return undefined
  return url.href.replaceAll('(', '%28').replaceAll(')', '%29')
}

// The question is what html-markdown.ts starts this thread with.
parentPort?.postMessage(convert(workerData as HtmlPage))
