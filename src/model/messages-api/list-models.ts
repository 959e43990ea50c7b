/** Which models there are: asked from the API, or from the built-in table when it can't be asked. */
import { HttpError } from '../../platform/http/http.js'
import type { NetworkSettings } from '../../platform/network/network.js'
import type { Platform } from '../../platform/platform.js'
import { isObject, type JsonObject } from '../../protocol/json.js'
import { userFailureText } from '../../protocol/shown/fix-words.js'
import {
  classifyHttpError,
  classifyResponse,
  notLoggedInFailure,
  redactSecrets,
  unexpectedResponseFailure,
} from '../client/failure.js'
import { parseJson } from '../client/parse-json.js'
import { KNOWN_MODEL_IDS, modelFacts } from '../model-facts.js'
import { joinEndpointPath, type ModelEnvironment } from './client-environment.js'
import type { Credential } from './credentials/credential.js'
import { hasCredentialHeader, requestHeaders, secretsToRedact } from './headers.js'

export type ModelListing = { id: string; displayName: string; createdAt: string | null }

export type ModelList =
  | { source: 'api'; models: ModelListing[] }
  /** `problem` says why the API was not used. */
  | { source: 'built-in'; models: ModelListing[]; problem: string }

export type ListModelsOptions = {
  platform: Pick<Platform, 'http' | 'clock'>
  environment: ModelEnvironment
  credential: Credential
  version: string
  signal: AbortSignal
  network?: NetworkSettings | undefined
}

/** A person is waiting for a list; the API's own time limit is made for long answers. */
const TIMEOUT_MS = 10_000
const PAGE_SIZE = 100
/** Against a server that never says it was the last page. */
const MAX_PAGES = 50
const LONGEST_BODY = 4 * 1024 * 1024

export async function listModels(options: ListModelsOptions): Promise<ModelList> {
  const models: ModelListing[] = []
  let after = ''
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await get(options, `/v1/models?beta=true&limit=${PAGE_SIZE}${after}`, '')
    if (!answer.ok) return { source: 'built-in', models: KNOWN_MODEL_IDS.map(fromTable), problem: answer.problem }
    const data = Array.isArray(answer.value['data']) ? answer.value['data'] : []
    models.push(...data.map(toListing).filter((model) => model !== undefined))
    const last = answer.value['last_id'] ?? models.at(-1)?.id
    if (answer.value['has_more'] !== true || typeof last !== 'string' || data.length === 0) break
    after = `&after_id=${encodeURIComponent(last)}`
  }
  return { source: 'api', models }
}

/** One model by id; the problem names why there is none. */
export async function fetchModel(
  options: ListModelsOptions,
  id: string,
): Promise<{ ok: true; model: ModelListing } | { ok: false; problem: string }> {
  const answer = await get(options, `/v1/models/${encodeURIComponent(id)}?beta=true`, id)
  if (answer.ok) {
    const model = toListing(answer.value)
    return model ? { ok: true, model } : { ok: false, problem: 'The API answered without a model.' }
  }
  const known = answer.reached ? undefined : modelFacts(id)
  return known ? { ok: true, model: fromTable(known.id) } : { ok: false, problem: answer.problem }
}

type Answer = { ok: true; value: JsonObject } | { ok: false; problem: string; reached: boolean }

async function get(options: ListModelsOptions, path: string, model: string): Promise<Answer> {
  const { platform, environment, credential } = options
  const usable = credential.kind === 'none' ? null : credential
  const secrets = secretsToRedact(usable, environment.customHeaders)
  const failed = (text: string, reached: boolean): Answer => ({
    ok: false,
    problem: redactSecrets(text, secrets),
    reached,
  })
  if (credential.kind === 'none' && !hasCredentialHeader(environment.customHeaders)) {
    return failed(userFailureText(notLoggedInFailure(credential.explanation).text), false)
  }
  const url = joinEndpointPath(environment.baseUrl, path)
  const controller = new AbortController()
  const abort = () => controller.abort()
  if (options.signal.aborted) abort()
  options.signal.addEventListener('abort', abort, { once: true })
  const cancel = platform.clock.after(TIMEOUT_MS, abort)
  try {
    const response = await platform.http.request({
      method: 'GET',
      url,
      headers: requestHeaders(options.version, usable, [], environment),
      signal: controller.signal,
      timeoutMs: TIMEOUT_MS,
      network: options.network,
    })
    const { status, headers } = response
    let body = ''
    for await (const chunk of response.body) {
      body += chunk
      if (body.length > LONGEST_BODY) break
    }
    if (status !== 200) {
      return failed(classifyResponse({ status, headers, body, model, now: platform.clock.now() }).failure.text, true)
    }
    const value = parseJson(body)
    if (isObject(value)) return { ok: true, value }
    return failed(unexpectedResponseFailure(url.host, status, headers['content-type'] ?? '').failure.text, false)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return failed(classifyHttpError(error).failure.text, false)
  } finally {
    cancel()
    options.signal.removeEventListener('abort', abort)
  }
}

function toListing(value: unknown): ModelListing | undefined {
  if (!isObject(value) || typeof value['id'] !== 'string') return undefined
  const { id, display_name: name, created_at: created } = value
  return {
    id: String(id),
    displayName: typeof name === 'string' ? name : String(id),
    createdAt: typeof created === 'string' ? created : null,
  }
}

function fromTable(id: string): ModelListing {
  return { id, displayName: id, createdAt: null }
}
