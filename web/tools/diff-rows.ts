/** A change of a text as rows to show: pairs of lines, with what is between changes left out. Pure. */
import { structuredPatch } from 'diff'

export type DiffRowLine = { number: number; text: string; mark: [from: number, to: number] | undefined }
export type ShownDiffRow =
  | { kind: 'same'; before: DiffRowLine; after: DiffRowLine }
  | { kind: 'changed'; before: DiffRowLine | undefined; after: DiffRowLine | undefined }
  | { kind: 'gap'; count: number }
export type ShownHunk = { oldStart: number; newStart: number; lines: readonly string[] }

export function rowsOfTexts(before: string, after: string): ShownDiffRow[] {
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, timeout: 1500 })
  return rowsOfHunks(patch?.hunks ?? [])
}

export function rowsOfHunks(hunks: readonly ShownHunk[]): ShownDiffRow[] {
  const rows: ShownDiffRow[] = []
  let next = 1
  for (const { oldStart, newStart, lines } of hunks) {
    if (oldStart > next) rows.push({ kind: 'gap', count: oldStart - next })
    let [old, now] = [oldStart, newStart]
    let removed: DiffRowLine[] = []
    let added: DiffRowLine[] = []
    const flush = () => {
      for (let at = 0; at < Math.max(removed.length, added.length); at += 1) rows.push(paired(removed[at], added[at]))
      removed = []
      added = []
    }
    for (const line of lines) {
      const text = line.slice(1)
      if (line.startsWith('-')) removed.push({ number: old++, text, mark: undefined })
      else if (line.startsWith('+')) added.push({ number: now++, text, mark: undefined })
      else if (!line.startsWith('\\')) {
        flush()
        const mark = undefined
        rows.push({ kind: 'same', before: { number: old++, text, mark }, after: { number: now++, text, mark } })
      }
    }
    flush()
    next = old
  }
  return rows
}

/** For one column: what is gone from a place comes before what is new there. */
export function inOneColumn(rows: readonly ShownDiffRow[]): ShownDiffRow[] {
  const shown: ShownDiffRow[] = []
  let added: ShownDiffRow[] = []
  const flush = () => {
    shown.push(...added)
    added = []
  }
  for (const row of rows) {
    if (row.kind !== 'changed') {
      flush()
      shown.push(row)
      continue
    }
    if (row.before) shown.push({ kind: 'changed', before: row.before, after: undefined })
    if (row.after) added.push({ kind: 'changed', before: undefined, after: row.after })
  }
  flush()
  return shown
}

/** Where two lines differ: from the first to the last character that is another one. */
function paired(before: DiffRowLine | undefined, after: DiffRowLine | undefined): ShownDiffRow {
  if (!before || !after) return { kind: 'changed', before, after }
  const [a, b] = [before.text, after.text]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  const isPart = start + end > Math.max(a.length, b.length) / 3
  if (!isPart) return { kind: 'changed', before, after }
  return {
    kind: 'changed',
    before: { ...before, mark: [start, a.length - end] },
    after: { ...after, mark: [start, b.length - end] },
  }
}
