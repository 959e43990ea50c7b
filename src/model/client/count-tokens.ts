/** Has the API count what a request would have the model read. Nothing is answered by it, and nothing paid. */
import type { EngineRequest } from '../../engine/ports.js'
import { HttpError } from '../../platform/http/http.js'
import { isObject } from '../../protocol/json.js'
import type { ModelClientConfig } from './client.js'
import type { TokenCountBodyBuilder, WrittenRequest } from './model-api-adapter.js'
import { parseJson } from './parse-json.js'

/** Somebody waits for a number that can be estimated. */
const TIMEOUT_MS = 10_000
const LONGEST_ANSWER = 65_536

/**
 * Asks the API how many tokens a request has. Undefined: the API does not offer it, can't be reached, or refuses.
 * Never throws.
 */
export async function countTokens(
  config: Pick<ModelClientConfig, 'platform' | 'wire' | 'resolve' | 'settings' | 'network'>,
  request: EngineRequest,
  signal: AbortSignal,
): Promise<number | undefined> {
  const model = config.resolve(request.model)
  const wire = await config.wire(model)
  const open = await wire.open(signal)
  if (!open.ok || signal.aborted) return undefined
  const asked = open.count?.({ request, plan: wire.plan(model, config.settings?.() ?? {}), streamed: false }, BODIES)
  if (!asked) return undefined
  const answer = await post(config, asked.written, signal)
  const tokens = isObject(answer) ? answer[asked.field] : undefined
  return typeof tokens === 'number' && Number.isFinite(tokens) && tokens >= 0 ? tokens : undefined
}

async function post(
  { platform, network }: Pick<ModelClientConfig, 'platform' | 'network'>,
  { url, headers, body }: WrittenRequest,
  signal: AbortSignal,
): Promise<unknown> {
  const controller = new AbortController()
  const abort = () => controller.abort()
  signal.addEventListener('abort', abort, { once: true })
  const cancel = platform.clock.after(TIMEOUT_MS, abort)
  try {
    const common = { method: 'POST' as const, url, headers, body, network, signal: controller.signal }
    const response = await platform.http.request({ ...common, timeoutMs: TIMEOUT_MS })
    if (response.status !== 200) {
      response.discard()
      return undefined
    }
    let text = ''
    for await (const chunk of response.body) {
      text += chunk
      if (text.length > LONGEST_ANSWER) break
    }
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return undefined
  } finally {
    cancel()
    signal.removeEventListener('abort', abort)
  }
}

/** Only these fields of a request are taken by the Messages API where it counts. */
const COUNTED = ['anthropic_version', 'model', 'messages', 'system', 'tools', 'thinking']

const BODIES: TokenCountBodyBuilder = {
  some(body, names, more = {}) {
    const whole = parseJson(BODIES.text(body))
    const fields = Object.entries(isObject(whole) ? whole : {}).filter(([name]) => names.includes(name))
    return [JSON.stringify({ ...more, ...Object.fromEntries(fields) })]
  },
  messages: (body, more) => BODIES.some(body, COUNTED, more),
  text(body) {
    const decoder = new TextDecoder()
    return body.map((piece) => (typeof piece === 'string' ? piece : decoder.decode(piece))).join('')
  },
}
