/** Asks the hooks of ModelRequest and ModelRetry; undefined, and no work at all, where there are none. */
import type { ModelWatch } from '../../engine/ports.js'
import type { SessionHooks } from '../../hooks/session-hooks.js'

export function watchModel(hooks: SessionHooks, report: (text: string) => void): () => ModelWatch | undefined {
  const beforeRequest: NonNullable<ModelWatch['beforeRequest']> = async ({ body, fixed, ...about }, signal) => {
    const fields = () => ({ ...about, body: body() })
    const { headers, refused, block, stop } = await hooks.modelRequest(fields, fixed, signal)
    for (const name of refused ?? [])
      report(`A ModelRequest hook wants to set the header ${JSON.stringify(name)}, which it may not: left out.\n`)
    const why = block ?? (stop && (stop.reason ?? 'it ended the turn.'))
    return { ...(headers && { headers }), ...(why === undefined ? {} : { block: why }) }
  }
  const beforeRetry: NonNullable<ModelWatch['beforeRetry']> = async (about, signal) => {
    const { model, attempt, maxRetries, delayMs, willRetry, error, status } = about
    const fields = { model, attempt, max_retries: maxRetries, delay_ms: delayMs, will_retry: willRetry }
    const {
      retry,
      delayMs: wanted,
      block,
      stop,
    } = await hooks.modelRetry({ ...fields, error, error_status: status }, signal)
    if (block !== undefined || stop) return { retry: false }
    return { ...(retry === undefined ? {} : { retry }), ...(wanted === undefined ? {} : { delayMs: wanted }) }
  }
  return () => {
    const watches = { request: hooks.has('ModelRequest'), retry: hooks.has('ModelRetry') }
    if (!watches.request && !watches.retry) return undefined
    return { ...(watches.request && { beforeRequest }), ...(watches.retry && { beforeRetry }) }
  }
}
