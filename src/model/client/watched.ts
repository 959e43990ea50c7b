/** What somebody who watches the requests of a session is shown, and what is made of what they say. */
import type { ModelFailure, ModelWatch } from '../../engine/ports.js'
import type { BodyPiece, WrittenRequest } from './api-wire.js'
import { backOff, type Decision } from './retry.js'

type Asking = { watch: ModelWatch; model: string; attempt: number; secrets: readonly string[] }

const CREDENTIALS = /^(?:authorization|cookie|proxy-authorization|(?:x-)?api-key|x-amz-security-token)$/i
/** However often somebody wants it. */
const MOST_RETRIES = 100

/** The request with the headers that are wanted; a failure: it is not to be made. */
export async function watchedRequest(
  written: WrittenRequest,
  { watch, model, attempt, secrets }: Asking,
  signal: AbortSignal,
): Promise<WrittenRequest | ModelFailure> {
  if (!watch.beforeRequest) return written
  const { url, headers, body } = written
  const isShown = ([name, value]: [string, string]) =>
    !CREDENTIALS.test(name) && !secrets.some((secret) => secret !== '' && value.includes(secret))
  const about = {
    ...{ model, attempt, url: `${url.origin}${url.pathname}` },
    headers: Object.fromEntries(Object.entries(headers).filter(isShown)),
    body: () => textOf(body),
    fixed: signedHeaders(headers),
  }
  const { headers: added, block } = await watch.beforeRequest(about, signal)
  if (block !== undefined) {
    const text = `The request was held back by a ModelRequest hook: ${block}`
    return { kind: 'invalid_request', code: 'request_blocked', text, status: null }
  }
  if (!added) return written
  const kept = Object.entries(headers).filter(([name]) => !(name.toLowerCase() in added))
  return { ...written, headers: { ...Object.fromEntries(kept), ...added } }
}

type Failed = { watch: ModelWatch; model: string; retries: number; maxRetries: number; failure: ModelFailure }

/** What is done about a failure, once more thought about. */
export async function reconsider(
  decision: Decision,
  { watch, model, retries, maxRetries, failure }: Failed,
  random: number,
  signal: AbortSignal,
): Promise<Decision> {
  if (!watch.beforeRetry) return decision
  const willRetry = decision.do === 'retry'
  const delayMs = willRetry ? decision.delayMs : backOff(retries, random)
  const about = {
    model,
    attempt: retries + 1,
    maxRetries,
    delayMs,
    willRetry,
    error: failure.code,
    status: failure.status,
  }
  const wish = await watch.beforeRetry(about, signal)
  if (wish.retry === false) return willRetry ? { do: 'fail' } : decision
  if (!willRetry && !(wish.retry && retries < MOST_RETRIES)) return decision
  return { do: 'retry', delayMs: wish.delayMs ?? delayMs }
}

/** What a signature covers can't be changed behind it. */
function signedHeaders(headers: Readonly<Record<string, string>>): string[] {
  const [, signed = ''] =
    /SignedHeaders=([^,\s]+)/.exec(headers['authorization'] ?? headers['Authorization'] ?? '') ?? []
  return signed === '' ? [] : signed.toLowerCase().split(';')
}

function textOf(body: readonly BodyPiece[]): string {
  const decoder = new TextDecoder()
  const pieces = body.map((piece) => (typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })))
  return pieces.join('') + decoder.decode()
}
