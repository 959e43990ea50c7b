/** What several hooks say about a request to a model: headers to add to it, and whether a failed one is made again. Pure. */
import type { BlockVerdict, MergedOutputs } from './merge-answers.js'

/** `headers`: by their names in small letters. `refused`: what was asked for and may not be. */
export type ModelRequestVerdict = BlockVerdict & { headers?: Record<string, string>; refused?: string[] }
export type ModelRetryVerdict = BlockVerdict & { retry?: boolean; delayMs?: number }

/**
 * Headers for authentication and framing are not for hooks to set: a hook that could set them could send the
 * conversation elsewhere.
 */
const OURS =
  /^(?:authorization|cookie|host|te|trailer|upgrade|expect|connection|keep-alive|transfer-encoding|anthropic-version|(?:x-)?api-key|(?:content|accept|proxy|x-amz|x-goog)(?:-.*)?)$/
const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/
const VALUE = /^[\t\x20-\x7e]{0,8192}$/
const LONGEST_DELAY_MS = 600_000

/** If two hooks set the same header, the last one wins. */
export function mergeModelRequest(
  { answers, hasCrashed: _, ...verdict }: MergedOutputs,
  fixed: readonly string[] = [],
): ModelRequestVerdict {
  const asked = answers.flatMap(({ hookSpecificOutput: specific }) =>
    specific?.hookEventName === 'ModelRequest' ? Object.entries(specific.headers ?? {}) : [],
  )
  const named = asked.map(([name, value]) => [name.toLowerCase(), value] as const)
  const may = ([name, value]: readonly [string, unknown]) =>
    NAME.test(name) && !OURS.test(name) && !fixed.includes(name) && typeof value === 'string' && VALUE.test(value)
  const headers = named.filter(may)
  const refused = named.filter((one) => !may(one)).map(([name]) => name.slice(0, 100))
  return {
    ...verdict,
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(refused.length > 0 && { refused }),
  }
}

/**
 * A hook that forbids the retry wins, and so does the longest delay. If a hook crashed, requests for another retry are
 * ignored.
 */
export function mergeModelRetry({ answers, hasCrashed, ...verdict }: MergedOutputs): ModelRetryVerdict {
  const said = answers.flatMap(({ hookSpecificOutput: specific }) =>
    specific?.hookEventName === 'ModelRetry' ? specific : [],
  )
  const delays = said.flatMap(({ delayMs }) => delayMs ?? [])
  const objects = said.some(({ retry }) => retry === false)
  const wants = said.some(({ retry }) => retry === true) && !hasCrashed
  return {
    ...verdict,
    ...(objects ? { retry: false } : wants && { retry: true }),
    ...(delays.length > 0 && { delayMs: Math.min(Math.max(0, ...delays), LONGEST_DELAY_MS) }),
  }
}
