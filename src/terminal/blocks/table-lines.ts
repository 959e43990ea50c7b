/** Tables of markdown: columns where they fit, one block per row where they do not. Pure. */
import { cutText, padText, textWidth, wrapText } from '../screen/styled-text.js'
import type { Styles } from '../screen/styles.js'
import { inlineMarkdown } from './inline-markdown.js'

const GAP = 2
const LEAST = 6

/** The lines of a table, its second being the rule. */
export function isTableSeparator(line: string): boolean {
  return /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/.test(line) && line.includes('-')
}

export function tableLines(source: readonly string[], columns: number, styles: Styles): string[] {
  const [head = [], , ...body] = source.map((line) => cellsOf(line).map((cell) => inlineMarkdown(cell, styles)))
  const count = head.length
  const widths = Array.from({ length: count }, (_, n) =>
    Math.max(3, ...[head, ...body].map((row) => textWidth(row[n] ?? ''))),
  )
  const room = columns - GAP * (count - 1)
  if (widths.reduce((sum, width) => sum + width, 0) > room) {
    if (room < LEAST * count) return asBlocks(head, body, columns, styles)
    shrink(widths, room)
  }
  const rule = styles.dim(widths.map((width) => styles.sign.rule.repeat(width)).join(' '.repeat(GAP)))
  return [...rowLines(head.map(styles.bold), widths), rule, ...body.flatMap((row) => rowLines(row, widths))]
}

function rowLines(row: readonly string[], widths: readonly number[]): string[] {
  const cells = widths.map((width, n) => wrapText(row[n] ?? '', width).map((line) => cutText(line, width)))
  const height = Math.max(1, ...cells.map((cell) => cell.length))
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((cell, n) => padText(cell[line] ?? '', widths[n] ?? 0))
      .join(' '.repeat(GAP))
      .trimEnd(),
  )
}

function asBlocks(head: readonly string[], body: readonly string[][], columns: number, styles: Styles): string[] {
  return body.flatMap((row, n) => [
    ...(n === 0 ? [] : ['']),
    ...row.flatMap((cell, at) => wrapText(`${styles.bold(head[at] ?? '')}: ${cell}`, columns, { indent: '  ' })),
  ])
}

/** The widest give first. */
function shrink(widths: number[], room: number): void {
  let over = widths.reduce((sum, width) => sum + width, 0) - room
  while (over > 0) {
    const widest = Math.max(...widths)
    const at = widths.indexOf(widest)
    if (widest <= LEAST) return
    widths[at] = widest - 1
    over -= 1
  }
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}
