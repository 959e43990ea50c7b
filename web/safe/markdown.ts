/** Renders streaming Markdown: complete blocks once, the last block again with every delta. Text never becomes markup. */

import { withoutControls } from './clean-text.js'
import { markdownBlocks, toMarkdownNode } from './markdown-nodes.js'

export type StreamingMarkdownWriter = { write(text: string): void; end(): void }

/** `onCode` gets each block of code when it is complete. */
export function createMarkdownWriter(root: HTMLElement, onCode: (code: HTMLElement) => void): StreamingMarkdownWriter {
  /** The text of the last block, whose kind can still change. */
  let rest = ''
  let last: Node | undefined
  const finish = (node: Node) => {
    for (const child of node.childNodes) {
      if (child instanceof HTMLElement && child.localName === 'code' && node.nodeName === 'PRE') onCode(child)
      else finish(child)
    }
  }
  return {
    write(text) {
      if (text === '') return
      rest += withoutControls(text)
      const blocks = markdownBlocks(rest)
      for (const [at, { raw, token }] of blocks.entries()) {
        const fresh = toMarkdownNode(token)
        const shown = last ? become(last, fresh) : root.appendChild(fresh)
        last = undefined
        if (at === blocks.length - 1) last = shown
        else {
          finish(shown)
          rest = rest.slice(raw.length)
        }
      }
    },
    // An open block, such as the code of a stopped turn, ends with the text.
    end() {
      if (last) finish(last)
      last = undefined
      rest = ''
    },
  }
}

/** Keeps unchanged nodes, so a text selection survives. */
function become(old: Node, fresh: Node): Node {
  const parent = old.parentNode
  if (old instanceof Text && fresh instanceof Text) {
    const [before, now] = [old.data, fresh.data]
    if (now.startsWith(before)) old.appendData(now.slice(before.length))
    else old.data = now
    return old
  }
  if (!(old instanceof HTMLElement && fresh instanceof HTMLElement && kindOf(old) === kindOf(fresh))) {
    parent?.replaceChild(fresh, old)
    return fresh
  }
  const [before, now] = [[...old.childNodes], [...fresh.childNodes]]
  for (const [at, child] of now.entries()) {
    const known = before[at]
    if (known) become(known, child)
    else old.appendChild(child)
  }
  for (const gone of before.slice(now.length)) old.removeChild(gone)
  return old
}

function kindOf(node: HTMLElement): string {
  const attributes = ['href', 'start'].map((name) => node.getAttribute(name) ?? '')
  return [node.localName, node.className, node.dataset['language'] ?? '', ...attributes].join(' ')
}
