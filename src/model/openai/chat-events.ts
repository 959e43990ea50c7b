/**
 * The stream of the Chat Completions API as events of the Messages API, and a whole completion as a message. Servers that speak
 * like it differ in what they leave out and where they put things; what each does is named where it is met.
 */
import { isObject, type JsonObject } from '../../protocol/json.js'
import { createEventWriter } from './event-writer.js'
import { type KeptFor, writeKept } from './kept-reasoning.js'
import type { ReaderOptions, StreamReader } from './responses-events.js'
import { errorTypeOf } from './service-failure.js'
import { chatUsage } from './service-usage.js'

/** Stands for the line that ends a stream. */
export const DONE = Symbol('[DONE]')

type Call = { key: number; id: string; name: string; extra: JsonObject }

/** Where thinking comes: DeepSeek, vLLM and llama.cpp; OpenRouter, Ollama and newer vLLM. */
const THINKING_FIELDS = ['reasoning_content', 'reasoning'] as const

export function createChatReader({ names, keptFor }: ReaderOptions, newId: () => string): StreamReader {
  let field = ''
  const details: unknown[] = []
  const writer = createEventWriter(() => keptThinking(keptFor, field, details))
  const calls: Call[] = []
  let reason: string | undefined
  let usage: unknown

  /** By its number; Gemini gives none, Ollama and old vLLM 0 for all: there a new id with a name is a new call. */
  function callOf(given: JsonObject, position: number): Call {
    const index = typeof given['index'] === 'number' ? given['index'] : position
    const id = textOf(given['id'])
    const about: JsonObject = isObject(given['function']) ? given['function'] : {}
    const name = textOf(about['name'])
    const known = calls.findLast(({ key }) => key % KEYS === index)
    const isNew = !known || (id !== '' && name !== '' && known.id !== '' && known.id !== id)
    if (!isNew) return known
    const call = { key: index + KEYS * calls.length, id: id === '' ? newId() : id, name, extra: {} }
    calls.push(call)
    writer.call(call.key, call.id, names.meant(name))
    return call
  }

  function pushCall(given: JsonObject, position: number): void {
    const call = callOf(given, position)
    const { index: _, id: __, type: ___, function: about, ...extra } = given
    // Gemini's signature of a thought must come back in the same place.
    Object.assign(call.extra, extra)
    const input = isObject(about) ? about['arguments'] : undefined
    writer.argument(call.key, isObject(input) ? JSON.stringify(input) : textOf(input))
  }

  function pushDelta(delta: JsonObject): void {
    for (const name of THINKING_FIELDS) {
      if (textOf(delta[name]) === '') continue
      field = name
      writer.prose('thinking', textOf(delta[name]))
      break
    }
    if (Array.isArray(delta['reasoning_details'])) details.push(...delta['reasoning_details'])
    writer.prose('text', textOf(delta['content']) || textOf(delta['refusal']))
    if (textOf(delta['refusal']) !== '') reason ??= 'content_filter'
    const given = Array.isArray(delta['tool_calls']) ? delta['tool_calls'].filter(isObject) : []
    for (const [position, call] of given.entries()) pushCall(call, position)
  }

  function finish(): void {
    const extras = extrasOf(calls)
    if (extras) writer.sign(writeKept(keptFor, { type: 'calls', extra: extras }))
    writer.finish(stopReason(reason, writer.hasCalls()), chatUsage(usage))
  }

  return {
    push(event) {
      if (writer.isFinished()) return
      if (event === DONE) {
        // Some never say why they stop; calls and words speak for themselves.
        if (reason !== undefined || writer.hasContent()) finish()
        return
      }
      if (!isObject(event)) {
        writer.error('api_error', 'an event that is no JSON')
        return
      }
      const error = errorIn(event)
      if (error) {
        writer.error(errorTypeOf(error['code'] ?? error['type']), textOf(error['message']))
        return
      }
      if (event['usage']) usage = event['usage']
      const [choice]: unknown[] = Array.isArray(event['choices']) ? event['choices'] : []
      writer.begin(event['id'], event['model'])
      if (!isObject(choice)) return
      if (isObject(choice['delta'])) pushDelta(choice['delta'])
      if (textOf(choice['finish_reason']) !== '') reason = textOf(choice['finish_reason'])
    },
    end() {
      if (reason !== undefined && !writer.isFinished()) finish()
    },
    take: writer.take,
  }
}

/** More calls than one answer has. */
const KEYS = 100_000

export function messageOfCompletion(answer: unknown, { names, keptFor }: ReaderOptions, newId: () => string): unknown {
  if (!isObject(answer) || !Array.isArray(answer['choices'])) return answer
  const choice: unknown = answer['choices'][0]
  const message = isObject(choice) && isObject(choice['message']) ? choice['message'] : {}
  const content: JsonObject[] = []
  const field = THINKING_FIELDS.find((name) => textOf(message[name]) !== '')
  if (field) {
    const details = Array.isArray(message['reasoning_details']) ? message['reasoning_details'] : []
    const signature = keptThinking(keptFor, field, details)
    content.push({ type: 'thinking', thinking: textOf(message[field]), signature })
  }
  const text = textOf(message['content']) || textOf(message['refusal'])
  if (text !== '') content.push({ type: 'text', text })
  const given = Array.isArray(message['tool_calls']) ? message['tool_calls'].filter(isObject) : []
  const calls = given.map((one, key): Call & { input: unknown } => {
    const { index: _, id, type: __, function: about, ...extra } = one
    const called: JsonObject = isObject(about) ? about : {}
    const input = textOf(called['arguments']).trim() === '' ? (called['arguments'] ?? {}) : called['arguments']
    return { key, id: textOf(id) || newId(), name: names.meant(textOf(called['name'])), extra, input: input || {} }
  })
  const extras = extrasOf(calls)
  if (extras) content.push({ type: 'redacted_thinking', data: writeKept(keptFor, { type: 'calls', extra: extras }) })
  for (const { id, name, input } of calls) content.push({ type: 'tool_use', id, name, input })
  const reason = isObject(choice) ? textOf(choice['finish_reason']) : ''
  return {
    ...{ id: answer['id'], type: 'message', role: 'assistant', model: answer['model'], content },
    stop_reason: stopReason(textOf(message['refusal']) === '' ? reason : 'content_filter', calls.length > 0),
    ...{ stop_sequence: null, usage: chatUsage(answer['usage']) },
  }
}

/** In the middle of a stream: OpenAI, SGLang and OpenRouter; vLLM. */
function errorIn(event: JsonObject): JsonObject | undefined {
  if (isObject(event['error'])) return event['error']
  return event['object'] === 'error' ? event : undefined
}

function keptThinking(keptFor: KeptFor, field: string, details: readonly unknown[]): string {
  return writeKept(keptFor, { type: 'thinking', field, ...(details.length > 0 && { details }) })
}

function extrasOf(calls: readonly Call[]): Record<string, JsonObject> | undefined {
  const extras = calls.filter(({ extra }) => Object.keys(extra).length > 0)
  return extras.length > 0 ? Object.fromEntries(extras.map(({ id, extra }) => [id, extra])) : undefined
}

/** Gemini and Ollama say `stop` where they call: the calls decide. */
function stopReason(reason: string | undefined, called: boolean): string {
  if (reason === 'content_filter') return 'refusal'
  if (reason === 'length') return 'max_tokens'
  return called ? 'tool_use' : 'end_turn'
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
