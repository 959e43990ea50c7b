/** A change to a file as somebody sees it who is asked about it: both texts, bounded, with the lines counted. */
import type { AskPreview } from '../../protocol/permission-types.js'
import { structuredPatch } from './structured-patch.js'

/** Characters of both texts together. */
const MAX_TEXT = 500_000

/** `before` null: there is no such file yet. */
export async function previewChange(path: string, before: string | null, after: string): Promise<AskPreview> {
  const { added, removed } = await countLines(before ?? '', after)
  const texts = { type: 'diff' as const, path, oldText: before, newText: after, added, removed }
  if ((before?.length ?? 0) + after.length <= MAX_TEXT) return texts
  const half = MAX_TEXT / 2
  return { ...texts, oldText: before?.slice(0, half) ?? null, newText: after.slice(0, half), cut: true }
}

async function countLines(before: string, after: string): Promise<{ added: number; removed: number }> {
  const lines = (await structuredPatch(before, after)).flatMap((hunk) => hunk.lines)
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  return { added: count('+'), removed: count('-') }
}
