/** Hooks around each request to a model: what they may add to it, and whether a failed one is made again. */
import { answers, crashed, type HookOutcome } from './hook-outcome.js'
import { type BlockVerdict, mergeBlockOrStop } from './merge-answers.js'
import type { Fields, Raise } from './raise.js'

/** `headers`: by their names in small letters. `refused`: what was asked for and may not be. */
export type RequestVerdict = BlockVerdict & { headers?: Record<string, string>; refused?: string[] }
export type RetryVerdict = BlockVerdict & { retry?: boolean; delayMs?: number }

/** Who pays and how the request is framed is ours to say; a hook that could set it could send the conversation elsewhere. */
const OURS =
  /^(?:authorization|cookie|host|te|trailer|upgrade|expect|connection|keep-alive|transfer-encoding|anthropic-version|(?:x-)?api-key|(?:content|accept|proxy|x-amz|x-goog)(?:-.*)?)$/
const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/
const VALUE = /^[\t\x20-\x7e]{0,8192}$/
const LONGEST_DELAY_MS = 600_000

export function createModelHooks(raise: Raise) {
  return {
    /** `fixed`: headers that can't be changed any more. */
    async modelRequest(fields: () => Fields<'ModelRequest'>, fixed: readonly string[], signal: AbortSignal) {
      return mergeModelRequest(await raise('ModelRequest', fields, signal), fixed)
    },
    async modelRetry(fields: Fields<'ModelRetry'>, signal: AbortSignal) {
      return mergeModelRetry(await raise('ModelRetry', () => fields, signal))
    },
  }
}

/** Of two hooks that set the same header the last one counts. */
export function mergeModelRequest(outcomes: readonly HookOutcome[], fixed: readonly string[] = []): RequestVerdict {
  const asked = answers(outcomes).flatMap(({ hookSpecificOutput: specific }) =>
    specific?.hookEventName === 'ModelRequest' ? Object.entries(specific.headers ?? {}) : [],
  )
  const named = asked.map(([name, value]) => [name.toLowerCase(), value] as const)
  const may = ([name, value]: readonly [string, unknown]) =>
    NAME.test(name) && !OURS.test(name) && !fixed.includes(name) && typeof value === 'string' && VALUE.test(value)
  const headers = named.filter(may)
  const refused = named.filter((one) => !may(one)).map(([name]) => name.slice(0, 100))
  return {
    ...mergeBlockOrStop(outcomes),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(refused.length > 0 && { refused }),
  }
}

/** Whoever wants no retry has its way, the longest delay counts; where a hook crashed, nobody's "once more" does. */
export function mergeModelRetry(outcomes: readonly HookOutcome[]): RetryVerdict {
  const said = answers(outcomes).flatMap(({ hookSpecificOutput: specific }) =>
    specific?.hookEventName === 'ModelRetry' ? specific : [],
  )
  const delays = said.flatMap(({ delayMs }) => delayMs ?? [])
  const objects = said.some(({ retry }) => retry === false)
  const wants = said.some(({ retry }) => retry === true) && !outcomes.some(crashed)
  return {
    ...mergeBlockOrStop(outcomes),
    ...(objects ? { retry: false } : wants && { retry: true }),
    ...(delays.length > 0 && { delayMs: Math.min(Math.max(0, ...delays), LONGEST_DELAY_MS) }),
  }
}
