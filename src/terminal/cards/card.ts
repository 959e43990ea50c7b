/** Something that is shown above the prompt and takes keys: a question of the agent, a list to choose from, a form. */

import type { EditorRows } from '../editor/editor-view.js'
import type { Key } from '../editor/key-decoder.js'
import type { Styles } from '../screen/styles.js'

export type CardViewOptions = {
  columns: number
  height: number
  styles: Styles
  /** Whether entries are chosen by a typed number instead of arrow keys. */
  isReadOut?: boolean
}

export type Card = {
  /** A short text for notifications, and for users who don't see the card. */
  title: string
  /** What is asked for: one of a list, several of it, or words. */
  kind: 'choice' | 'multiple' | 'text'
  view(look: CardViewOptions): EditorRows
  /** False: the key means nothing to it. */
  key(key: Key): boolean
  /** Lines for the scrollback when the card is asked to show all it has. */
  whole?(look: CardViewOptions): string[]
}

/** One row as a head, in color across the screen. */
export function cardTitleRow(title: string, { columns, styles }: CardViewOptions): string {
  const rule = styles.sign.rule
  const text = `${rule}${rule} ${title} `
  return styles.yellow(text + rule.repeat(Math.max(0, columns - 1 - text.length)))
}
