/** The editor as rows: the prompt with its sign, the menu of completions, the search. Pure. */

import { cutText, padText } from '../screen/styled-text.js'
import type { Styles } from '../screen/styles.js'
import { toTerminalSafeLine } from '../screen/terminal-safe-text.js'
import type { LineEditor } from './line-editor.js'

export type EditorRows = { rows: string[]; cursor?: { row: number; column: number } }

const SIGN_WIDTH = 2
const MENU_ROWS = 8

export type EditorViewOptions = {
  columns: number
  /** Maximum rows of text. */
  height: number
  /** Shown while there is nothing. */
  hint: string
  /** In front: what kind of line it is. */
  sign: string
}

export function renderEditor(editor: LineEditor, styles: Styles, look: EditorViewOptions): EditorRows {
  const { columns, height, hint, sign } = look
  editor.columns = Math.max(8, columns - SIGN_WIDTH - 1)
  if (editor.search) return searchView(editor, styles, columns)
  const { rows: lines, row, column } = editor.buffer.rows(editor.columns)
  const first = Math.max(0, Math.min(row - height + 1, lines.length - height))
  const shown = lines.slice(first, first + height)
  const rows = shown.map(({ start, end }, n) => {
    const text = visible(editor.text.slice(start, end))
    const isMore = (n === 0 && first > 0) || (n === shown.length - 1 && first + height < lines.length)
    const before = isMore ? styles.dim(padText(styles.sign.more, SIGN_WIDTH)) : n + first === 0 ? `${sign} ` : '  '
    return before + text
  })
  if (editor.isEmpty && hint !== '') rows[0] = `${sign} ${styles.dim(cutText(hint, editor.columns))}`
  const cursor = { row: row - first, column: column + SIGN_WIDTH }
  return { rows: [...rows, ...menuRows(editor, styles, columns)], cursor }
}

/** Each character keeps its place. */
function visible(text: string): string {
  return toTerminalSafeLine(text.replaceAll('\t', ' '))
}

function menuRows({ menu }: LineEditor, styles: Styles, columns: number): string[] {
  if (!menu) return []
  const first = Math.max(0, Math.min(menu.chosen - MENU_ROWS + 1, menu.items.length - MENU_ROWS))
  const items = menu.items.slice(first, first + MENU_ROWS)
  const widest = Math.min(Math.floor(columns / 2), Math.max(...items.map(({ label }) => label.length)))
  return items.map(({ label, detail }, n) => {
    const isChosen = n + first === menu.chosen
    const name = padText(cutText(toTerminalSafeLine(label), widest), widest)
    const text = cutText(`  ${name}  ${styles.dim(toTerminalSafeLine(detail))}`, columns - 1)
    return isChosen ? styles.cyan(`${styles.sign.arrow}${text.slice(1)}`) : text
  })
}

function searchView(editor: LineEditor, styles: Styles, columns: number): EditorRows {
  const { search } = editor
  const found = editor.found ?? ''
  const label = `search: ${search?.query ?? ''}`
  const line = toTerminalSafeLine(found).trim()
  const rows = [
    cutText(`${styles.dim('search:')} ${search?.query ?? ''}`, columns - 1),
    cutText(found === '' ? styles.dim('  nothing found yet') : `  ${line}`, columns - 1),
  ]
  return { rows, cursor: { row: 0, column: Math.min(columns - 1, label.length) } }
}
