/** The live part of the screen, put together from its pieces so that it always fits. Pure. */
import type { EditorRows } from '../editor/editor-view.js'
import type { Frame } from '../screen/live-region.js'
import { cutText } from '../screen/styled-text.js'
import type { Styles } from '../screen/styles.js'

export type FramePieces = {
  columns: number
  /** Rows of the terminal. */
  rows: number
  styles: Styles
  /** Returns what is under way, in at most `height` rows. */
  live(height: number): string[]
  /** Empty: nothing is being done. */
  activity: readonly string[]
  queue: readonly string[]
  /** Above the prompt; `hasKeys`: keys go there. */
  card: { view(height: number): EditorRows; hasKeys: boolean } | undefined
  editor(height: number): EditorRows
  /** Words for a moment, and what is always there. */
  notice: string
  status: string
}

const QUEUE_ROWS = 4

export function layOutFrame(pieces: FramePieces): Omit<Frame, 'commit'> {
  const { columns, rows, styles, activity, queue, card, notice, status } = pieces
  // The last row of the screen is left to the cursor when we go.
  const room = Math.max(3, rows - 1)
  const editor = pieces.editor(Math.max(1, Math.min(10, Math.floor(room / 3))))
  const rule = styles.dim(styles.sign.rule.repeat(Math.max(1, columns - 1)))
  const isSmall = room < 9
  const below = [
    ...(isSmall ? [] : [rule]),
    ...editor.rows,
    ...(notice === '' ? [] : [cutText(notice, columns - 1)]),
    status,
  ]
  const editorAt = isSmall ? 0 : 1
  const cardView = card?.view(Math.max(3, room - below.length - 1))
  const waiting = queueRows(queue, columns, styles)
  const middle = [
    ...(activity.length === 0 ? [] : ['', ...activity]),
    ...waiting,
    ...(cardView ? ['', ...cardView.rows] : []),
  ]
  const free = room - below.length - middle.length - 1
  const live = free > 0 ? pieces.live(free) : []
  const before = [...live, ...middle, ...(isSmall ? [] : [''])].map((row) => cutText(row, columns))
  const all = [...before, ...below]
  const over = Math.max(0, all.length - room)
  const shown = all.slice(over)
  const cardAt = live.length + middle.length - (cardView?.rows.length ?? 0)
  const cursor = card?.hasKeys
    ? cardView?.cursor && { row: cardView.cursor.row + cardAt - over, column: cardView.cursor.column }
    : editor.cursor && { row: editor.cursor.row + before.length + editorAt - over, column: editor.cursor.column }
  return { rows: shown, cursor: cursor && cursor.row >= 0 ? cursor : undefined }
}

function queueRows(queue: readonly string[], columns: number, styles: Styles): string[] {
  if (queue.length === 0) return []
  const shown = queue
    .slice(0, QUEUE_ROWS)
    .map((text) => cutText(styles.dim(`  ${styles.sign.arrow} ${text}`), columns - 1))
  const more = queue.length > QUEUE_ROWS ? [styles.dim(`    ${queue.length - QUEUE_ROWS} more`)] : []
  return ['', styles.dim('  next (up takes the last one back):'), ...shown, ...more]
}
