/** The stream of the Responses API as events of the Messages API, and a whole response as a message. */
import { isObject, type JsonObject } from '../../protocol/json.js'
import { createEventWriter, type EventWriter } from './event-writer.js'
import { type KeptFor, writeKept } from './kept-reasoning.js'
import type { ToolNames } from './sent-names.js'
import { errorTypeOf } from './service-failure.js'
import { responsesUsage } from './service-usage.js'

export type ReaderOptions = { names: ToolNames; keptFor: KeptFor }

export interface StreamReader {
  push(event: unknown): void
  /** The body has ended. */
  end(): void
  take(): JsonObject[]
}

export function createResponsesReader({ names, keptFor }: ReaderOptions): StreamReader {
  const writer = createEventWriter(() => writeKept(keptFor, { type: 'reasoning', item: {} }))
  let refused = false
  let parts = 0

  function pushItem(item: JsonObject, key: unknown, isDone: boolean): void {
    if (item['type'] === 'function_call') {
      if (!writer.hasCall(key)) writer.call(key, textOf(item['call_id']), names.meant(textOf(item['name'])))
      if (!isDone) return
      // Some servers tell of the input only here.
      if (writer.argumentLength(key) === 0) writer.argument(key, inputOf(item['arguments']))
      writer.endCall(key)
    } else if (item['type'] === 'reasoning') {
      parts = 0
      // What was announced may be incomplete: only what is done can be given back.
      if (isDone) writer.sign(writeKept(keptFor, { type: 'reasoning', item: keptItem(item) }))
    } else if (item['type'] === 'message') {
      const phase = item['phase']
      if (!isDone && typeof phase === 'string') writer.sign(writeKept(keptFor, { type: 'phase', phase }))
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
        writer.prose('text', textOf(delta))
        break
      case 'response.refusal.delta':
        refused = true
        writer.prose('text', textOf(delta))
        break
      case 'response.reasoning_summary_part.added':
        if (parts > 0) writer.prose('thinking', '\n\n')
        parts += 1
        break
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        writer.prose('thinking', textOf(delta))
        break
      case 'response.function_call_arguments.delta':
        writer.argument(key, textOf(delta))
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
        writer.error(errorTypeOf(event['code']), textOf(event['message']) || textOf(event['code']))
        break
      default:
        if (isObject(event['error'])) failWith(writer, event['error'])
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

/** Undefined: it is no response. */
export function messageOfResponse(answer: unknown, { names, keptFor }: ReaderOptions): unknown {
  if (!isObject(answer) || !Array.isArray(answer['output'])) return answer
  const writer = createEventWriter(() => '')
  const content: JsonObject[] = []
  let refused = false
  for (const item of answer['output'].filter(isObject)) {
    if (item['type'] === 'reasoning') content.push(thinkingBlock(item, keptFor))
    if (item['type'] === 'function_call')
      content.push({
        ...{ type: 'tool_use', id: textOf(item['call_id']), name: names.meant(textOf(item['name'])) },
        input: inputOf(item['arguments']),
      })
    if (item['type'] !== 'message' || !Array.isArray(item['content'])) continue
    if (typeof item['phase'] === 'string')
      content.push({ type: 'redacted_thinking', data: writeKept(keptFor, { type: 'phase', phase: item['phase'] }) })
    for (const part of item['content'].filter(isObject)) {
      refused ||= part['type'] === 'refusal'
      const text = textOf(part['text']) || textOf(part['refusal'])
      if (text !== '') content.push({ type: 'text', text })
    }
  }
  if (content.some(({ type }) => type === 'tool_use')) writer.call('call', '', '')
  begin(writer, answer)
  finish(writer, answer, refused)
  const events = writer.take()
  const error = events.find(({ type }) => type === 'error')
  if (error) return error
  const ending = events.find(({ type }) => type === 'message_delta')
  const delta = isObject(ending?.['delta']) ? ending['delta'] : {}
  return {
    ...{ id: answer['id'], type: 'message', role: 'assistant', model: answer['model'], content },
    ...{ stop_reason: delta['stop_reason'], stop_sequence: null, usage: responsesUsage(answer['usage']) },
  }
}

function thinkingBlock(item: JsonObject, keptFor: KeptFor): JsonObject {
  const summary = Array.isArray(item['summary']) ? item['summary'].filter(isObject) : []
  const thinking = summary.map(({ text }) => textOf(text)).join('\n\n')
  const signature = writeKept(keptFor, { type: 'reasoning', item: keptItem(item) })
  return thinking === '' ? { type: 'redacted_thinking', data: signature } : { type: 'thinking', thinking, signature }
}

function begin(writer: EventWriter, response: unknown): void {
  if (isObject(response)) writer.begin(response['id'], response['model'])
}

function finish(writer: EventWriter, response: JsonObject, refused: boolean): void {
  begin(writer, response)
  const { status } = response
  if (isObject(response['error'])) failWith(writer, response['error'])
  else if (status === 'failed' || status === 'cancelled') writer.error('api_error', `The response ${status}.`)
  // After an error nothing more is written.
  const details = isObject(response['incomplete_details']) ? response['incomplete_details']['reason'] : undefined
  writer.finish(stopReason(details, refused, writer.hasCalls()), responsesUsage(response['usage']))
}

function failWith(writer: EventWriter, error: JsonObject): void {
  writer.error(errorTypeOf(error['code'] ?? error['type']), textOf(error['message']) || textOf(error['code']))
}

function stopReason(incomplete: unknown, refused: boolean, called: boolean): string {
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
  return textOf(value).trim() === '' ? '{}' : textOf(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
