/** Turns everything that can go wrong with a request into one failure: code, text for the user, and facts for a retry. */

import type { ModelFailure } from '../../engine/ports.js'
import type { HttpError } from '../../platform/http/http.js'
import { isObject, type JsonObject } from '../../protocol/json.js'
import { NOT_LOGGED_IN_PREFIX } from '../../protocol/shown/fix-words.js'
import { parseJson } from './parse-json.js'
import { isRetriableStatus, type RetryFacts, readRetryAfter } from './retry.js'

/** `refusal`: what an endpoint said that did not want the request as it was. */
export type ClassifiedFailure = {
  failure: ModelFailure
  retry: RetryFacts
  refusal?: string
  /** Why there was no response, for people who wait for the retry. */
  cause?: string
}

const FINAL: RetryFacts = { retriable: false, overloaded: false, retryAfterMs: null, cut: false }
const LONGEST_BODY_SHOWN = 4000

export type FailedHttpResponse = {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
  model: string
  now: number
}

/** A response with a status that isn't a success. */
export function classifyResponse({ status: outer, headers, body, model, now }: FailedHttpResponse): ClassifiedFailure {
  const parsed = parseJson(body)
  const error = innermost(parsed)
  const status = statusOf(outer, parsed, error)
  const message = error?.['message']
  const retryAfterMs = readRetryAfter(headers, now)
  const billing = isBilling(status, error)
  const overloaded = status === 529 || (status === 429 && !retryAfterMs)
  return {
    failure: { ...describe(status, error, billing), text: textOf(status, body, parsed, headers, error, model), status },
    retry: {
      retriable: !billing && isRetriableStatus(status, headers['x-should-retry']),
      overloaded: overloaded && !billing,
      retryAfterMs,
      cut: false,
    },
    ...((status === 400 || status === 422) && typeof message === 'string' ? { refusal: message } : {}),
  }
}

/** An `error` event inside a stream counts like the status its type belongs to. */
export function classifyErrorBody(body: JsonObject, model: string): ClassifiedFailure {
  const error = innermost(body)
  const status = STATUS_BY_TYPE.get(error?.['type']) ?? codeOf(error) ?? 500
  return classifyResponse({ status, headers: {}, body: JSON.stringify(body), model, now: 0 })
}

/** Reasons that a retry can't fix: a wrong password or certificate stays wrong. */
const FINAL_REASONS = ['PROXY_AUTH', 'PROXY_NO_TUNNEL', 'CLIENT_CERTIFICATE']

/** The request got no response, or one that broke off. */
export function classifyHttpError(error: HttpError): ClassifiedFailure {
  if (error.code === 'connection_lost') return cutStreamFailure(error.host, error.reason)
  const timeout = error.code === 'timeout'
  const what = timeout ? 'Request timed out' : 'Connection error'
  return {
    failure: {
      kind: 'unknown',
      code: timeout ? 'timeout' : 'connection_failed',
      text: `API Error: ${what}. ${error.host}: ${error.reason}`,
      status: null,
      reason: error.reason,
    },
    retry: { ...FINAL, retriable: !FINAL_REASONS.includes(error.reason) },
    cause: connectionCause(error),
  }
}

const NO_NAME = ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_FAIL']

function connectionCause({ code, host: address, reason }: HttpError): string {
  const host = address.replace(/:(?:443|80)$/, '')
  if (NO_NAME.includes(reason)) return `${host.replace(/:\d+$/, '')} could not be resolved (${reason})`
  if (reason === 'ECONNREFUSED') return `${host} refuses connections (${reason})`
  return code === 'timeout' ? `${host} didn't respond in time` : `${host} can't be reached (${reason})`
}

/** The stream ended or stalled before the message was whole. */
export function cutStreamFailure(host: string, reason: string): ClassifiedFailure {
  return {
    failure: {
      kind: 'unknown',
      code: 'connection_failed',
      text: `API Error: Connection error. ${host}: the answer broke off (${reason})`,
      status: null,
    },
    retry: { ...FINAL, retriable: true, cut: true },
  }
}

/** The stream contradicted itself. A slip may pass, so it is worth one more try; a server that does it twice means it. */
export function malformedStreamFailure(host: string, reason: string): ClassifiedFailure {
  const trouble = cutStreamFailure(host, reason)
  return { ...trouble, retry: { ...trouble.retry, malformed: true } }
}

/** A success that isn't a model's answer, such as the page of a captive portal. Its body is not shown. */
export function unexpectedResponseFailure(host: string, status: number, contentType: string): ClassifiedFailure {
  const type = contentType === '' ? 'no content type' : `content type ${contentType.slice(0, 100)}`
  return {
    failure: {
      kind: 'unknown',
      code: 'unexpected_response',
      text: `API Error: ${status} from ${host} is not an answer of a model: ${type}`,
      status,
    },
    retry: FINAL,
  }
}

export function notLoggedInFailure(explanation: string): ModelFailure {
  return {
    kind: 'authentication_failed',
    code: 'not_authenticated',
    text: `${NOT_LOGGED_IN_PREFIX}No API key was found\n${explanation}`,
    status: null,
  }
}

/** A wire can't say this to its API. */
export class UnsendableRequestError extends Error {
  /** The part that speaks to other services has a copy of this class. */
  override readonly name = 'UnsendableRequest'
  static override [Symbol.hasInstance](value: unknown): value is UnsendableRequestError {
    return value instanceof Error && value.name === 'UnsendableRequest'
  }
}

/** What can't be said; else only what no JSON can express, such as nesting beyond the stack. */
export function unsendableFailure(error: unknown): ModelFailure {
  const reason = error instanceof Error ? error.message : 'unknown reason'
  const text = error instanceof UnsendableRequestError ? reason : `The request can't be written as JSON: ${reason}`
  return {
    kind: 'invalid_request',
    code: 'invalid_request',
    text: `API Error: ${text}`,
    status: error instanceof UnsendableRequestError ? 400 : null,
  }
}

/** Servers and proxies echo what they were sent. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (result, secret) => (secret.length < 8 ? result : result.replaceAll(secret, '[redacted]')),
    text,
  )
}

function describe(
  status: number,
  error: JsonObject | undefined,
  billing: boolean,
): Pick<ModelFailure, 'kind' | 'code'> {
  if (billing) return { kind: 'billing_error', code: 'billing' }
  if (status === 401) return { kind: 'authentication_failed', code: 'invalid_api_key' }
  if (status === 403) return { kind: 'authentication_failed', code: 'permission_denied' }
  if (status === 404) return { kind: 'invalid_request', code: 'model_not_found' }
  if (isTooLong(status, error)) return { kind: 'invalid_request', code: 'prompt_too_long' }
  if (status === 413) return { kind: 'unknown', code: 'request_too_large' }
  if (status === 429) return { kind: 'unknown', code: 'rate_limited' }
  if (status === 529) return { kind: 'unknown', code: 'overloaded' }
  if (status >= 500) return { kind: 'unknown', code: 'server_error' }
  return { kind: 'unknown', code: status >= 400 ? 'invalid_request' : 'unexpected_response' }
}

function textOf(
  status: number,
  body: string,
  parsed: unknown,
  headers: Readonly<Record<string, string>>,
  error: JsonObject | undefined,
  model: string,
): string {
  if (status === 401) return 'Invalid API key · Fix external API key'
  if (isTooLong(status, error)) return 'Prompt is too long'
  const requestId = (headers['request-id'] ?? '').slice(0, 100)
  // Pages of proxies and half answers are not repeated; their type says enough.
  const shown =
    parsed === undefined
      ? `(no JSON in the answer, content type ${(headers['content-type'] ?? 'unknown').slice(0, 100)})`
      : body.trim().slice(0, LONGEST_BODY_SHOWN)
  const text = `API Error: ${status} ${shown}`
  const notes = [
    ...(status === 404 && !text.includes(model) ? [`model: ${model}`] : []),
    ...(requestId !== '' && !text.includes(requestId) ? [`request id: ${requestId}`] : []),
  ]
  return notes.length > 0 ? `${text} (${notes.join(', ')})` : text
}

/** Gateways put the error of the model into one of their own, as an object, in a list, or as text. */
const DEEPEST = 3

function innermost(parsed: unknown): JsonObject | undefined {
  let found = errorIn(parsed)
  for (let depth = 1; found && depth < DEEPEST; depth += 1) {
    const inner = errorIn(found) ?? errorIn(found['upstream_error']) ?? errorIn(textIn(found['message']))
    if (!inner) break
    found = inner
  }
  return found
}

function errorIn(value: unknown): JsonObject | undefined {
  const one: unknown = Array.isArray(value) ? value[0] : value
  return isObject(one) && isObject(one['error']) ? one['error'] : undefined
}

/** JSON somewhere in a text, such as `litellm.BadRequestError: {"error": …}`. */
function textIn(message: unknown): unknown {
  if (typeof message !== 'string' || !message.includes('"error"')) return undefined
  return parseJson(message.slice(message.indexOf('{'), message.lastIndexOf('}') + 1))
}

/** What the model's own error is worth, where it came inside another. */
function statusOf(outer: number, parsed: unknown, error: JsonObject | undefined): number {
  const isWrapped = error !== undefined && error !== errorIn(parsed)
  return (isWrapped ? (STATUS_BY_TYPE.get(error['type']) ?? codeOf(error)) : undefined) ?? outer
}

function codeOf(error: JsonObject | undefined): number | undefined {
  const code = Number(error?.['code'])
  return code >= 400 && code <= 599 ? code : undefined
}

/** In the words of the API, and of gateways and the models behind them. */
const TOO_LONG =
  /prompt is too long|exceeds? (?:the )?context|maximum context length|input is too long|context_length_exceeded|ContextWindowExceeded|context window.{0,40}exceed|exceeds the limit of \d+ tokens/i

function isTooLong(status: number, error: JsonObject | undefined): boolean {
  const message = error?.['message']
  return (status === 400 || status === 413) && typeof message === 'string' && TOO_LONG.test(message)
}

/** Money, as opposed to speed: waiting does not help. */
const LIMIT_OF_MONEY =
  /(?:^|[^a-z])(?:spend|spending|usage|billing|credit|quota)[\s_-]*(?:limit|cap(?![a-z])|balance|exceeded|exhausted)|insufficient[\s_-]*(?:quota|funds|credit)/i

function isBilling(status: number, error: JsonObject | undefined): boolean {
  if (status === 402 || error?.['type'] === 'billing_error') return true
  if (status >= 500 || !error) return false
  const details = isObject(error['details']) ? error['details'] : {}
  return [...Object.values(error), ...Object.values(details)].some(
    (value) => typeof value === 'string' && LIMIT_OF_MONEY.test(value),
  )
}

const STATUS_BY_TYPE: ReadonlyMap<unknown, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
])
