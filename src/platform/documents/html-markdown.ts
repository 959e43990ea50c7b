/** HTML as Markdown for a model to read: what a visitor would see, without scripts, styles and hidden parts. */
import { runInThread } from '../programs/thread.js'

/** The HTML of a web page, and its address. */
export type HtmlPage = {
  html: string
  /** Links are resolved against it. */
  base: string
}

/** The Markdown of a web page. */
export type PageMarkdown = { title: string; markdown: string }

/** A page of a megabyte takes a few seconds; one made to take hours is cut off. */
const LIMITS = { maxMs: 15_000, maxHeapMb: 512 }
/** Maximum characters of HTML; the rest is dropped. */
const MAX_HTML = 3_000_000

/**
 * Converts a web page to Markdown in a worker thread. Where the library does not come to an end, the bare text of the
 * page: `plain` says so.
 */
export async function htmlToMarkdown(
  question: HtmlPage,
  signal: AbortSignal,
  maxMs = LIMITS.maxMs,
): Promise<PageMarkdown & { cut: boolean; plain: boolean }> {
  const cut = question.html.length > MAX_HTML
  const html = question.html.slice(0, MAX_HTML)
  const outcome = await runInThread<PageMarkdown>('html-worker', { ...question, html }, { ...LIMITS, maxMs }, signal)
  if (outcome.ok) return { ...outcome.answer, cut, plain: false }
  return { title: '', markdown: bareText(html), cut, plain: true }
}

/** Each step goes through the text once, whatever is in it. */
function bareText(html: string): string {
  return withoutElements(html, ['script', 'style', 'template', 'noscript'])
    .replace(/<[^<>]*>?/g, ' ')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim()
}

function withoutElements(html: string, names: readonly string[]): string {
  const open = new RegExp(`<(${names.join('|')})\\b`, 'gi')
  const kept: string[] = []
  let at = 0
  for (let match = open.exec(html); match; match = open.exec(html)) {
    kept.push(html.slice(at, match.index))
    const end = new RegExp(`</${match[1]}\\b[^>]*>`, 'gi')
    end.lastIndex = open.lastIndex
    at = end.exec(html) ? end.lastIndex : html.length
    open.lastIndex = at
  }
  return kept.join(' ') + html.slice(at)
}
