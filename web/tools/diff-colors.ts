/** Syntax colors of a change's lines, by line number. */
import { type ColoredLine, coloredLines, fileExtensionOf } from './colors.js'
import type { ShownDiffRow } from './diff-rows.js'

export type ColoredLinesByNumber = ReadonlyMap<number, ColoredLine>
export type DiffSyntaxColors = { before: ColoredLinesByNumber; after: ColoredLinesByNumber }
/** Both full texts, if they are known. */
export type BeforeAndAfterTexts = { before: string; after: string }

type Numbered = { number: number; text: string }

export async function computeDiffSyntaxColors(
  path: string,
  rows: readonly ShownDiffRow[],
  texts?: BeforeAndAfterTexts,
): Promise<DiffSyntaxColors> {
  const of = async (which: 'before' | 'after') => {
    const whole = texts && (await colored(path, [...texts[which].split('\n').entries()].map(numbered)))
    if (whole) return new Map(whole)
    const parts = await Promise.all(between(rows, which).map((lines) => colored(path, lines)))
    return new Map(parts.flatMap((part) => part ?? []))
  }
  return { before: await of('before'), after: await of('after') }
}

const numbered = ([at, text]: [number, string]): Numbered => ({ number: at + 1, text })

async function colored(path: string, lines: readonly Numbered[]): Promise<[number, ColoredLine][] | undefined> {
  const found = await coloredLines(lines.map(({ text }) => text).join('\n'), fileExtensionOf(path))
  return found?.map((line, at) => [lines[at]?.number ?? 0, line])
}

/** Colors each hunk separately, because a comment can end in the omitted lines between two hunks. */
function between(rows: readonly ShownDiffRow[], which: 'before' | 'after'): Numbered[][] {
  const parts: Numbered[][] = [[]]
  for (const row of rows) {
    if (row.kind === 'gap') parts.push([])
    else if (row[which]) parts.at(-1)?.push(row[which])
  }
  return parts
}
