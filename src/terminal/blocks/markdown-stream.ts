/**
 * Markdown while it is being written: gives each line as soon as it is certain how it looks, and shows the rest as it stands.
 * What was given is never taken back.
 */

import { textWidth, wrapText } from '../screen/styled-text.js'
import type { Styles } from '../screen/styles.js'
import { toTerminalSafeLines } from '../screen/terminal-safe-text.js'
import { colorCodeLine } from './code-colors.js'
import { inlineMarkdown } from './inline-markdown.js'
import { isTableSeparator, tableLines } from './table-lines.js'

/** Number of rows at the end of an unfinished line that stay open. The rows before them are printed. */
const OPEN_ROWS = 6
/** A table is held back up to this number of lines, to find its column widths. */
const MAX_TABLE = 200

export class MarkdownStream {
  readonly #styles: Styles
  #rest = ''
  #fence: { mark: string; language: string } | undefined
  #table: string[] = []
  /** Rows of the unfinished line that were given already. */
  #given = 0
  #givenWidth = 0
  /** Length from which the unfinished line can have another row: it isn't drawn again before. */
  #nextRow = 0
  #last = ''

  constructor(styles: Styles) {
    this.#styles = styles
  }

  get isEmpty(): boolean {
    return this.#rest === '' && this.#table.length === 0
  }

  /** Lines that are certain now. */
  push(text: string, columns: number): string[] {
    this.#rest += text
    const lines = this.#rest.split('\n')
    this.#rest = lines.pop() ?? ''
    if (lines.length > 0) this.#nextRow = 0
    const certain = lines.flatMap((line) => this.#line(line, columns))
    return [...certain, ...this.#early(columns)]
  }

  /** The text is over. */
  end(columns: number): string[] {
    const rest = this.#rest
    this.#rest = ''
    this.#nextRow = 0
    const last = rest === '' ? [] : this.#line(rest, columns)
    const table = this.#endTable(columns)
    this.#fence = undefined
    return [...last, ...table]
  }

  /** What is not certain yet, as it looks so far. */
  tail(columns: number): string[] {
    const table = this.#table.flatMap((line) => wrapText(line, columns))
    if (this.#rest === '') return table
    const rows = this.#rows(this.#rest, columns, true)
    return [...table, ...rows.slice(this.#isGiven(columns) ? this.#given : 0)]
  }

  #isGiven(columns: number): boolean {
    return this.#given > 0 && this.#givenWidth === columns
  }

  #early(columns: number): string[] {
    const isTooShort = this.#rest.length < Math.max(columns, this.#nextRow)
    if (this.#table.length > 0 || isTooShort || this.#rest.trimStart().startsWith('|')) return []
    const rows = this.#rows(this.#rest, columns, true)
    this.#nextRow = this.#rest.length + columns - textWidth(rows.at(-1) ?? '')
    // After a resize what was given is somewhere else in the rows; the line is finished first.
    if (this.#given > 0 && this.#givenWidth !== columns) return []
    const certain = rows.length - OPEN_ROWS
    if (certain <= this.#given) return []
    const some = rows.slice(this.#given, certain)
    this.#given = certain
    this.#givenWidth = columns
    return some
  }

  #line(line: string, columns: number): string[] {
    if (this.#fence) return this.#inFence(line, columns)
    const isRow = line.trimStart().startsWith('|') || (this.#table.length > 0 && line.includes('|'))
    if (this.#table.length === 1 && !isTableSeparator(line))
      return [...this.#endTable(columns), ...this.#line(line, columns)]
    if (isRow || (this.#table.length === 1 && isTableSeparator(line))) {
      this.#table.push(...toTerminalSafeLines(line))
      return this.#table.length >= MAX_TABLE ? this.#endTable(columns) : []
    }
    const before = this.#endTable(columns)
    const [, mark, language = ''] = /^\s{0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/.exec(line) ?? []
    if (mark !== undefined) {
      this.#fence = { mark, language }
      this.#last = ''
      return [...before, ...(language === '' ? [] : [this.#styles.dim(language)])]
    }
    return [...before, ...this.#finished(line, columns)]
  }

  #finished(line: string, columns: number): string[] {
    const given = this.#given
    this.#given = 0
    // Two empty lines look like one.
    if (line.trim() === '' && this.#last === '' && given === 0) return []
    this.#last = line.trim()
    const isSame = this.#givenWidth === columns
    const rows = this.#rows(line, columns, given > 0)
    if (given === 0) return rows
    return isSame ? rows.slice(given) : rows.slice(Math.floor((given * this.#givenWidth) / columns))
  }

  #inFence(line: string, columns: number): string[] {
    const { mark, language } = this.#fence ?? { mark: '', language: '' }
    if (line.trim().startsWith(mark) && line.trim().replaceAll(mark.charAt(0), '') === '') {
      this.#fence = undefined
      this.#last = mark
      return []
    }
    const given = this.#isGiven(columns) ? this.#given : 0
    this.#given = 0
    // Code goes out in one piece, so that it can be copied as it is: the terminal wraps it.
    const lines = toTerminalSafeLines(line).map((one) => colorCodeLine(one, language, this.#styles))
    return given === 0 ? lines : lines.flatMap((one) => wrapText(one, columns, { anywhere: true })).slice(given)
  }

  #endTable(columns: number): string[] {
    const table = this.#table
    this.#table = []
    if (table.length > 0) this.#last = '|'
    if (table.length >= 2 && isTableSeparator(table[1] ?? '')) return tableLines(table, columns, this.#styles)
    return table.flatMap((line) => this.#finished(line, columns))
  }

  #rows(line: string, columns: number, isOpen: boolean): string[] {
    const styles = this.#styles
    const [text = ''] = toTerminalSafeLines(line)
    if (this.#fence) {
      const { language } = this.#fence
      return wrapText(colorCodeLine(text, language, styles), columns, { anywhere: true })
    }
    return blockLine(text, columns, styles, isOpen)
  }
}

/** One line outside of code. */
function blockLine(text: string, columns: number, styles: Styles, isOpen: boolean): string[] {
  const inline = (part: string) => inlineMarkdown(part, styles, isOpen)
  const [, hashes, title = ''] = /^(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/.exec(text) ?? []
  if (hashes !== undefined)
    return wrapText(styles.bold(hashes.length === 1 ? styles.underline(inline(title)) : inline(title)), columns)
  if (/^\s*(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/.test(text))
    return [styles.dim(styles.sign.rule.repeat(Math.min(columns, 40)))]
  const [, indent, bullet = '', rest = ''] = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/.exec(text) ?? []
  if (indent !== undefined) {
    const [, task, words = ''] = /^\[([ xX])\]\s+(.*)$/.exec(rest) ?? []
    const box = task === undefined ? '' : `${task === ' ' ? styles.sign.box : styles.sign.boxed} `
    const sign = /\d/.test(bullet) ? bullet : '•'
    const start = `${indent}${sign} ${box}`
    return wrapText(start + inline(task === undefined ? rest : words), columns, {
      indent: ' '.repeat(textWidth(start)),
    })
  }
  const [, marks, quoted = ''] = /^\s{0,3}((?:>\s?)+)(.*)$/.exec(text) ?? []
  if (marks !== undefined) {
    const bar = styles.dim(`${styles.sign.bar} `.repeat(marks.replaceAll(/\s/g, '').length))
    return wrapText(bar + styles.italic(inline(quoted)), columns, { indent: bar })
  }
  return wrapText(inline(text), columns)
}

export function markdownLines(text: string, columns: number, styles: Styles): string[] {
  const stream = new MarkdownStream(styles)
  return [...stream.push(text, columns), ...stream.end(columns)]
}
