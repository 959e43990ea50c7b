/**
 * Requests for messages by way of a batch, at half the price: what is asked goes out as a batch of one, is waited for, and comes
 * back as the response to the request. Everything else is sent as it is. Which batch is waited for is written down, so that who
 * asks the same again, after a crash, keeps waiting instead of paying twice.
 */
import type { Clock } from '../../platform/clock.js'
import type { AgentOnlyFiles, SyncFiles } from '../../platform/files/file-system.js'
import { type HttpClient, HttpError, type HttpRequest, type HttpResponse } from '../../platform/http/http.js'
import { sha256Hex } from '../../platform/keyed-hash.js'
import { isObject, type JsonObject } from '../../protocol/json.js'
import { parseJson } from '../client/parse-json.js'

export type BatchPorts = {
  http: HttpClient
  clock: Clock
  files: Pick<SyncFiles, 'readTextSync' | 'createSync' | 'removeSync' | 'makeDirectorySync'> &
    Pick<AgentOnlyFiles, 'rename'>
  /** Where waiting batches are written down. */
  folder: string
}

const FIRST_WAIT_MS = 2000
const LONGEST_WAIT_MS = 60_000
const REQUEST_MS = 60_000
const CANCEL_MS = 2000
const LONGEST_ANSWER = 64 * 1024 * 1024
const ID = /^[\w-]{1,128}$/
const CUSTOM_ID = 'kedge'

const STATUS: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  timeout_error: 504,
  overloaded_error: 529,
}

export async function requestByBatch(request: HttpRequest, ports: BatchPorts): Promise<HttpResponse> {
  if (request.method !== 'POST' || !request.url.pathname.endsWith('/v1/messages')) return ports.http.request(request)
  const { stream: _, ...params } = objectOf(textOf(request.body ?? []))
  const note = noteFor(ports, request.url, params)
  let id = note.read()
  if (id === undefined) {
    const created = await create(request, params, ports)
    if (typeof created !== 'string') return created
    id = created
    await note.write(id)
  }
  const ended = await waitFor(request, id, ports)
  if (ended === 'aborted') {
    await cancel(request, id, ports)
    note.remove()
    throw new HttpError('aborted', request.url.host, 'aborted')
  }
  note.remove()
  // One of an earlier run that is gone by now: asked anew.
  if (ended?.status === 404) return requestByBatch(request, ports)
  return ended ?? outcomeOf(request, id, ports)
}

async function create(request: HttpRequest, params: JsonObject, { http }: BatchPorts): Promise<string | HttpResponse> {
  const body = [JSON.stringify({ requests: [{ custom_id: CUSTOM_ID, params }] })]
  // To its end, also when it is interrupted: what nobody knows of can't be canceled, and is paid for.
  const { signal } = new AbortController()
  const response = await http.request({
    ...request,
    url: placeOf(request.url, ''),
    body,
    signal,
    timeoutMs: REQUEST_MS,
  })
  if (response.status !== 200) return response
  const { id } = objectOf(await readAll(response))
  return typeof id === 'string' && ID.test(id) ? id : failed(502, 'api_error', 'The batch that was made has no id.')
}

/** Undefined: it has ended. A response: it can't be waited for. */
async function waitFor(
  request: HttpRequest,
  id: string,
  { http, clock }: BatchPorts,
): Promise<HttpResponse | 'aborted' | undefined> {
  const asked = { ...get(request), url: placeOf(request.url, `/${id}`) }
  for (let wait = FIRST_WAIT_MS; !request.signal.aborted; wait = Math.min(wait * 1.5, LONGEST_WAIT_MS)) {
    try {
      const response = await http.request(asked)
      const { status } = response
      // What is wrong for a while (a proxy, an overloaded API) is no reason to give up what is paid for.
      if (status >= 400 && status < 500 && status !== 408 && status !== 429) return response
      const told = objectOf(await readAll(response))
      if (status === 200 && told['processing_status'] === 'ended') return undefined
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
    }
    await clock.sleep(wait, request.signal)
  }
  return 'aborted'
}

async function outcomeOf(request: HttpRequest, id: string, { http }: BatchPorts): Promise<HttpResponse> {
  const response = await http.request({ ...get(request), url: placeOf(request.url, `/${id}/results`) })
  if (response.status !== 200) return response
  const lines = (await readAll(response)).split('\n').map((line) => objectOf(line))
  const found = lines.find((line) => line['custom_id'] === CUSTOM_ID)?.['result']
  const result: JsonObject = isObject(found) ? found : {}
  const { type, message, error } = result
  if (type === 'succeeded' && isObject(message)) {
    const usage = { ...(isObject(message['usage']) ? message['usage'] : {}), service_tier: 'batch' }
    return answer(200, { ...message, usage }, response.headers)
  }
  if (type === 'errored' && isObject(error)) {
    const about: JsonObject = isObject(error['error']) ? error['error'] : error
    return answer(STATUS[String(about['type'])] ?? 500, { type: 'error', error: about }, response.headers)
  }
  // Final: to ask again may take another day, and that is for a person to decide.
  if (type === 'expired') return failed(400, 'batch_expired', 'The batch expired: there was no answer within a day.')
  return failed(400, 'batch_canceled', 'The batch was canceled before there was an answer.')
}

/** Best effort: who interrupts does not wait for it for long. */
async function cancel(request: HttpRequest, id: string, { http, clock }: BatchPorts): Promise<void> {
  const controller = new AbortController()
  const url = placeOf(request.url, `/${id}/cancel`)
  const asked = { ...request, url, body: ['{}'], signal: controller.signal, timeoutMs: CANCEL_MS }
  const sent = http.request(asked).then(
    (response) => response.discard(),
    () => {},
  )
  await clock.atMost(CANCEL_MS, sent)
  controller.abort()
}

/** By what is asked, without whose session it is: the same question of another run is the same. */
function noteFor({ files, folder }: BatchPorts, { origin }: URL, { metadata: _, ...asked }: JsonObject) {
  const path = `${folder}/${sha256Hex([origin, JSON.stringify(asked)]).slice(0, 40)}`
  const quietly = <T>(work: () => T): T | undefined => {
    try {
      return work()
    } catch {
      // Without a note a crash costs the batch; that is no reason to fail now.
      return undefined
    }
  }
  return {
    read(): string | undefined {
      const id = quietly(() => files.readTextSync(path, 1000).trim())
      return id !== undefined && ID.test(id) ? id : undefined
    },
    /** Under another name first: who is killed in the middle must not leave half of it. */
    async write(id: string): Promise<void> {
      const half = `${path}.half`
      const isThere = quietly(() => {
        files.makeDirectorySync(folder, 0o700)
        files.removeSync(half)
        files.createSync(half, `${id}\n`)
        return true
      })
      if (isThere) await files.rename(half, path).catch(() => undefined)
    },
    remove: () => void quietly(() => files.removeSync(path)),
  }
}

function placeOf(messages: URL, path: string): URL {
  const url = new URL(messages)
  url.pathname = `${messages.pathname}/batches${path}`
  return url
}

function get({ url, headers, signal, network }: HttpRequest): HttpRequest {
  const { 'content-type': _, ...rest } = headers
  return { method: 'GET', url, headers: rest, signal, network, timeoutMs: REQUEST_MS }
}

function failed(status: number, type: string, message: string): HttpResponse {
  return answer(status, { type: 'error', error: { type, message } }, {})
}

function answer(status: number, body: object, headers: HttpResponse['headers']): HttpResponse {
  async function* text() {
    yield JSON.stringify(body)
  }
  return { status, headers: { ...headers, 'content-type': 'application/json' }, body: text(), discard() {} }
}

async function readAll({ body }: HttpResponse): Promise<string> {
  let text = ''
  for await (const chunk of body) {
    text += chunk
    if (text.length > LONGEST_ANSWER) break
  }
  return text
}

function textOf(body: readonly (string | Uint8Array)[]): string {
  const decoder = new TextDecoder()
  return body.map((piece) => (typeof piece === 'string' ? piece : decoder.decode(piece))).join('')
}

function objectOf(text: string): JsonObject {
  const value = parseJson(text)
  return isObject(value) ? value : {}
}
