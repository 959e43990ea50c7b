/** A text in Markdown that may still grow. */

import { useLayoutEffect, useRef } from 'preact/hooks'
import { createMarkdownWriter, type StreamingMarkdownWriter } from '../safe/markdown.js'
import { copyCodeOf } from '../safe/markdown-nodes.js'
import { memo } from './memo.js'

type Written = { writer: StreamingMarkdownWriter; text: string; isEnded: boolean }

export const MarkdownText = memo(function MarkdownText({ text, live = false }: { text: string; live?: boolean }) {
  const root = useRef<HTMLDivElement>(null)
  const written = useRef<Written | undefined>(undefined)
  useLayoutEffect(() => root.current?.addEventListener('click', ({ target }) => void copyCodeOf(target)), [])
  useLayoutEffect(() => {
    const node = root.current
    if (!node) return
    let now = written.current
    // Only what is new is written; if the text is another one, all of it.
    if (!now || now.isEnded || !text.startsWith(now.text)) {
      if (now?.isEnded && now.text === text) return
      node.replaceChildren()
      now = { writer: createMarkdownWriter(node, color), text: '', isEnded: false }
      written.current = now
    }
    now.writer.write(text.slice(now.text.length))
    now.text = text
    if (!live) {
      now.writer.end()
      now.isEnded = true
    }
  }, [text, live])
  return <div class="markdown" dir="auto" ref={root} />
})

/** Colors come when they come: the text is there before. */
function color(code: HTMLElement): void {
  const language = code.dataset['language']
  if (language)
    void import('../tools/colors.js').then(
      ({ colorNode }) => colorNode(code, language),
      () => {},
    )
}
