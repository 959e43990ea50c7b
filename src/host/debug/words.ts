/** Numbers and texts as the timeline writes them. */
import { oneLine } from '../../platform/visible-text.js'

/** Longest part of a line that somebody else wrote. */
const MAX_TEXT = 160

export function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

export function brief(count: number): string {
  return count < 10_000 ? String(count) : `${(count / 1000).toFixed(1)}k`
}

export function quote(text: string): string {
  return JSON.stringify(oneLine(text, MAX_TEXT))
}

export function json(value: unknown): string {
  try {
    return oneLine(JSON.stringify(value) ?? '', MAX_TEXT)
  } catch {
    return '(no JSON)'
  }
}
