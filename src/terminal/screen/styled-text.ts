/** Text with colors of our own: measuring, cutting and wrapping it. Whatever others wrote has been cleaned before. */
import { codePointWidth, unstyledTextWidth } from './char-width.js'

const STYLE = /\u001b\[[\d;]*m/g
const RESET = '\u001b[0m'

export function withoutStyles(text: string): string {
  return text.replace(STYLE, '')
}

export function textWidth(text: string): number {
  return unstyledTextWidth(text.includes('\u001b') ? withoutStyles(text) : text)
}

/** Which styles are on, by what turns them off. */
class Active {
  readonly #on = new Map<string, string>()

  take(sequence: string): void {
    const codes = sequence.slice(2, -1)
    if (codes === '' || codes === '0') this.#on.clear()
    else if (/^(?:22|23|24|27|29|39|49)$/.test(codes)) {
      this.#on.delete(codes)
      if (codes === '22') this.#on.delete('dim')
    } else this.#on.set(kindOf(codes), sequence)
  }

  get text(): string {
    return [...this.#on.values()].join('')
  }
}

function kindOf(codes: string): string {
  const [first = ''] = codes.split(';')
  const number = Number(first)
  if (number === 1) return '22'
  if (number === 2) return 'dim'
  if (number <= 9) return String(number + 20)
  return (number >= 40 && number <= 48) || number >= 100 ? '49' : '39'
}

/** What holds at its end. */
export function stylesOpenAtEnd(text: string): string {
  if (!text.includes('\u001b')) return ''
  const active = new Active()
  for (const piece of styleTokens(text)) if (piece.isStyle) active.take(piece.text)
  return active.text
}

/** An escape sequence, or text between two of them. */
export type StyleToken = { text: string; isStyle: boolean }

/** Splits text with styles into its tokens. */
export function* styleTokens(text: string): Generator<StyleToken, void> {
  let from = 0
  for (const { 0: sequence, index } of text.matchAll(STYLE)) {
    if (index > from) yield { text: text.slice(from, index), isStyle: false }
    yield { text: sequence, isStyle: true }
    from = index + sequence.length
  }
  if (from < text.length) yield { text: text.slice(from), isStyle: false }
}

/** Cuts to at most `columns` columns; `…` marks the cut. */
export function cutText(text: string, columns: number, mark = '…'): string {
  if (textWidth(text) <= columns) return text
  const room = Math.max(0, columns - unstyledTextWidth(mark))
  let used = 0
  let result = ''
  for (const piece of styleTokens(text)) {
    if (piece.isStyle) {
      result += piece.text
      continue
    }
    for (const character of piece.text) {
      used += codePointWidth(character.codePointAt(0) ?? 0)
      if (used > room) return `${result}${mark}${RESET}`
      result += character
    }
  }
  return result
}

export function padText(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - textWidth(text)))
}

export type WrapOptions = {
  /** In front of all rows but the first. */
  indent?: string
  /** Breaks anywhere: for code and output, where spaces count. */
  anywhere?: boolean
}

/** Wraps into rows of at most `columns` columns, between words if possible. Each row can be printed alone. */
export function wrapText(text: string, columns: number, options: WrapOptions = {}): string[] {
  const { indent = '', anywhere = false } = options
  const width = Math.max(4, columns)
  if (textWidth(text) <= width) return [text]
  const rows: string[] = []
  const active = new Active()
  let row = ''
  let used = 0
  /** Where the row could be broken: what is before, and what styles hold after. */
  let space: { row: string; after: string; used: number; styles: string } | undefined
  const begin = (styles: string, rest: string, restUsed: number) => {
    row = indent + styles + rest
    used = textWidth(indent) + restUsed
    space = undefined
  }
  const close = (done: string) => rows.push(done.includes('\u001b') ? `${done}${RESET}` : done)
  for (const piece of styleTokens(text)) {
    if (piece.isStyle) {
      active.take(piece.text)
      row += piece.text
      if (space) space.after += piece.text
      continue
    }
    for (const character of piece.text) {
      const size = codePointWidth(character.codePointAt(0) ?? 0)
      if (used + size > width) {
        if (character === ' ' && !anywhere) {
          close(row)
          begin(active.text, '', 0)
          continue
        }
        if (space && !anywhere) {
          const { row: before, after, styles } = space
          close(before.trimEnd())
          begin(styles, after, textWidth(after))
        } else {
          close(row)
          begin(active.text, '', 0)
        }
      }
      row += character
      used += size
      if (character === ' ' && !anywhere) {
        // A blank at the very beginning is an indent, not a place to break.
        if (used > textWidth(indent) + 1) space = { row, after: '', used, styles: active.text }
      } else if (space) space.after += character
    }
  }
  if (row !== indent || rows.length === 0) close(row)
  return rows
}
