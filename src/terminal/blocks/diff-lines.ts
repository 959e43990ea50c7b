/** A change to a file as lines with numbers and colors. Pure. */
import { isObject } from '../../protocol/json.js'
import { wrapText } from '../screen/styled-text.js'
import type { Styles } from '../screen/styles.js'
import { toTerminalSafeLines } from '../screen/terminal-safe-text.js'

export type DiffHunk = { oldStart: number; newStart: number; lines: string[] }

export function readDiffHunks(output: unknown): DiffHunk[] | undefined {
  if (!isObject(output) || !Array.isArray(output['structuredPatch'])) return undefined
  return output['structuredPatch'].filter(isObject).map((hunk) => ({
    oldStart: Number(hunk['oldStart']) || 1,
    newStart: Number(hunk['newStart']) || 1,
    lines: (Array.isArray(hunk['lines']) ? hunk['lines'] : []).map(String),
  }))
}

export function countChanges(hunks: readonly DiffHunk[]): { added: number; removed: number } {
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const starting = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  return { added: starting('+'), removed: starting('-') }
}

export function diffLines(hunks: readonly DiffHunk[], columns: number, styles: Styles): string[] {
  const last = hunks.at(-1)
  const size = String((last?.newStart ?? 1) + (last?.lines.length ?? 0)).length
  return hunks.flatMap((hunk, n) => [
    ...(n === 0 ? [] : [styles.dim(`${' '.repeat(size)} ${styles.sign.more}`)]),
    ...hunkLines(hunk, size, columns, styles),
  ])
}

function hunkLines({ oldStart, newStart, lines }: DiffHunk, size: number, columns: number, styles: Styles): string[] {
  let before = oldStart
  let after = newStart
  return lines.flatMap((line) => {
    const sign = line.charAt(0)
    if (sign === '\\') return []
    const number = sign === '-' ? before : after
    if (sign !== '+') before += 1
    if (sign !== '-') after += 1
    const [text = ''] = toTerminalSafeLines(line.slice(1))
    const numbered = `${String(number).padStart(size)} ${sign === ' ' ? ' ' : sign} ${text}`
    const colored = sign === '+' ? styles.green(numbered) : sign === '-' ? styles.red(numbered) : styles.dim(numbered)
    return wrapText(colored, columns, { anywhere: true, indent: ' '.repeat(size + 3) })
  })
}
