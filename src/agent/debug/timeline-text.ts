/** Numbers and texts as the timeline writes them. */
import { oneLine } from '../../platform/visible-text.js'

/** Longest part of a line that somebody else wrote. */
const MAX_TEXT = 160
/** Longest title of a call. */
const MAX_TITLE = 80
/** What is further behind is never shown. */
const MAX_LOOKED_AT = 16_384

export function formatSeconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

export function abbreviateCount(count: number): string {
  return count < 10_000 ? String(count) : `${(count / 1000).toFixed(1)}k`
}

/** Masked first: half of a secret, where a text was cut, would not be known for one. */
export function createMaskedExcerpts(mask: (text: string) => string) {
  const shown = (text: string, max = MAX_TEXT) => oneLine(mask(text.slice(0, MAX_LOOKED_AT)), max)
  return {
    shorten: (text: string) => shown(text, MAX_TITLE),
    quote: (text: string) => JSON.stringify(shown(text)),
    json(value: unknown): string {
      try {
        return shown(JSON.stringify(value) ?? '')
      } catch {
        return '(no JSON)'
      }
    },
  }
}

export type MaskedExcerpts = ReturnType<typeof createMaskedExcerpts>
