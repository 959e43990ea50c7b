/** A card that is a list with some words above it. */

import type { EditorRows } from '../editor/editor-view.js'
import type { Key } from '../editor/key-decoder.js'
import { toTerminalSafeLine } from '../screen/terminal-safe-text.js'
import { type Card, type CardViewOptions, cardTitleRow } from './card.js'
import { ChoiceList, type ChoiceListOptions } from './choice-list.js'

export type ChoiceCardOptions<T> = ChoiceListOptions<T> & {
  title: string
  /** Text above the list, cut to the space there is. */
  words?: (look: CardViewOptions) => string[]
  hint?: string
  onChosen(chosen: T[]): void
  onCanceled(): void
  /** The arrow points at another one. */
  onMoved?: (current: T | undefined) => void
  /** Other keys that mean something while an entry is pointed at. */
  onKey?: (key: Key, current: T | undefined) => boolean
}

export function choiceCard<T>(options: ChoiceCardOptions<T>): Card {
  const { title, words, hint, onChosen, onCanceled, onKey, onMoved } = options
  const list = new ChoiceList(options)
  return {
    title,
    kind: options.isMultiple ? 'multiple' : 'choice',
    view(look): EditorRows {
      const { columns, styles, height, isReadOut = false } = look
      const footer =
        hint === undefined || isReadOut ? [] : [styles.dim(`  ${toTerminalSafeLine(hint)}`).slice(0, columns * 2)]
      const least = Math.min(options.choices.length, 4) + (options.canSearch ? 1 : 0)
      const above = (words?.(look) ?? []).slice(0, Math.max(0, height - 1 - footer.length - least))
      const rows = list.rows({ ...look, height: Math.max(1, height - 1 - above.length - footer.length) })
      const column = list.cursorColumn()
      const all = [cardTitleRow(title, look), ...above, ...rows, ...footer]
      return column === undefined ? { rows: all } : { rows: all, cursor: { row: 1 + above.length, column } }
    },
    key(key) {
      if (onKey?.(key, list.current?.value)) return true
      const before = list.current
      const told = list.key(key)
      if (list.current !== before) onMoved?.(list.current?.value)
      if (told === 'canceled') onCanceled()
      else if (typeof told === 'object') onChosen(told.chosen)
      return told !== 'ignored'
    },
  }
}
