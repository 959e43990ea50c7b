/** Watches the first line of a running hook for `{"async": true}`: "I am on it, don't wait for me." */
import { isHookObjection } from './check-output.js'

/** Longer first lines say something else. */
const MAX_LINE = 1000
const NEWLINE = 10

/** Takes chunk after chunk; answers once, with the ms the hook asked for and what came behind that line. */
export function createAsyncHookDetector(): (
  chunk: Uint8Array,
) => { ms: number | undefined; rest: Uint8Array } | undefined {
  let line = ''
  let over = false
  return (chunk) => {
    if (over) return undefined
    const end = chunk.indexOf(NEWLINE)
    line += new TextDecoder().decode(end < 0 ? chunk.subarray(0, MAX_LINE) : chunk.subarray(0, Math.min(end, MAX_LINE)))
    const said = line.length < MAX_LINE ? readAsync(line) : undefined
    over = said !== undefined || end >= 0 || line.length >= MAX_LINE
    return said && { ms: said.ms, rest: chunk.subarray(end < 0 ? chunk.length : end + 1) }
  }
}

function readAsync(line: string): { ms: number | undefined } | undefined {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value !== 'object' || value === null || !('async' in value) || value.async !== true) return undefined
    // One that objects can't be let go: it is an answer that means nothing.
    if (isHookObjection(value)) return undefined
    const ms = 'asyncTimeout' in value ? value.asyncTimeout : undefined
    return { ms: typeof ms === 'number' && ms > 0 ? ms : undefined }
  } catch {
    return undefined
  }
}
