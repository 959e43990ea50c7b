/** Answers in the words of OpenAI's two APIs, and a strict check of what is asked: the same scripted answers as for the Messages API. */
import { readFileSync } from 'node:fs'
import { Validator } from '@cfworker/json-schema'
import type { Answer, Block, Reply, Seen } from './model-api.js'

export type OpenAiApi = 'responses' | 'chat'

// ── what is asked ────────────────────────────────────────────────────────────

const validators = new Map<OpenAiApi, Validator>()

/** Made from the types of the vendor's own client (openai 7.53.0): no field that they do not have. Empty: it is as it should be. */
export function requestProblems(api: OpenAiApi, body: unknown): string[] {
  let validator = validators.get(api)
  if (!validator) {
    const path = new URL(`../../../test/providers/openai-schemas/${api}-request.json`, import.meta.url)
    validator = new Validator(JSON.parse(readFileSync(path, 'utf8')), '7', true)
    validators.set(api, validator)
  }
  const { valid, errors } = validator.validate(api === 'chat' ? withoutExtensions(body) : body)
  return valid ? [] : errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)
}

/** What other servers want given back, which the vendor's own API does not know. */
function withoutExtensions(body: unknown): unknown {
  const names = ['reasoning_content', 'reasoning_details', 'extra_content']
  return JSON.parse(JSON.stringify(body, (key, value) => (names.includes(key) ? undefined : value)))
}

// ── what is answered ─────────────────────────────────────────────────────────

export function answered(api: OpenAiApi, answer: Answer): Reply {
  return (response, seen) => {
    const problems = requestProblems(api, seen.body)
    if (problems.length > 0) {
      response.writeHead(422, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: `not a request: ${problems.at(-1)}`, type: 'invalid' } }))
      return
    }
    if (!seen.body['stream']) {
      response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'req_whole' })
      response.end(JSON.stringify(api === 'chat' ? wholeChat(answer, seen) : wholeResponse(answer, seen)))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': 'req_1' })
    response.end(api === 'chat' ? chatStream(answer, seen) : responsesStream(answer, seen))
  }
}

export function dataLines(events: readonly unknown[]): string {
  return events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')
}

/** As a stream that was asked for with `include_usage`. */
export function chatStream(answer: Answer, seen?: Pick<Seen, 'body'>): string {
  return dataLines(chatEvents(answer, seen))
}

export function chatEvents(answer: Answer, seen?: Pick<Seen, 'body'>, cached = 4): unknown[] {
  const header = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: seen?.body['model'] ?? 'm' }
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...header,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    usage: null,
  })
  let calls = -1
  const chunks = answer.blocks.flatMap((block) => {
    if ('text' in block) return block.text.map((content) => chunk({ content }))
    if ('thinking' in block) return block.thinking.map((text) => chunk({ reasoning_content: text }))
    calls += 1
    const index = calls
    const opening = { index, id: block.id, type: 'function', function: { name: block.tool, arguments: '' } }
    return [
      chunk({ tool_calls: [opening] }),
      ...block.json.map((json) => chunk({ tool_calls: [{ index, function: { arguments: json } }] })),
    ]
  })
  const usage = chatUsage(answer, cached)
  const ending = [chunk({}, finishReason(answer)), { ...header, choices: [], usage }, '[DONE]']
  return [chunk({ role: 'assistant', content: '' }), ...chunks, ...ending]
}

export function responsesStream(answer: Answer, seen?: Pick<Seen, 'body'>): string {
  return dataLines(responsesEvents(answer, seen))
}

export function responsesEvents(answer: Answer, seen?: Pick<Seen, 'body'>, cached = 4): object[] {
  const response = wholeResponse(answer, seen, cached)
  const output = outputOf(answer)
  const begun = { ...response, status: 'in_progress', output: [], usage: null }
  const items = answer.blocks.flatMap((block, output_index) =>
    itemEvents(block, output[output_index] ?? {}, output_index, answer.stopReason),
  )
  const type = response.incomplete_details ? 'response.incomplete' : 'response.completed'
  const events = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...items,
    { type, response },
  ]
  return events.map((event, sequence_number) => ({ ...event, sequence_number }))
}

function itemEvents(block: Block, item: object, output_index: number, stopReason?: string): object[] {
  const added = { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress' } }
  const done = { type: 'response.output_item.done', output_index, item }
  const at = { output_index, item_id: `item_${output_index}` }
  if ('text' in block) {
    const place = { ...at, content_index: 0 }
    const text = block.text.join('')
    if (stopReason === 'refusal')
      return [added, ...block.text.map((delta) => ({ type: 'response.refusal.delta', ...place, delta })), done]
    return [
      added,
      { type: 'response.content_part.added', ...place, part: { type: 'output_text', text: '', annotations: [] } },
      ...block.text.map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
      { type: 'response.output_text.done', ...place, text, logprobs: [] },
      { type: 'response.content_part.done', ...place, part: { type: 'output_text', text, annotations: [] } },
      done,
    ]
  }
  if ('thinking' in block) {
    const place = { ...at, summary_index: 0 }
    return [
      // What is announced of it may be incomplete.
      { ...added, item: { ...added.item, encrypted_content: 'not whole' } },
      { type: 'response.reasoning_summary_part.added', ...place, part: { type: 'summary_text', text: '' } },
      ...block.thinking.map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...place, delta })),
      { type: 'response.reasoning_summary_text.done', ...place, text: block.thinking.join('') },
      done,
    ]
  }
  return [
    { ...added, item: { ...added.item, arguments: '' } },
    ...block.json.map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
    { type: 'response.function_call_arguments.done', ...at, arguments: block.json.join('') },
    done,
  ]
}

export function wholeResponse(answer: Answer, seen?: Pick<Seen, 'body'>, cached = 4) {
  const isCut = answer.stopReason === 'max_tokens'
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: seen?.body['model'] ?? 'm',
    status: isCut ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    output: outputOf(answer),
    usage: {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: answer.outputTokens ?? 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 15,
    },
  }
}

function outputOf({ blocks, stopReason }: Answer): object[] {
  return blocks.map((block, index) => {
    const id = `item_${index}`
    const status = 'completed'
    if ('thinking' in block) {
      const summary = [{ type: 'summary_text', text: block.thinking.join('') }]
      return { id, type: 'reasoning', summary, encrypted_content: block.signature, status }
    }
    if ('tool' in block)
      return { id, type: 'function_call', call_id: block.id, name: block.tool, arguments: block.json.join(''), status }
    const text = block.text.join('')
    const part =
      stopReason === 'refusal' ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [] }
    return { id, type: 'message', role: 'assistant', content: [part], status }
  })
}

export function wholeChat(answer: Answer, seen?: Pick<Seen, 'body'>, cached = 4): object {
  const { blocks } = answer
  const texts = blocks.flatMap((block) => ('text' in block ? block.text : []))
  const thoughts = blocks.flatMap((block) => ('thinking' in block ? block.thinking : []))
  const tool_calls = blocks.flatMap((block) =>
    'tool' in block
      ? [{ id: block.id, type: 'function', function: { name: block.tool, arguments: block.json.join('') } }]
      : [],
  )
  const message = {
    role: 'assistant',
    content: texts.length > 0 ? texts.join('') : null,
    ...(thoughts.length > 0 && { reasoning_content: thoughts.join('') }),
    ...(tool_calls.length > 0 && { tool_calls }),
  }
  const choices = [{ index: 0, message, finish_reason: finishReason(answer), logprobs: null }]
  const header = { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: seen?.body['model'] ?? 'm' }
  return { ...header, choices, usage: chatUsage(answer, cached) }
}

function chatUsage({ outputTokens = 5 }: Answer, cached: number) {
  const prompt_tokens_details = { cached_tokens: cached }
  return { prompt_tokens: 10, completion_tokens: outputTokens, total_tokens: 10 + outputTokens, prompt_tokens_details }
}

function finishReason({ blocks, stopReason }: Answer): string {
  if (stopReason === 'max_tokens') return 'length'
  if (stopReason === 'refusal') return 'content_filter'
  return blocks.some((block) => 'tool' in block) ? 'tool_calls' : 'stop'
}
