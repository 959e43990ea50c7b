/**
 * The only part of the screen that is ever painted again: a few rows at the bottom. What is committed above it belongs to the
 * terminal from then on. Writes what changed and nothing else, in one synchronized piece.
 */
import { stylesOpenAtEnd, textWidth } from './styled-text.js'

export type Frame = {
  /** Lines for the scrollback, above the region; may be longer than the screen is wide. */
  commit: readonly string[]
  /** Each fits into one row. */
  rows: readonly string[]
  /** Where the cursor stands in these rows; undefined: it is hidden. */
  cursor?: { row: number; column: number } | undefined
}

/** What was painted, for budgets. */
export type PaintTotals = { frames: number; rows: number; bytes: number; committed: number }

const BEGIN = '\u001b[?2026h'
const END = '\u001b[?2026l'
const HIDE = '\u001b[?25l'
const SHOW = '\u001b[?25h'
const TO_END = '\u001b[K'
const BELOW = '\u001b[J'
const RESET = '\u001b[0m'
const ESCAPE = 0x1b
const END_OF_STYLE = 0x6d

export class LiveRegion {
  readonly #write: (text: string) => void
  #rows: readonly string[] = []
  /** Where the cursor is, in rows of the region. */
  #at = { row: 0, column: 0 }
  #isHidden = false
  #width: number
  readonly #reflows: boolean
  readonly painted: PaintTotals = { frames: 0, rows: 0, bytes: 0, committed: 0 }

  /** `reflows`: the terminal wraps rows again when it becomes narrower. */
  constructor(write: (text: string) => void, width: number, reflows = true) {
    this.#write = write
    this.#width = width
    this.#reflows = reflows
  }

  get height(): number {
    return this.#rows.length
  }

  paint({ commit, rows, cursor }: Frame): void {
    let out = commit.length > 0 ? this.#committed(commit) : ''
    out += this.#changed(this.#rows, rows)
    this.#rows = [...rows]
    out += this.#place(cursor)
    if (out === '') return
    const whole = BEGIN + out + END
    this.painted.frames += 1
    this.painted.bytes += Buffer.byteLength(whole)
    this.painted.committed += commit.length
    this.#write(whole)
  }

  /** Over the old region, which is gone with it. */
  #committed(lines: readonly string[]): string {
    let out = this.#move(0, 0)
    const height = this.#rows.length
    // What fits into the row it replaces leaves the rest to be erased from the next one on, which takes the fewest bytes.
    const isShort = height > 1 && textWidth(lines[0] ?? '') <= this.#width
    if (height > 0) out += isShort ? TO_END : erased(height)
    for (const [n, line] of lines.entries()) {
      out += `${line}${line.includes('\u001b') ? RESET : ''}\r\n`
      if (n === 0 && isShort) out += BELOW
    }
    this.#rows = []
    this.#at = { row: 0, column: 0 }
    return out
  }

  #changed(before: readonly string[], rows: readonly string[]): string {
    let out = ''
    for (const [n, row] of rows.entries()) {
      const old = before[n]
      if (old === row) continue
      this.painted.rows += 1
      if (n >= before.length && n > 0) {
        // A row that is not there yet: a new line makes one, also at the bottom of the screen.
        out += `${this.#move(n - 1, undefined)}\r\n`
        this.#at = { row: n, column: 0 }
      }
      out += this.#rewritten(n, old ?? '', row)
    }
    if (rows.length < before.length) {
      if (rows.length === 0) return out + this.#move(0, 0) + erased(before.length)
      out += `${this.#move(rows.length - 1, undefined)}\r\n${BELOW}`
      this.#at = { row: rows.length, column: 0 }
      out += this.#move(rows.length - 1, 0)
    }
    return out
  }

  /** Only from where it is different. */
  #rewritten(n: number, old: string, row: string): string {
    const same = sharedStart(old, row)
    const column = textWidth(row.slice(0, same))
    const rest = row.slice(same)
    const width = textWidth(row)
    let out = this.#move(n, column) + stylesOpenAtEnd(row.slice(0, same)) + rest
    if (row.includes('\u001b')) out += RESET
    if (width < textWidth(old)) out += TO_END
    // At the last column a terminal may or may not stand on the next row: the next move begins with a return.
    this.#at = { row: n, column: width >= this.#width ? -1 : width }
    return out
  }

  #move(row: number, column: number | undefined): string {
    const { row: from, column: at } = this.#at
    let out = ''
    if (at < 0) out += '\r'
    if (row < from) out += `\u001b[${from - row}A`
    if (row > from) out += `\u001b[${row - from}B`
    const current = at < 0 ? 0 : at
    if (column !== undefined && column !== current) out += column === 0 ? '\r' : `\u001b[${column + 1}G`
    this.#at = { row, column: column ?? current }
    return out
  }

  #place(cursor: Frame['cursor']): string {
    if (!cursor) {
      if (this.#isHidden) return ''
      this.#isHidden = true
      return HIDE
    }
    const moved = this.#move(cursor.row, Math.min(cursor.column, this.#width - 1))
    if (!this.#isHidden) return moved
    this.#isHidden = false
    return moved + SHOW
  }

  /** Handles a new width: the terminal has wrapped long rows, or cut them off, so they are painted again. */
  resize(width: number): void {
    if (width === this.#width) return
    const wrapped = (row: string) => Math.max(1, Math.ceil(textWidth(row) / Math.max(1, width)))
    const above = this.#rows.slice(0, this.#at.row).reduce((sum, row) => sum + wrapped(row), 0)
    const within = Math.floor(Math.max(0, this.#at.column) / Math.max(1, width))
    // Too far up, and lines that are not ours any more would be erased.
    const up = this.#reflows ? above + within : this.#at.row
    const height = this.#reflows ? this.#rows.reduce((sum, row) => sum + wrapped(row), 0) : this.#rows.length
    this.#write(`${BEGIN}\r${up > 0 ? `\u001b[${up}A` : ''}${erased(height)}${END}`)
    this.#forget(width)
  }

  /** Nothing of it is left on the screen; the cursor stands where it began. */
  clear(): void {
    if (this.#rows.length === 0) return
    this.#write(`${BEGIN}${this.#move(0, 0)}${erased(this.#rows.length)}${END}`)
    this.#forget(this.#width)
  }

  /** Another program had the screen: what was here is elsewhere now. */
  restart(width: number): void {
    this.#forget(width)
  }

  /** The cursor goes below what is shown, and is seen again. */
  leave(): void {
    const last = Math.max(0, this.#rows.length - 1)
    const down = this.#rows.length > 0 ? `${this.#move(last, undefined)}\r\n` : ''
    this.#write(`${down}${this.#isHidden ? SHOW : ''}`)
    this.#isHidden = false
    this.#forget(this.#width)
  }

  #forget(width: number): void {
    this.#rows = []
    this.#at = { row: 0, column: 0 }
    this.#width = width
  }
}

/** Erases `rows` rows from here on. The first is erased separately: tmux keeps an erased screen in its scrollback. */
function erased(rows: number): string {
  return rows > 1 ? `${TO_END}\u001b[B${BELOW}\u001b[A` : TO_END
}

/** How much of two rows is the same, counted only where each character surely takes one column. Never inside an escape. */
function sharedStart(old: string, row: string): number {
  const end = Math.min(old.length, row.length)
  let at = 0
  let safe = 0
  let inEscape = false
  while (at < end) {
    const code = row.charCodeAt(at)
    if (code !== old.charCodeAt(at) || code > 0x7e) break
    if (code === ESCAPE) inEscape = true
    at += 1
    if (inEscape && code === END_OF_STYLE) inEscape = false
    if (!inEscape) safe = at
  }
  // A mark that belongs to the character before it is not parted from it.
  return safe > 0 && row.charCodeAt(safe) >= 0x300 ? 0 : safe
}
