/** The stream of the Responses API as events of the Messages API, and a whole response as a message. */
import { isObject, type JsonObject, textOrEmpty } from '../../protocol/json.js'
import { createStreamEventWriter, type StreamEventWriter } from './event-writer.js'
import { encodeKeptReasoning, type ReasoningOwner } from './kept-reasoning.js'
import type { SentToolNames } from './sent-names.js'
import { serviceErrorType } from './service-failure.js'
import { responsesUsage } from './service-usage.js'

export type ServiceStreamReaderOptions = { names: SentToolNames; keptFor: ReasoningOwner }

export interface ServiceStreamReader {
  push(event: unknown): void
  /** The body has ended. */
  end(): void
  take(): JsonObject[]
}

export function createResponsesStreamReader({ names, keptFor }: ServiceStreamReaderOptions): ServiceStreamReader {
  const writer = createStreamEventWriter(() => encodeKeptReasoning(keptFor, { type: 'reasoning', item: {} }))
  let refused = false
  let parts = 0

  function pushItem(item: JsonObject, key: unknown, isDone: boolean): void {
    if (item['type'] === 'function_call') {
      if (!writer.hasCall(key)) writer.call(key, textOrEmpty(item['call_id']), names.meant(textOrEmpty(item['name'])))
      if (!isDone) return
      // Some servers tell of the input only here.
      if (writer.argumentLength(key) === 0) writer.argument(key, inputOf(item['arguments']))
      writer.endCall(key)
    } else if (item['type'] === 'reasoning') {
      parts = 0
      // What was announced may be incomplete: only what is done can be given back.
      if (isDone) writer.sign(encodeKeptReasoning(keptFor, { type: 'reasoning', item: keptItem(item) }))
    } else if (item['type'] === 'message') {
      const phase = item['phase']
      if (!isDone && typeof phase === 'string') writer.sign(encodeKeptReasoning(keptFor, { type: 'phase', phase }))
      if (isDone) writer.endProse()
    }
  }

  function push(event: JsonObject): void {
    const { type, output_index: key, delta } = event
    switch (type) {
      case 'response.created':
      case 'response.in_progress':
        begin(writer, event['response'])
        break
      case 'response.output_item.added':
      case 'response.output_item.done':
        if (isObject(event['item'])) pushItem(event['item'], key, type === 'response.output_item.done')
        break
      case 'response.output_text.delta':
        writer.prose('text', textOrEmpty(delta))
        break
      case 'response.refusal.delta':
        refused = true
        writer.prose('text', textOrEmpty(delta))
        break
      case 'response.reasoning_summary_part.added':
        if (parts > 0) writer.prose('thinking', '\n\n')
        parts += 1
        break
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        writer.prose('thinking', textOrEmpty(delta))
        break
      case 'response.function_call_arguments.delta':
        writer.argument(key, textOrEmpty(delta))
        break
      case 'response.function_call_arguments.done':
        if (writer.argumentLength(key) === 0) writer.argument(key, inputOf(event['arguments']))
        break
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        finish(writer, isObject(event['response']) ? event['response'] : {}, refused)
        break
      case 'error':
        // The reference has the error's fields right here; the service sends them as `error`.
        fail(writer, failureIn(isObject(event['error']) ? event['error'] : { ...event, type: undefined }))
        break
      default:
        if (isObject(event['error'])) fail(writer, failureIn(event['error']))
    }
  }

  return {
    push(event) {
      if (isObject(event)) push(event)
      else writer.error('api_error', 'an event that is no JSON')
    },
    // Without a last word of the server it is cut, never finished.
    end: () => {},
    take: writer.take,
  }
}

/** What isn't a response stays as it is; one that failed becomes its error. */
export function messageOfResponse(answer: unknown, { names, keptFor }: ServiceStreamReaderOptions): unknown {
  if (!isObject(answer) || !Array.isArray(answer['output'])) return answer
  const failure = failureOf(answer)
  if (failure) return { type: 'error', error: failure }
  const content: JsonObject[] = []
  let refused = false
  for (const item of answer['output'].filter(isObject)) {
    if (item['type'] === 'reasoning') content.push(thinkingBlock(item, keptFor))
    if (item['type'] === 'function_call')
      content.push({
        type: 'tool_use',
        id: textOrEmpty(item['call_id']),
        name: names.meant(textOrEmpty(item['name'])),
        input: inputOf(item['arguments']),
      })
    if (item['type'] !== 'message' || !Array.isArray(item['content'])) continue
    if (typeof item['phase'] === 'string')
      content.push({
        type: 'redacted_thinking',
        data: encodeKeptReasoning(keptFor, { type: 'phase', phase: item['phase'] }),
      })
    for (const part of item['content'].filter(isObject)) {
      refused ||= part['type'] === 'refusal'
      const text = textOrEmpty(part['text']) || textOrEmpty(part['refusal'])
      if (text !== '') content.push({ type: 'text', text })
    }
  }
  const called = content.some(({ type }) => type === 'tool_use')
  return {
    id: answer['id'],
    type: 'message',
    role: 'assistant',
    model: answer['model'],
    content,
    stop_reason: stopReason(answer, refused, called),
    stop_sequence: null,
    usage: responsesUsage(answer['usage']),
  }
}

function thinkingBlock(item: JsonObject, keptFor: ReasoningOwner): JsonObject {
  const summary = Array.isArray(item['summary']) ? item['summary'].filter(isObject) : []
  const thinking = summary.map(({ text }) => textOrEmpty(text)).join('\n\n')
  const signature = encodeKeptReasoning(keptFor, { type: 'reasoning', item: keptItem(item) })
  return thinking === '' ? { type: 'redacted_thinking', data: signature } : { type: 'thinking', thinking, signature }
}

function begin(writer: StreamEventWriter, response: unknown): void {
  if (isObject(response)) writer.begin(response['id'], response['model'])
}

function finish(writer: StreamEventWriter, response: JsonObject, refused: boolean): void {
  begin(writer, response)
  const failure = failureOf(response)
  if (failure) fail(writer, failure)
  else writer.finish(stopReason(response, refused, writer.hasCalls()), responsesUsage(response['usage']))
}

function fail(writer: StreamEventWriter, { type, message }: Failure): void {
  writer.error(type, message)
}

type Failure = { type: string; message: string }

function failureOf({ error, status }: JsonObject): Failure | undefined {
  if (isObject(error)) return failureIn(error)
  const isOver = status === 'failed' || status === 'cancelled'
  return isOver ? { type: 'api_error', message: `The response ${status}.` } : undefined
}

function failureIn({ code, type, message }: JsonObject): Failure {
  return { type: serviceErrorType(code ?? type), message: textOrEmpty(message) || textOrEmpty(code) }
}

function stopReason({ incomplete_details: details }: JsonObject, refused: boolean, called: boolean): string {
  const incomplete = isObject(details) ? details['reason'] : undefined
  if (incomplete === 'content_filter' || refused) return 'refusal'
  if (incomplete === 'max_output_tokens') return 'max_tokens'
  return called ? 'tool_use' : 'end_turn'
}

/** Only what an input item may have: the status of an output item is refused by some. */
function keptItem({ id, summary, content, encrypted_content }: JsonObject): JsonObject {
  return {
    type: 'reasoning',
    ...(id !== undefined && { id }),
    summary: summary ?? [],
    ...(content !== undefined && content !== null && { content }),
    ...(encrypted_content !== undefined && { encrypted_content }),
  }
}

/** Nothing means none; some send an object in place of its JSON. */
function inputOf(value: unknown): string {
  if (isObject(value)) return JSON.stringify(value)
  return textOrEmpty(value).trim() === '' ? '{}' : textOrEmpty(value)
}
