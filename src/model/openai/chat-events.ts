/**
 * The stream of the Chat Completions API as events of the Messages API, and a whole completion as a message. Servers that speak
 * like it differ in what they leave out and where they put things; what each does is named where it is met.
 */
import { isObject, type JsonObject, textOrEmpty } from '../../protocol/json.js'
import { createStreamEventWriter } from './event-writer.js'
import { encodeKeptReasoning, type ReasoningOwner } from './kept-reasoning.js'
import type { ServiceStreamReader, ServiceStreamReaderOptions } from './responses-events.js'
import { serviceErrorType } from './service-failure.js'
import { chatUsage } from './service-usage.js'

/** Stands for the line that ends a stream. */
export const STREAM_END = Symbol('[DONE]')

/** `said`: the id the server gave, if it gave one. `whole`: its input came at once. */
type Call = { id: string; said: string; whole: boolean; extra: JsonObject }

/** Where thinking comes: DeepSeek, vLLM and llama.cpp; OpenRouter, Ollama and newer vLLM. */
const THINKING_FIELDS = ['reasoning_content', 'reasoning'] as const

export function createChatStreamReader(
  { names, keptFor }: ServiceStreamReaderOptions,
  newId: () => string,
): ServiceStreamReader {
  let field = ''
  const details: unknown[] = []
  const writer = createStreamEventWriter(() => keptThinking(keptFor, field, details))
  const calls: Call[] = []
  /** The newest call of each number. */
  const newest = new Map<number, Call>()
  let reason: string | undefined
  let usage: unknown

  /**
   * By its number; Gemini gives none, Ollama and old vLLM 0 for all: there a new id with a name is a new call, and where there
   * are no ids, a name after a call that came whole.
   */
  function callOf(given: JsonObject, position: number, input: string): Call {
    const index = typeof given['index'] === 'number' ? given['index'] : position
    const said = textOrEmpty(given['id'])
    const about: JsonObject = isObject(given['function']) ? given['function'] : {}
    const name = textOrEmpty(about['name'])
    const known = newest.get(index)
    if (known && !(name !== '' && isOther(known, said))) {
      known.said ||= said
      return known
    }
    const call: Call = { id: said || newId(), said, whole: isJson(input), extra: {} }
    calls.push(call)
    newest.set(index, call)
    writer.call(call, call.id, names.meant(name))
    return call
  }

  function pushCall(given: JsonObject, position: number): void {
    const { index: _, id: __, type: ___, function: about, ...extra } = given
    const input = isObject(about) ? about['arguments'] : undefined
    const json = isObject(input) ? JSON.stringify(input) : textOrEmpty(input)
    const call = callOf(given, position, json)
    // Gemini's signature of a thought must come back in the same place.
    Object.assign(call.extra, extra)
    writer.argument(call, json)
  }

  function pushDelta(delta: JsonObject): void {
    for (const name of THINKING_FIELDS) {
      if (textOrEmpty(delta[name]) === '') continue
      field = name
      writer.prose('thinking', textOrEmpty(delta[name]))
      break
    }
    if (Array.isArray(delta['reasoning_details'])) details.push(...delta['reasoning_details'])
    writer.prose('text', textOrEmpty(delta['content']) || textOrEmpty(delta['refusal']))
    if (textOrEmpty(delta['refusal']) !== '') reason ??= 'content_filter'
    const given = Array.isArray(delta['tool_calls']) ? delta['tool_calls'].filter(isObject) : []
    for (const [position, call] of given.entries()) pushCall(call, position)
  }

  function finish(): void {
    const extras = extrasOf(calls)
    if (extras) writer.sign(encodeKeptReasoning(keptFor, { type: 'calls', extra: extras }))
    writer.finish(stopReason(reason, writer.hasCalls()), chatUsage(usage))
  }

  return {
    push(event) {
      if (writer.isFinished()) return
      if (event === STREAM_END) {
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
        writer.error(serviceErrorType(error['code'] ?? error['type']), textOrEmpty(error['message']))
        return
      }
      usage = usageIn(event) ?? usage
      const [choice]: unknown[] = Array.isArray(event['choices']) ? event['choices'] : []
      // Azure opens with what its filters found, before the answer has a name.
      if (isObject(choice) || textOrEmpty(event['id']) !== '') writer.begin(event['id'], event['model'])
      if (!isObject(choice)) return
      if (isObject(choice['delta'])) pushDelta(choice['delta'])
      if (textOrEmpty(choice['finish_reason']) !== '') reason = textOrEmpty(choice['finish_reason'])
    },
    end() {
      if (reason !== undefined && !writer.isFinished()) finish()
    },
    take: writer.take,
  }
}

export function messageOfCompletion(
  answer: unknown,
  { names, keptFor }: ServiceStreamReaderOptions,
  newId: () => string,
): unknown {
  if (!isObject(answer) || !Array.isArray(answer['choices'])) return answer
  const choice: unknown = answer['choices'][0]
  const message = isObject(choice) && isObject(choice['message']) ? choice['message'] : {}
  const content: JsonObject[] = []
  const field = THINKING_FIELDS.find((name) => textOrEmpty(message[name]) !== '')
  if (field) {
    const details = Array.isArray(message['reasoning_details']) ? message['reasoning_details'] : []
    const signature = keptThinking(keptFor, field, details)
    content.push({ type: 'thinking', thinking: textOrEmpty(message[field]), signature })
  }
  const text = textOrEmpty(message['content']) || textOrEmpty(message['refusal'])
  if (text !== '') content.push({ type: 'text', text })
  const given = Array.isArray(message['tool_calls']) ? message['tool_calls'].filter(isObject) : []
  const calls = given.map((one) => {
    const { index: _, id, type: __, function: about, ...extra } = one
    const called: JsonObject = isObject(about) ? about : {}
    const input = textOrEmpty(called['arguments']).trim() === '' ? (called['arguments'] ?? {}) : called['arguments']
    return { id: textOrEmpty(id) || newId(), name: names.meant(textOrEmpty(called['name'])), extra, input: input || {} }
  })
  const extras = extrasOf(calls)
  if (extras)
    content.push({ type: 'redacted_thinking', data: encodeKeptReasoning(keptFor, { type: 'calls', extra: extras }) })
  for (const { id, name, input } of calls) content.push({ type: 'tool_use', id, name, input })
  const reason = isObject(choice) ? textOrEmpty(choice['finish_reason']) : ''
  return {
    id: answer['id'],
    type: 'message',
    role: 'assistant',
    model: answer['model'],
    content,
    stop_reason: stopReason(textOrEmpty(message['refusal']) === '' ? reason : 'content_filter', calls.length > 0),
    stop_sequence: null,
    usage: chatUsage(answer['usage']),
  }
}

/** In the middle of a stream: OpenAI, SGLang and OpenRouter; vLLM. */
function errorIn(event: JsonObject): JsonObject | undefined {
  if (isObject(event['error'])) return event['error']
  return event['object'] === 'error' ? event : undefined
}

/** Groq has it beside the id of the request. */
function usageIn(event: JsonObject): unknown {
  return event['usage'] ?? (isObject(event['x_groq']) ? event['x_groq']['usage'] : undefined)
}

function keptThinking(keptFor: ReasoningOwner, field: string, details: readonly unknown[]): string {
  return encodeKeptReasoning(keptFor, { type: 'thinking', field, ...(details.length > 0 && { details }) })
}

function extrasOf(calls: readonly Pick<Call, 'id' | 'extra'>[]): Record<string, JsonObject> | undefined {
  const extras = calls.filter(({ extra }) => Object.keys(extra).length > 0)
  return extras.length > 0 ? Object.fromEntries(extras.map(({ id, extra }) => [id, extra])) : undefined
}

/** Gemini and Ollama say `stop` where they call: the calls decide. */
function stopReason(reason: string | undefined, called: boolean): string {
  if (reason === 'content_filter') return 'refusal'
  if (reason === 'length') return 'max_tokens'
  return called ? 'tool_use' : 'end_turn'
}

function isOther(known: Call, said: string): boolean {
  return said !== '' && known.said !== '' ? said !== known.said : known.whole
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
