/**
 * One exchange with the API: sends the request, reads whatever comes back, and says how it ended. It does not retry.
 * A message is only ever handed on when the server has said that it is complete.
 */
import type { ModelEvent } from '../../engine/ports.js'
import type { Clock } from '../../platform/clock.js'
import { type HttpClient, HttpError, type HttpResponse } from '../../platform/http/http.js'
import type { NetworkSettings } from '../../platform/network/network.js'
import type { AssistantMessage, RawStreamEvent, Usage } from '../../protocol/content.js'
import { isObject } from '../../protocol/json.js'
import { type Assembler, createAssembler, readWholeMessage } from './assemble.js'
import {
  type ClassifiedFailure,
  classifyErrorBody,
  classifyHttpError,
  cutStreamFailure,
  malformedStreamFailure,
  unexpectedResponseFailure,
} from './failure.js'
import type { ModelApiAdapter, WrittenRequest } from './model-api-adapter.js'
import { parseJson } from './parse-json.js'
import { createStreamRepairer, type StreamRepairer, withMessageId } from './repair-stream.js'
import { type StreamTimeouts, type WatchedBody, watchBody } from './stream-timeout.js'

export type HttpExchange = {
  http: HttpClient
  clock: Clock
  wire: Pick<ModelApiAdapter, 'events' | 'message' | 'trouble'>
  written: WrittenRequest
  timeoutMs: number
  silence: StreamTimeouts
  network: NetworkSettings | undefined
  /** For texts. */
  model: string
  /** Makes an id for a message that came without one. */
  newId(): string
  /** Report blocks as they become complete. */
  announce: boolean
  /** Report raw events too. */
  partial: boolean
  /** The answer has begun, and so much was used for it by then. */
  announced(usage: Usage): void
  /** Called once, also when the reader goes away in the middle. `answered`: characters of the answer that came. */
  account(usage: Usage, ok: boolean, answered: number): void
}

export type AttemptResult =
  | { type: 'message'; message: AssistantMessage; requestId: string | null; streamed: boolean }
  | { type: 'trouble'; trouble: ClassifiedFailure; hadContent: boolean }
  | { type: 'aborted' }

const LONGEST_ERROR_BODY = 65_536
const LONGEST_WHOLE_BODY = 64 * 1024 * 1024

type Open = {
  exchange: HttpExchange
  response: HttpResponse
  watched: WatchedBody
  assembler: Assembler
  requestId: string | null
}

export async function* attemptRequest(
  exchange: HttpExchange,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, AttemptResult, undefined> {
  const controller = new AbortController()
  const onAbort = () => controller.abort()
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  const assembler = createAssembler()
  const host = exchange.written.url.host
  let silence: string | null = null
  let result: AttemptResult | undefined
  let whole: AssistantMessage | undefined
  try {
    const response = await exchange.http.request({
      method: 'POST',
      url: exchange.written.url,
      headers: exchange.written.headers,
      body: exchange.written.body,
      isBinary: exchange.written.isBinary,
      signal: controller.signal,
      timeoutMs: exchange.timeoutMs,
      network: exchange.network,
    })
    const requestId = requestIdOf(response.headers)
    const watched = watchBody(response.body, exchange.clock, exchange.silence, (reason) => {
      silence = reason
      controller.abort()
    })
    result = yield* readResponse({ exchange, response, watched, assembler, requestId })
    if (result.type === 'message') whole = result.message
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const trouble = silence === null ? classifyHttpError(error) : cutStreamFailure(host, silence)
    result = signal.aborted ? { type: 'aborted' } : { type: 'trouble', trouble, hadContent: assembler.hasContent() }
  } finally {
    signal.removeEventListener('abort', onAbort)
    if (result === undefined) controller.abort()
    const answered = whole ? JSON.stringify(whole.content).length : assembler.length()
    exchange.account(whole?.usage ?? assembler.usage(), whole !== undefined, answered)
  }
  if (result.type === 'trouble' && result.hadContent && exchange.announce && exchange.partial) {
    yield { type: 'events', events: assembler.closing() }
  }
  return result
}

async function* readResponse(open: Open): AsyncGenerator<ModelEvent, AttemptResult, undefined> {
  const { exchange, response, requestId } = open
  const { status, headers } = response
  const failed = (trouble: ClassifiedFailure): AttemptResult => ({ type: 'trouble', trouble, hadContent: false })
  if (status < 200 || status > 299) {
    const body = await readErrorBody(open)
    return failed(exchange.wire.trouble({ status, headers, body, model: exchange.model, now: exchange.clock.now() }))
  }
  const contentType = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const events = exchange.wire.events(contentType, open.watched.chunks)
  if (events) return yield* readStream(open, events)
  if (contentType === 'application/json') {
    const value = parseJson(await readText(open, LONGEST_WHOLE_BODY))
    // A proxy that lost its own upstream ends the body as if it were whole.
    if (value === undefined)
      return failed(cutStreamFailure(exchange.written.url.host, 'the JSON of the answer is not whole'))
    const answer = exchange.wire.message(value)
    const message = readWholeMessage(isObject(answer) ? withMessageId(answer, exchange.newId) : answer)
    if (message) return { type: 'message', message, requestId, streamed: false }
    if (isObject(value) && (value['type'] === 'error' || isObject(value['error'])))
      return failed(classifyErrorBody(value, exchange.model))
  } else {
    response.discard()
  }
  return failed(unexpectedResponseFailure(exchange.written.url.host, status, contentType))
}

async function* readStream(
  open: Open,
  events: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<ModelEvent, AttemptResult, undefined> {
  const { exchange, watched, assembler, requestId } = open
  const failed = (trouble: ClassifiedFailure): AttemptResult => {
    return { type: 'trouble', trouble, hadContent: assembler.hasContent() }
  }
  const mender = createStreamRepairer({ isWhole: assembler.isWhole, newId: exchange.newId })
  let held: RawStreamEvent[] = []
  /** Nothing is shown of a message before its first block: up to there the request can be made again unnoticed. */
  const shown = (isDone = false): ModelEvent[] => {
    if (held.length === 0 || !(assembler.hasContent() || isDone)) return []
    const events = held
    held = []
    return [{ type: 'events', events }]
  }
  for await (const batch of events) {
    for (const raw of mended(batch, mender)) {
      const step = assembler.push(raw)
      if (step.type === 'broken' || step.type === 'error') {
        yield* shown()
        return failed(
          step.type === 'error'
            ? classifyErrorBody(step.body, exchange.model)
            : malformedStreamFailure(exchange.written.url.host, step.reason),
        )
      }
      if (step.type !== 'ping') watched.progress()
      if (step.type !== 'event' && step.type !== 'done') continue
      if (step.event.type === 'message_start') exchange.announced(assembler.usage())
      if (exchange.announce) {
        const block = step.type === 'event' ? step.block : undefined
        const header = assembler.header()
        if (block && header) {
          yield* shown()
          yield { type: 'block', block, header, requestId }
        }
        if (exchange.partial) held.push(step.event)
      }
      if (step.type === 'done') {
        yield* shown(true)
        return { type: 'message', message: step.message, requestId, streamed: exchange.announce }
      }
    }
    yield* shown()
  }
  return failed(cutStreamFailure(exchange.written.url.host, 'no message_stop'))
}

/** One by one: what is made of an event depends on what those before it came to. */
function* mended(batch: readonly unknown[], mender: StreamRepairer): Generator<unknown> {
  for (const event of batch) yield* mender.push(event)
}

async function readText({ watched, exchange }: Open, limit: number): Promise<string> {
  const chunks: string[] = []
  let length = 0
  for await (const chunk of watched.chunks) {
    watched.progress()
    chunks.push(chunk)
    length += chunk.length
    if (length > limit) break
  }
  const text = chunks.join('')
  return exchange.written.isBinary ? new TextDecoder().decode(Uint8Array.from(text, (c) => c.charCodeAt(0))) : text
}

/** As the vendor, OpenAI, AWS and Microsoft name it. */
const REQUEST_ID_HEADERS = ['request-id', 'x-request-id', 'x-amzn-requestid', 'apim-request-id']

function requestIdOf(headers: Readonly<Record<string, string>>): string | null {
  for (const name of REQUEST_ID_HEADERS) if (headers[name]) return headers[name]
  return null
}

/** The status alone is enough to continue with, should the body not come. */
async function readErrorBody(open: Open): Promise<string> {
  try {
    return (await readText(open, LONGEST_ERROR_BODY)).slice(0, LONGEST_ERROR_BODY)
  } catch (error) {
    if (error instanceof HttpError && error.code === 'connection_lost') return ''
    throw error
  }
}
