/** Finds words in the open session. The browser's own search knows only the rows that are in the page. */
import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { ViewItem } from '../../src/view/view-items.js'
import { Icon } from '../parts/icons.js'
import { T } from '../texts.js'
import { resultText } from '../tools/tool-heads.js'

/** What is shown as found: the row of an item, and the words in it. */
export type FoundRow = { index: number; words: string }

type Props = {
  items: readonly ViewItem[]
  /** Another one, when the items are others. */
  rev: number
  onFound(found: FoundRow | undefined): void
  onClose(): void
}

export function FindBar({ items, rev, onFound, onClose }: Props) {
  const text = useSignal('')
  /** Counted from the latest match: that is where the user is. */
  const back = useSignal(0)
  const field = useRef<HTMLInputElement>(null)
  const words = text.value.trim().toLowerCase()
  const found = useMemo(() => (words === '' ? [] : rowsWith(items, words)), [words, rev])
  const at = found.length - 1 - back.value
  const index = found[at]
  useEffect(() => field.current?.focus(), [])
  useEffect(() => onFound(index === undefined ? undefined : { index, words }), [index, words])
  const step = (by: number) => {
    if (found.length > 0) back.value = (back.value + by + found.length) % found.length
  }
  return (
    <search
      class="find-bar"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
    >
      <input
        ref={field}
        type="search"
        aria-label={T.findInSession}
        placeholder={T.findInSession}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value
          back.value = 0
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.isComposing) return
          event.preventDefault()
          step(event.shiftKey ? -1 : 1)
        }}
      />
      <span class="quiet" role="status">
        {words === '' ? '' : found.length === 0 ? T.nothingFound : T.matchOf(at + 1, found.length)}
      </span>
      <button type="button" class="plain" aria-label={T.earlierMatch} title={T.earlierMatch} onClick={() => step(1)}>
        <Icon name="up" />
      </button>
      <button type="button" class="plain" aria-label={T.laterMatch} title={T.laterMatch} onClick={() => step(-1)}>
        <Icon name="down" />
      </button>
      <button type="button" class="plain" aria-label={T.closeFind} title={T.closeFind} onClick={onClose}>
        <Icon name="close" />
      </button>
    </search>
  )
}

function rowsWith(items: readonly ViewItem[], words: string): number[] {
  return items.flatMap((item, index) => (textOf(item).toLowerCase().includes(words) ? [index] : []))
}

function textOf(item: ViewItem): string {
  switch (item.kind) {
    case 'prompt':
      return resultText(typeof item.content === 'string' ? item.content : [...item.content])
    case 'text':
    case 'thinking':
      return item.text
    case 'tool': {
      const inputs = Object.values(item.input).map((value) =>
        typeof value === 'string' ? value : JSON.stringify(value),
      )
      return [item.name, ...inputs, resultText(item.result?.content), ...item.children.map(textOf)].join('\n')
    }
    default:
      return ''
  }
}

/** Marks the words in what is drawn; without `words`, nothing is marked any more. */
export function markWords(drawn: HTMLElement | null, words: string | undefined): void {
  // Not in every browser; the row itself is marked, too.
  if (!('highlights' in CSS)) return
  CSS.highlights.delete(MARK)
  if (!drawn || !words) return
  const ranges: Range[] = []
  const walker = document.createTreeWalker(drawn, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent?.toLowerCase() ?? ''
    for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
      const range = new Range()
      range.setStart(node, at)
      range.setEnd(node, at + words.length)
      ranges.push(range)
    }
  }
  CSS.highlights.set(MARK, new Highlight(...ranges))
}
const MARK = 'kedge-found'
