/** Markdown as it streams, straight into nodes: nothing is parsed twice, and no text ever becomes markup. */
import * as smd from 'streaming-markdown'
import { T } from '../texts.js'
import { clean, safeAddress, withMarks, withoutControls } from './clean-text.js'

type Data = { nodes: Node[]; links: Map<Node, string> }

const TAGS: Partial<Record<smd.Token, string>> = {
  [smd.BLOCKQUOTE]: 'blockquote',
  [smd.PARAGRAPH]: 'p',
  [smd.LINE_BREAK]: 'br',
  [smd.RULE]: 'hr',
  [smd.ITALIC_AST]: 'em',
  [smd.ITALIC_UND]: 'em',
  [smd.STRONG_AST]: 'strong',
  [smd.STRONG_UND]: 'strong',
  [smd.STRIKE]: 's',
  [smd.CODE_INLINE]: 'code',
  [smd.LINK]: 'a',
  [smd.RAW_URL]: 'a',
  // What is shown from elsewhere would tell there that it was looked at: an image is a link to it.
  [smd.IMAGE]: 'a',
  [smd.LIST_UNORDERED]: 'ul',
  [smd.LIST_ORDERED]: 'ol',
  [smd.LIST_ITEM]: 'li',
  [smd.EQUATION_BLOCK]: 'code',
  [smd.EQUATION_INLINE]: 'code',
}

export type MarkdownWriter = { write(text: string): void; end(): void }

/** `onCode` gets each block of code when it is complete. */
export function markdownInto(root: HTMLElement, onCode: (code: HTMLElement) => void): MarkdownWriter {
  const data: Data = { nodes: [root], links: new Map() }
  const close = () => {
    const node = data.nodes.pop()
    if (!(node instanceof HTMLElement)) return
    if (node.localName === 'a') finishLink(node, data.links.get(node) ?? '')
    if (node.localName === 'code' && node.parentElement?.localName === 'pre') onCode(node)
  }
  const parser = smd.parser({
    data,
    add_token: addToken,
    end_token: close,
    // Marks have brackets, which Markdown would read as a link: they come after it.
    add_text: (data: Data, text: string) => top(data).appendChild(document.createTextNode(withMarks(text))),
    set_attr: setAttribute,
  })
  return {
    write: (text) => smd.parser_write(parser, withoutControls(text)),
    end() {
      smd.parser_end(parser)
      // What was not closed, such as code of a turn that was stopped, ends with the text.
      while (data.nodes.length > 1) close()
    },
  }
}

function top(data: Data): Node {
  return data.nodes.at(-1) ?? document.createElement('p')
}

function addToken(data: Data, type: smd.Token): void {
  if (type === smd.DOCUMENT) {
    data.nodes.push(top(data))
    return
  }
  let parent = top(data)
  let node: HTMLElement
  if (type >= smd.HEADING_1 && type <= smd.HEADING_6) {
    // One level for all: they are headings inside of a message, whatever it calls them.
    node = make('p', `heading h${type - smd.HEADING_1 + 1}`)
    node.setAttribute('role', 'heading')
    node.setAttribute('aria-level', '2')
  } else if (type === smd.CODE_BLOCK || type === smd.CODE_FENCE) {
    const block = make('pre')
    // It scrolls sideways, also by keys.
    block.tabIndex = 0
    block.setAttribute('role', 'group')
    block.setAttribute('aria-label', T.code)
    parent = parent.appendChild(block)
    node = make('code')
  } else if (type === smd.CHECKBOX) {
    node = make('span', 'box')
    node.textContent = '☐'
  } else if (type === smd.TABLE) {
    parent = parent.appendChild(make('div', 'table'))
    node = make('table')
  } else if (type === smd.TABLE_ROW) {
    const rows = parent.childNodes.length
    parent = rows > 1 ? (parent.childNodes[1] ?? parent) : parent.appendChild(make(rows === 0 ? 'thead' : 'tbody'))
    node = make('tr')
  } else if (type === smd.TABLE_CELL) node = make(parent.parentNode?.nodeName === 'THEAD' ? 'th' : 'td')
  else node = make(TAGS[type] ?? 'span', type === smd.IMAGE ? 'image' : '')
  data.nodes.push(parent.appendChild(node))
}

function setAttribute(data: Data, type: smd.Attr, value: string): void {
  const node = top(data)
  if (!(node instanceof HTMLElement)) return
  if (type === smd.HREF || type === smd.SRC) data.links.set(node, value)
  else if (type === smd.LANG) node.dataset['language'] = value.replace(/[^\w+#-]/g, '').slice(0, 30)
  else if (type === smd.CHECKED) node.textContent = '☑'
  else if (type === smd.START && /^\d{1,9}$/.test(value)) node.setAttribute('start', value)
}

/** Where it leads can be seen before it is followed. */
function finishLink(node: HTMLElement, address: string): void {
  const url = safeAddress(address)
  if (node.classList.contains('image')) node.prepend(T.image)
  if (!url) {
    const target = clean(address)
    if (target !== '' && target !== node.textContent) node.append(` (${target})`)
    return
  }
  linkTo(node, url)
  const host = url.host || url.pathname
  if (!node.textContent?.includes(host)) {
    const shown = make('span', 'target')
    shown.textContent = ` (${clean(host)})`
    node.append(shown)
  }
}

export function linkTo(node: HTMLElement, url: URL): void {
  node.setAttribute('href', url.href)
  node.setAttribute('target', '_blank')
  node.setAttribute('rel', 'noopener noreferrer nofollow')
  node.setAttribute('title', url.href)
}

function make(tag: string, className = ''): HTMLElement {
  const node = document.createElement(tag)
  if (className !== '') node.className = className
  return node
}
