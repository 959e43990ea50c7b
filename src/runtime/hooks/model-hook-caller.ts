/** What hooks are shown of a request to a model, and what is made of what they say; loaded where there are such hooks. */
import type { ModelRequestHooks } from '../../engine/ports.js'
import { mergeModelRequest, mergeModelRetry } from '../../hooks/merge-model-answers.js'
import type { SessionHooks } from '../../hooks/session-hooks.js'

const CREDENTIALS = /^(?:authorization|cookie|proxy-authorization|(?:x-)?api-key|x-amz-security-token)$/i

export function createModelHookCaller(
  said: SessionHooks['said'],
  stderr: (text: string) => void,
): Required<ModelRequestHooks> {
  return {
    async beforeRequest({ url, headers, body }, { model, attempt, secrets }, signal) {
      const isShown = ([name, value]: [string, string]) =>
        !CREDENTIALS.test(name) && !secrets.some((secret) => secret !== '' && value.includes(secret))
      const shown = Object.entries(headers).filter(isShown)
      const hidden = Object.entries(headers).flatMap((one) => (isShown(one) ? [] : one[0].toLowerCase()))
      const fields = () => ({
        model,
        url: `${url.origin}${url.pathname}`,
        attempt,
        body: textOf(body),
        headers: Object.fromEntries(shown),
      })
      const fixed = [...hidden, ...signedHeaders(headers)]
      const verdict = mergeModelRequest(await said('ModelRequest', fields, signal), fixed)
      const { headers: added, refused = [], stop, block = stop && (stop.reason ?? 'It ended the turn.') } = verdict
      for (const name of refused)
        stderr(`A ModelRequest hook wants to set the header ${JSON.stringify(name)}, which it may not: left out.\n`)
      if (block !== undefined) {
        const text = `The request was held back by a ModelRequest hook: ${block}`
        return { kind: 'invalid_request', code: 'request_blocked', text, status: null }
      }
      if (!added) return { headers }
      const kept = Object.entries(headers).filter(([name]) => !Object.hasOwn(added, name.toLowerCase()))
      return { headers: { ...Object.fromEntries(kept), ...added } }
    },
    async beforeRetry({ model, error, status, attempt, maxRetries, delayMs, willRetry }, signal) {
      const fields = () => ({
        model,
        error,
        error_status: status,
        attempt,
        max_retries: maxRetries,
        delay_ms: delayMs,
        will_retry: willRetry,
      })
      const { block, stop, ...wish } = mergeModelRetry(await said('ModelRetry', fields, signal))
      return block !== undefined || stop ? { retry: false } : wish
    },
  }
}

/** What a signature covers can't be changed behind it. */
function signedHeaders(headers: Readonly<Record<string, string>>): string[] {
  const [, signed] = /SignedHeaders=([^,\s]+)/.exec(headers['authorization'] ?? headers['Authorization'] ?? '') ?? []
  return signed?.toLowerCase().split(';') ?? []
}

function textOf(body: readonly (string | Uint8Array)[]): string {
  const decoder = new TextDecoder()
  const pieces = body.map((piece) => (typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })))
  return pieces.join('') + decoder.decode()
}
