/** One page of a result: what `head_limit` and `offset` ask for, and no more than a reader can use. */
import type { GrepInput, GrepOutput } from './grep-shapes.js'

/** What does not fit is left for the next page. */
const MAX_CHARACTERS = 30_000

export type GrepPage = {
  shown: string[]
  /** Where the page stands; empty when it holds everything. */
  note: string
  applied: Pick<GrepOutput, 'appliedLimit' | 'appliedOffset'>
}

/** `entryAt` is asked only for what is shown. */
export function pageOfResults(
  total: number,
  entryAt: (index: number) => string,
  input: GrepInput,
  what: 'files' | 'lines',
): GrepPage {
  const limit = clampToWholeNumber(input.head_limit)
  const offset = clampToWholeNumber(input.offset)
  const end = Math.min(total, limit > 0 ? offset + limit : total)
  const shown: string[] = []
  let characters = 0
  for (let i = offset; i < end; i += 1) {
    const entry = entryAt(i)
    characters += entry.length + 1
    // At least one, as many as fit.
    if (characters > MAX_CHARACTERS && shown.length > 0) break
    shown.push(entry)
  }
  const applied = { ...(limit > 0 ? { appliedLimit: limit } : {}), ...(offset > 0 ? { appliedOffset: offset } : {}) }
  if (shown.length === total) return { shown, note: '', applied }
  const next = offset + shown.length
  const range = shown.length === 0 ? 'none' : `${offset + 1} to ${next}`
  const advice = next < end ? `; set offset to ${next} for more, or narrow the search` : ''
  return { shown, note: `[Showing ${range} of ${total} ${what}${advice}]`, applied }
}

/** More lines no file has. */
const MAX_NUMBER = 1_000_000_000

export function clampToWholeNumber(value: number | undefined): number {
  return Math.min(MAX_NUMBER, Math.max(0, Math.floor(value ?? 0))) || 0
}
