/** Which models a service has, and how much each can read, where it says so: `GET /models` of OpenAI's APIs. */
import { HttpError } from '../../platform/http/http.js'
import type { NetworkSettings } from '../../platform/network/network.js'
import type { Platform } from '../../platform/platform.js'
import { isObject, type JsonObject } from '../../protocol/json.js'
import { classifyHttpError, redactSecrets } from '../client/failure.js'
import { parseJson } from '../client/parse-json.js'
import { toSendableSecret } from '../messages-api/credentials/credential.js'
import type { Service } from './service.js'

/** `id`: as `--model` takes it. `contextWindow`: null where the service does not say. */
export type ServiceModelListing = { id: string; contextWindow: number | null }
export type ServiceModelList =
  | { ok: true; models: ServiceModelListing[] }
  | { ok: false; problem: string; status: number | null }

export type ListServiceModelsOptions = {
  platform: Pick<Platform, 'http'>
  env: Readonly<Record<string, string | undefined>>
  version: string
  signal: AbortSignal
  network?: NetworkSettings | undefined
}

const TIMEOUT_MS = 10_000
const LONGEST_BODY = 8 * 1024 * 1024
/** OpenRouter; vLLM; LM Studio; Groq and others; llama.cpp keeps it one level deeper. */
const WINDOW_FIELDS = [
  'context_length',
  'max_model_len',
  'max_context_length',
  'context_window',
  'n_ctx',
  'n_ctx_train',
]

/** Lists the models of a service. Never throws; the problem holds no key. */
export async function listServiceModels(
  service: Service,
  options: ListServiceModelsOptions,
): Promise<ServiceModelList> {
  const { platform, env, version, signal, network } = options
  const value = service.keyVariable === undefined ? undefined : env[service.keyVariable]
  const key = value?.trim() ? toSendableSecret(value) : undefined
  const secrets = [...(key === undefined ? [] : [key]), ...Object.values(service.headers)]
  const failed = (text: string, status: number | null): ServiceModelList => {
    return { ok: false, problem: redactSecrets(text, secrets), status }
  }
  const url = new URL(`${service.baseUrl.href.replace(/\/$/, '')}/models`)
  try {
    const response = await platform.http.request({
      method: 'GET',
      url,
      signal,
      network,
      timeoutMs: TIMEOUT_MS,
      headers: {
        accept: 'application/json',
        'user-agent': `kedge/${version}`,
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...service.headers,
      },
    })
    let body = ''
    for await (const chunk of response.body) {
      body += chunk
      if (body.length > LONGEST_BODY) break
    }
    if (response.status !== 200) return failed(`${url.origin} answered with status ${response.status}`, response.status)
    const answer = parseJson(body)
    const data: unknown = isObject(answer) ? (answer['data'] ?? answer['models']) : answer
    if (!Array.isArray(data)) return failed(`${url.origin} does not list its models`, response.status)
    return { ok: true, models: data.filter(isObject).flatMap((one) => listing(service, one)) }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return failed(classifyHttpError(error).failure.text.replace(/^API Error: /, ''), null)
  }
}

function listing({ name }: Service, one: JsonObject): ServiceModelListing | [] {
  const id = [one['id'], one['name'], one['model']].find((value) => typeof value === 'string' && value !== '')
  // Gemini's own name for its models begins with their kind.
  return id === undefined ? [] : { id: `${name}/${String(id).replace(/^models\//, '')}`, contextWindow: windowOf(one) }
}

function windowOf(one: JsonObject): number | null {
  const meta: JsonObject = isObject(one['meta']) ? one['meta'] : {}
  const found = WINDOW_FIELDS.map((field) => one[field] ?? meta[field]).find(
    (value) => typeof value === 'number' && value > 0,
  )
  return typeof found === 'number' ? found : null
}
