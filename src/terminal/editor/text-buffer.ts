/** A text with a cursor in it: moving, changing, undoing. Knows nothing of keys or screens. */
import { nextCharacterOffset, previousCharacterOffset, unstyledTextWidth } from '../screen/char-width.js'

type Snapshot = { text: string; at: number }
const MAX_UNDO = 200

/** A row of the text as it is shown: from where to where. */
export type TextRow = { start: number; end: number }

export class TextBuffer {
  #text = ''
  #at = 0
  #killed = ''
  readonly #before: Snapshot[] = []

  get text(): string {
    return this.#text
  }

  get at(): number {
    return this.#at
  }

  set(text: string, at = text.length): void {
    this.#remember()
    this.#text = text
    this.#at = Math.min(at, text.length)
  }

  insert(text: string): void {
    this.#replace(this.#at, this.#at, text)
  }

  /** Replaces the last `length` characters before the cursor. */
  complete(length: number, text: string): void {
    this.#replace(this.#at - length, this.#at, text)
  }

  left(): void {
    this.#at = previousCharacterOffset(this.#text, this.#at)
  }

  right(): void {
    this.#at = nextCharacterOffset(this.#text, this.#at)
  }

  wordLeft(): void {
    this.#at = this.#wordStart()
  }

  wordRight(): void {
    this.#at = this.#wordEnd()
  }

  lineStart(): void {
    this.#at = this.#lineFrom()
  }

  lineEnd(): void {
    this.#at = this.#lineTo()
  }

  start(): void {
    this.#at = 0
  }

  end(): void {
    this.#at = this.#text.length
  }

  backspace(): void {
    this.#replace(previousCharacterOffset(this.#text, this.#at), this.#at, '')
  }

  delete(): void {
    this.#replace(this.#at, nextCharacterOffset(this.#text, this.#at), '')
  }

  killToEnd(): void {
    const to = this.#lineTo()
    this.#kill(this.#at, to === this.#at ? Math.min(to + 1, this.#text.length) : to)
  }

  killToStart(): void {
    const from = this.#lineFrom()
    this.#kill(from === this.#at ? Math.max(0, from - 1) : from, this.#at)
  }

  /** Up to the last blank, as shells have it. */
  killWord(): void {
    const before = this.#text.slice(0, this.#at)
    this.#kill(before.replace(/\S+\s*$|\s+$/, '').length, this.#at)
  }

  killWordLeft(): void {
    this.#kill(this.#wordStart(), this.#at)
  }

  killWordRight(): void {
    this.#kill(this.#at, this.#wordEnd())
  }

  yank(): void {
    this.insert(this.#killed)
  }

  transpose(): void {
    const end = this.#at === this.#text.length ? this.#at : nextCharacterOffset(this.#text, this.#at)
    const middle = previousCharacterOffset(this.#text, end)
    const start = previousCharacterOffset(this.#text, middle)
    if (start === middle) return
    this.#replace(start, end, this.#text.slice(middle, end) + this.#text.slice(start, middle))
  }

  undo(): void {
    const last = this.#before.pop()
    if (!last) return
    this.#text = last.text
    this.#at = last.at
  }

  /** Returns the rows, of at most `columns` columns, and the cursor's row and column. */
  rows(columns: number): { rows: TextRow[]; row: number; column: number } {
    const rows = rowsOf(this.#text, columns)
    const found = rows.findLastIndex(({ start }) => start <= this.#at)
    const row = Math.max(0, found)
    const column = unstyledTextWidth(this.#text.slice(rows[row]?.start ?? 0, this.#at))
    return { rows, row, column }
  }

  /** False: there is no such row. */
  moveRow(by: 1 | -1, columns: number): boolean {
    const { rows, row, column } = this.rows(columns)
    const target = rows[row + by]
    if (!target) return false
    let at = target.start
    while (
      at < target.end &&
      unstyledTextWidth(this.#text.slice(target.start, nextCharacterOffset(this.#text, at))) <= column
    )
      at = nextCharacterOffset(this.#text, at)
    this.#at = at
    return true
  }

  #lineFrom(): number {
    return this.#text.lastIndexOf('\n', this.#at - 1) + 1
  }

  #lineTo(): number {
    const end = this.#text.indexOf('\n', this.#at)
    return end < 0 ? this.#text.length : end
  }

  #wordStart(): number {
    return this.#text.slice(0, this.#at).replace(/[\p{L}\p{N}_]+[^\p{L}\p{N}_]*$|[^\p{L}\p{N}_]+$/u, '').length
  }

  #wordEnd(): number {
    const [word = ''] = /^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(this.#text.slice(this.#at)) ?? []
    return this.#at + word.length
  }

  #kill(from: number, to: number): void {
    if (from === to) return
    this.#killed = this.#text.slice(from, to)
    this.#replace(from, to, '')
  }

  #replace(from: number, to: number, text: string): void {
    if (from === to && text === '') return
    this.#remember()
    this.#text = this.#text.slice(0, from) + text + this.#text.slice(to)
    this.#at = from + text.length
  }

  #remember(): void {
    const last = this.#before.at(-1)
    if (last?.text === this.#text) return
    this.#before.push({ text: this.#text, at: this.#at })
    if (this.#before.length > MAX_UNDO) this.#before.shift()
  }
}

function rowsOf(text: string, columns: number): TextRow[] {
  const rows: TextRow[] = []
  let lineStart = 0
  for (const line of text.split('\n')) {
    let start = lineStart
    let used = 0
    let at = lineStart
    const end = lineStart + line.length
    while (at < end) {
      const next = nextCharacterOffset(text, at)
      const size = unstyledTextWidth(text.slice(at, next))
      if (used + size > columns && at > start) {
        rows.push({ start, end: at })
        start = at
        used = 0
      }
      used += size
      at = next
    }
    rows.push({ start, end })
    // After a full row, the cursor stands in a new row.
    if (used >= columns && end > start) rows.push({ start: end, end })
    lineStart = end + 1
  }
  return rows
}
