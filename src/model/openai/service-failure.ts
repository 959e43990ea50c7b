/** Errors of these APIs, as the kinds the client knows. */
import { isObject, type JsonObject, textOrEmpty } from '../../protocol/json.js'
import { type ClassifiedFailure, classifyResponse, type FailedHttpResponse } from '../client/failure.js'
import { parseJson } from '../client/parse-json.js'

/** By `code`, or by `type` where there is no code; in the words of the Messages API. */
const ERROR_TYPES: ReadonlyMap<unknown, string> = new Map([
  ['rate_limit_exceeded', 'rate_limit_error'],
  ['rate_limit_error', 'rate_limit_error'],
  ['requests', 'rate_limit_error'],
  ['tokens', 'rate_limit_error'],
  ['insufficient_quota', 'billing_error'],
  ['billing_hard_limit_reached', 'billing_error'],
  ['server_overloaded', 'overloaded_error'],
  ['overloaded_error', 'overloaded_error'],
  ['invalid_api_key', 'authentication_error'],
  ['model_not_found', 'not_found_error'],
  ['context_length_exceeded', 'invalid_request_error'],
  ['invalid_prompt', 'invalid_request_error'],
  ['invalid_request_error', 'invalid_request_error'],
  ['image_parse_error', 'invalid_request_error'],
])

/** Statuses stand for themselves. */
const BY_STATUS: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [503, 'overloaded_error'],
  [529, 'overloaded_error'],
])

export function serviceErrorType(code: unknown): string {
  return ERROR_TYPES.get(code) ?? BY_STATUS.get(Number(code)) ?? 'api_error'
}

export function serviceFailure(response: FailedHttpResponse): ClassifiedFailure {
  const error = errorIn(parseJson(response.body))
  const { code, param } = error
  const message = textOrEmpty(error['message'])
  const trouble = classifyResponse({ ...response, body: rewritten(response.body, error) })
  const resetMs = response.status === 429 ? resetAfter(response.headers) : null
  const { retry, failure, refusal } = trouble
  // Busy rather than too fast: there may be another model to turn to.
  const overloaded = retry.overloaded || response.status === 503
  return {
    ...trouble,
    retry: { ...retry, overloaded, retryAfterMs: retry.retryAfterMs ?? resetMs },
    failure: code === 'context_length_exceeded' ? { ...failure, ...TOO_LONG } : failure,
    ...(refusal !== undefined && {
      refusal: [textOrEmpty(param), textOrEmpty(code), message].filter(Boolean).join(': '),
    }),
  }
}

const TOO_LONG = { kind: 'invalid_request', code: 'prompt_too_long', text: 'Prompt is too long' } as const

/** `{"detail": …}` and `{"object": "error", "message": …}` are said by some; the client reads `error`. */
function rewritten(body: string, error: JsonObject): string {
  return Object.keys(error).length > 0 ? JSON.stringify({ error }) : body
}

function errorIn(parsed: unknown): JsonObject {
  const one: unknown = Array.isArray(parsed) ? parsed[0] : parsed
  if (!isObject(one)) return {}
  if (isObject(one['error'])) return one['error']
  if (typeof one['error'] === 'string') return { message: one['error'] }
  if (one['object'] === 'error') return one
  return typeof one['detail'] === 'string' ? { message: one['detail'] } : {}
}

/** When the quota that is used up is filled again: `1s`, `6m0s`, `250ms`. */
function resetAfter(headers: Readonly<Record<string, string>>): number | null {
  const waits = ['requests', 'tokens'].flatMap((what) =>
    headers[`x-ratelimit-remaining-${what}`] === '0' ? [readSpan(headers[`x-ratelimit-reset-${what}`])] : [],
  )
  const known = waits.filter((wait) => wait !== null)
  return known.length > 0 ? Math.max(...known) : null
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

function readSpan(value: string | undefined): number | null {
  if (value === undefined || !/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(value)) return null
  const parts = value.match(/\d+(?:\.\d+)?(?:ms|s|m|h)/g) ?? []
  return parts.reduce((sum, part) => sum + Number.parseFloat(part) * (UNITS[part.replace(/[\d.]+/, '')] ?? 0), 0)
}
