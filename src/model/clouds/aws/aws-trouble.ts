/** Errors of AWS, in words of the Messages API: what they are called, what they mean for the next try. */
import { isObject, type JsonObject } from '../../../protocol/json.js'
import { type ClassifiedFailure, classifyResponse, type FailedHttpResponse } from '../../client/failure.js'
import { parseJson } from '../../client/parse-json.js'

type Meaning = { status: number; type: string }

const MEANING: ReadonlyMap<string, Meaning> = new Map([
  ['throttling', { status: 429, type: 'rate_limit_error' }],
  ['toomanyrequests', { status: 429, type: 'rate_limit_error' }],
  ['servicequotaexceeded', { status: 429, type: 'billing_error' }],
  ['serviceunavailable', { status: 529, type: 'overloaded_error' }],
  ['modelnotready', { status: 529, type: 'overloaded_error' }],
  ['internalserver', { status: 500, type: 'api_error' }],
  ['internalfailure', { status: 500, type: 'api_error' }],
  ['modelstreamerror', { status: 500, type: 'api_error' }],
  ['modelerror', { status: 500, type: 'api_error' }],
  ['modeltimeout', { status: 504, type: 'timeout_error' }],
  ['validation', { status: 400, type: 'invalid_request_error' }],
  ['resourcenotfound', { status: 404, type: 'not_found_error' }],
])

/** Waiting a minute does not help against what counts by the day. */
const PER_DAY = /too many tokens per day|per.day|daily/i

/** An exception in a stream. */
export function awsStreamError(exception: string, message: string): JsonObject {
  const { type } = meaningOf(exception, message) ?? { type: 'api_error' }
  return { type: 'error', error: { type, message: `${exception}: ${message}` } }
}

/** `kind`: the name of the exception, without what follows it. */
export function classifyAwsFailure(response: FailedHttpResponse): {
  trouble: ClassifiedFailure
  kind: string
  message: string
} {
  const { headers, body } = response
  const parsed = parseJson(body)
  const said = isObject(parsed) ? parsed : {}
  // Doors that speak the Messages API have its errors, too.
  if (isObject(said['error'])) return { trouble: classifyResponse(response), kind: '', message: '' }
  const named = headers['x-amzn-errortype'] ?? said['__type'] ?? said['Code']
  const kind = typeof named === 'string' ? (named.split(':', 1)[0]?.replace(/^.*#/, '').slice(0, 100) ?? '') : ''
  const message = [said['message'], said['Message']].find((text) => typeof text === 'string') ?? ''
  if (kind === '' && message === '') return { trouble: classifyResponse(response), kind, message }
  const { status, type } = meaningOf(kind, message) ?? { status: response.status, type: kind }
  const id = headers['x-amzn-requestid']
  const trouble = classifyResponse({
    ...response,
    status,
    headers: { ...headers, ...(id ? { 'request-id': id } : {}) },
    body: JSON.stringify({ type: 'error', error: { type, ...(kind === '' ? {} : { exception: kind }), message } }),
  })
  return { trouble, kind, message }
}

function meaningOf(exception: string, message: string): Meaning | undefined {
  const meaning = MEANING.get(exception.replace(/Exception$/i, '').toLowerCase())
  if (meaning?.status === 429 && PER_DAY.test(message)) return { status: 429, type: 'billing_error' }
  return meaning
}

/** The credential itself is the problem, as opposed to what it may do. */
export function isCredentialRefusal(status: number | null, kind: string, message: string): boolean {
  if (status !== 401 && status !== 403) return false
  if (
    /ExpiredToken|UnrecognizedClient|InvalidClientTokenId|InvalidSignature|IncompleteSignature|RequestExpired/i.test(
      kind,
    )
  )
    return true
  return /expired|security token|not (?:a )?valid|credential/i.test(message)
}

/** Signed at another time than the server's. */
export function isClockRefusal(kind: string, message: string): boolean {
  return (
    /RequestExpired|RequestTimeTooSkewed|SignatureDoesNotMatch|InvalidSignature/i.test(kind) ||
    /signature (?:has )?expired|not yet current/i.test(message)
  )
}
