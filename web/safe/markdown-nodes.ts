/** Renders CommonMark blocks to DOM nodes. HTML tags stay text, and links show their target. */
import { Lexer, type MarkedToken, type Token, Tokenizer, type Tokens } from 'marked'
import { T } from '../texts.js'
import { safeAddress, showHiddenCharacters, toDisplaySafeText, withoutControls } from './clean-text.js'

export type MarkdownNode = HTMLElement | Text
export type MarkdownBlock = { raw: string; token: Token }

/** The longest block parsed as Markdown. Parsing time can grow with the square of the length, so longer blocks stay text. */
const LONGEST_INLINE = 5000
const MOST_NESTED = /^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*){30}/m

/** How long a button says that the code is copied. */
const COPIED_MS = 2000

class Words extends Tokenizer {
  override html(): undefined {}
  /** Ignores link definitions: a rendered link would change when its definition arrives. */
  override def(): undefined {}
  override tag(src: string): Tokens.Tag | undefined {
    const [raw] = /^<br\s*\/?>/i.exec(src) ?? []
    // Same as the rule for tags, except for the type.
    return raw === undefined ? undefined : ({ type: 'br', raw, text: raw } as unknown as Tokens.Tag)
  }
}

/** Splits into blocks, each with the text up to the next one. */
export function markdownBlocks(text: string): MarkdownBlock[] {
  if (MOST_NESTED.test(text)) return [asWords(text)]
  const lexer = new Lexer({ gfm: true, breaks: true, tokenizer: new Words() })
  const blocks: MarkdownBlock[] = []
  for (const token of lexer.blockTokens(text, [])) {
    const before = blocks.at(-1)
    if (token.type !== 'space') blocks.push({ raw: token.raw, token })
    else if (before) before.raw += token.raw
    else if (token.raw.trim() !== '') blocks.push(asWords(token.raw))
  }
  for (const { src, tokens } of lexer.inlineQueue) {
    if (src.length > LONGEST_INLINE) tokens.push({ type: 'text', raw: src, text: src })
    else lexer.inlineTokens(src, tokens)
  }
  return blocks
}

function asWords(text: string): MarkdownBlock {
  return { raw: text, token: { type: 'paragraph', raw: text, text, tokens: [{ type: 'text', raw: text, text }] } }
}

const TAGS: Record<string, string> = {
  blockquote: 'blockquote',
  paragraph: 'p',
  br: 'br',
  hr: 'hr',
  em: 'em',
  strong: 'strong',
  del: 's',
  list_item: 'li',
  link: 'a',
}

/** Returns all nodes of the tokens. A text block inside another block stands for its words. */
function nodesOf(tokens: readonly Token[] = []): MarkdownNode[] {
  return tokens.flatMap((token) => {
    if (token.type === 'space') return []
    return token.type === 'text' && 'tokens' in token && token.tokens ? nodesOf(token.tokens) : [toMarkdownNode(token)]
  })
}

export function toMarkdownNode(given: Token): MarkdownNode {
  const token = given as MarkedToken // no extension adds others
  switch (token.type) {
    case 'heading': {
      // All headings get one level, because they stand inside a message.
      const node = make('p', `heading h${token.depth}`, nodesOf(token.tokens))
      node.setAttribute('role', 'heading')
      node.setAttribute('aria-level', '2')
      return node
    }
    case 'code':
      return codeBlock(token)
    case 'codespan':
      return make('code', '', [textNode(token.text)])
    case 'checkbox':
      return make('span', 'box', [textNode(token.checked ? '☑' : '☐')])
    case 'list': {
      const node = make(token.ordered ? 'ol' : 'ul', '', token.items.map(toMarkdownNode))
      if (token.ordered && token.start !== 1) node.setAttribute('start', String(token.start))
      return node
    }
    case 'table': {
      const row = (cells: readonly Tokens.TableCell[], tag: string) =>
        make(
          'tr',
          '',
          cells.map(({ tokens, align }) => make(tag, align === null ? '' : `to-${align}`, nodesOf(tokens))),
        )
      const rows = token.rows.map((cells) => row(cells, 'td'))
      const parts = [
        make('thead', '', [row(token.header, 'th')]),
        ...(rows.length > 0 ? [make('tbody', '', rows)] : []),
      ]
      return make('div', 'table', [make('table', '', parts)])
    }
    case 'link':
      return finishLink(make('a', '', nodesOf(token.tokens)), decoded(token.href))
    // An image becomes a link, because loading it would report the reader to its server.
    case 'image':
      return finishLink(make('a', 'image', [textNode(T.image + decoded(token.text))]), decoded(token.href))
    case 'escape':
      return textNode(token.text)
    default: {
      const tag = TAGS[token.type]
      if (tag !== undefined) return make(tag, '', 'tokens' in token ? nodesOf(token.tokens) : [])
      if (token.type === 'text' && token.tokens) return make('p', '', nodesOf(token.tokens))
      return textNode(decoded(token.raw))
    }
  }
}

function codeBlock({ text, lang = '' }: Tokens.Code): HTMLElement {
  const code = make('code', '', [textNode(text)])
  const language = lang.replace(/[^\w+#-]/g, '').slice(0, 30)
  if (language !== '') code.dataset['language'] = language
  const block = make('pre', '', [code])
  // Focusable, so the keyboard can scroll it sideways.
  block.tabIndex = 0
  block.setAttribute('role', 'group')
  block.setAttribute('aria-label', T.code)
  const copy = make('button', 'copy-code small', [textNode(T.copyCode)])
  copy.setAttribute('type', 'button')
  const head = make('div', 'code-head', [make('span', 'language', [textNode(language)]), copy])
  return make('div', 'code-block', [head, block])
}

/** Copies the code whose button was pressed, and says so in the button. */
export async function copyCodeOf(target: EventTarget | null): Promise<void> {
  const button = target instanceof Element ? target.closest('button.copy-code') : null
  const code = button?.closest('.code-block')?.querySelector('code')
  if (!button || !code) return
  const isCopied = await navigator.clipboard.writeText(code.textContent ?? '').then(
    () => true,
    () => false,
  )
  button.textContent = isCopied ? T.copied : T.cantCopy
  setTimeout(() => {
    button.textContent = T.copyCode
  }, COPIED_MS)
}

const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: '\u00a0' }

/** Decodes character references such as `&lt;`. */
function decoded(text: string): string {
  const one = (whole: string, name: string, decimal: string, hex: string) => {
    if (name) return NAMED[name] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? withoutControls(String.fromCodePoint(code)) : whole
  }
  return text.replace(/&(?:(lt|gt|amp|quot|apos|nbsp)|#(\d{1,7})|#[xX]([\da-fA-F]{1,6}));/g, one)
}

/** Shows the link's target beside its text. */
function finishLink(node: HTMLElement, address: string): HTMLElement {
  const url = safeAddress(address)
  if (!url) {
    const target = toDisplaySafeText(address)
    if (target !== '' && target !== node.textContent) node.append(` (${target})`)
    return node
  }
  node.setAttribute('href', url.href)
  node.setAttribute('target', '_blank')
  node.setAttribute('rel', 'noopener noreferrer nofollow')
  node.setAttribute('title', url.href)
  const host = url.host || url.pathname
  if (!node.textContent?.includes(host))
    node.append(make('span', 'target', [textNode(` (${toDisplaySafeText(host)})`)]))
  return node
}

/** Added after parsing, because Markdown would read the brackets of a mark as a link. */
function textNode(text: string): Text {
  return document.createTextNode(showHiddenCharacters(text))
}

function make(tag: string, className = '', children: readonly MarkdownNode[] = []): HTMLElement {
  const node = document.createElement(tag)
  if (className !== '') node.className = className
  node.append(...children)
  return node
}
