/** A range of lines of a text, numbered for the model. */
import { formatSize } from '../files/file-access.js'
import type { LineBeginning } from './keep-lines.js'
import type { FileReadInput } from './read-shapes.js'

export type LinesToRender = {
  lines: readonly LineBeginning[]
  /** Number of the first line. */
  startLine: number
  /** A newline at the end counts as an empty last line, as hosts know it. */
  totalLines: number
  /** Or is empty: then that last line is none. */
  endsInNewline: boolean
}

const MAX_LINE_LENGTH = 2000

export function lineWindowOf({ offset, limit }: FileReadInput): { startLine: number; count: number } {
  return {
    startLine: Math.max(1, Math.floor(offset ?? 1)),
    count: limit === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor(limit)),
  }
}

/** Names the line that an invalid `offset` was taken for. */
export function describeCorrectedOffset({ offset }: FileReadInput): string {
  if (offset === undefined || (offset >= 1 && Number.isInteger(offset))) return ''
  const { startLine } = lineWindowOf({ file_path: '', offset })
  return `\n\n(offset is a line number, counted from 1: ${offset} was read as ${startLine}.)`
}

/** The newline at the end of a file begins no further line. */
export function renderLines(range: LinesToRender): string {
  const { startLine } = range
  const total = countTextLines(range)
  const isBlank = range.lines.length === 1 && range.lines[0]?.text === '' && range.totalLines === 1
  if (total === 0 || isBlank) return '(The file exists but is empty.)'
  const lines = range.lines.slice(0, Math.max(0, total - startLine + 1))
  if (lines.length === 0) return nothingToShow(startLine, total)
  const body = lines.map((line, i) => `${String(startLine + i).padStart(6)}→${shorten(line)}`).join('\n')
  const last = startLine + lines.length - 1
  if (last >= total) return body
  return `${body}\n\n(Lines ${startLine} to ${last} of ${total}. Use offset to read on.)`
}

/** How many lines the file has, as people count them. */
export function countTextLines({
  totalLines,
  endsInNewline,
}: Pick<LinesToRender, 'totalLines' | 'endsInNewline'>): number {
  return endsInNewline ? totalLines - 1 : totalLines
}

/** The lines for hosts: in full, except those that are too long to be kept. */
export function joinLinesWithoutNumbers(lines: readonly LineBeginning[]): string {
  return lines.map((line) => (line.hidden > 0 ? shorten(line) : line.text)).join('\n')
}

function nothingToShow(startLine: number, total: number): string {
  if (startLine <= total) return '(No lines were asked for: limit must be at least 1.)'
  return `(Line ${startLine} is past the end: the file has ${total} line${total === 1 ? '' : 's'}.)`
}

function shorten({ text, hidden }: LineBeginning): string {
  if (text.length <= MAX_LINE_LENGTH && hidden === 0) return text
  const more = text.length - MAX_LINE_LENGTH
  const rest = hidden > 0 ? `about ${formatSize(hidden + more)} more` : `${more} more characters`
  return `${text.slice(0, MAX_LINE_LENGTH)}… [${rest} in this line]`
}
