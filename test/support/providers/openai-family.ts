/** OpenAI's two APIs: what they want to get, by the types of the vendor's own client, and how they answer. */
import {
  chatEvents,
  dataLines,
  type OpenAiApi,
  requestProblems,
  responsesEvents,
  wholeChat,
  wholeResponse,
} from '../openai-api.js'
import { type Asked, type ErrorKind, type Received, type Spoken, Wrong } from './spoken-server.js'

type Body = Record<string, unknown>
type Content = Asked['messages'][number]['content']
type Said = { role: 'user' | 'assistant'; content: Content }

const KEY = 'sk-openai-test-0123456789'

// ── what is asked ────────────────────────────────────────────────────────────

function checked(api: OpenAiApi, { raw, path, headers }: Received): Body {
  const wanted = api === 'chat' ? '/v1/chat/completions' : '/v1/responses'
  if (path !== wanted) throw new Wrong(`path is ${path}, not ${wanted}`)
  if (headers.authorization !== `Bearer ${KEY}`) throw new Wrong('Incorrect API key provided', 'authentication')
  const body: Body = JSON.parse(raw.toString('utf8'))
  const problems = requestProblems(api, body)
  if (problems.length > 0) throw new Wrong(problems.join('; ').slice(0, 2000))
  return body
}

const objects = (value: unknown): Body[] => (Array.isArray(value) ? value : [])

/** One after the other of the same speaker are one message. */
function joined(said: readonly Said[]): Said[] {
  const all: Said[] = []
  for (const { role, content } of said) {
    const last = all.at(-1)
    if (last?.role === role) last.content.push(...content)
    else all.push({ role, content: [...content] })
  }
  return all
}

function partOf(part: Body): Body {
  const url = part['image_url']
  const data = typeof url === 'string' ? url : String((url as Body | undefined)?.['url'] ?? '')
  const found = /^data:([^;]+);base64,(.*)$/s.exec(data)
  if (found) return { type: 'image', source: { type: 'base64', media_type: found[1], data: found[2] } }
  return { type: 'text', text: part['text'] }
}

function resultOf(id: unknown, content: Body[]): Body {
  const opening = String(content[0]?.['text'] ?? '')
  const is_error = /^\s*(?:error\b|<tool_use_error>)/i.test(opening)
  return { type: 'tool_result', tool_use_id: id, content, ...(is_error && { is_error }) }
}

const textPart = (text: unknown): Body => ({ type: 'text', text })
const callOf = (id: unknown, name: unknown, json: unknown): Body => {
  return { type: 'tool_use', id, name, input: JSON.parse(String(json)) }
}

/** Each call has its result, and each result its call, before anybody says anything else. */
function checkOrder(said: readonly Said[]): void {
  const open = new Set<unknown>()
  for (const { role, content } of said) {
    for (const block of content) {
      if (block['type'] === 'tool_use') open.add(block['id'])
      else if (block['type'] === 'tool_result') {
        if (!open.delete(block['tool_use_id'])) throw new Wrong(`No tool call found for ${block['tool_use_id']}`)
      } else if (role === 'user' && open.size > 0) throw new Wrong(`No tool output found for ${[...open].join()}`)
    }
  }
  if (open.size > 0) throw new Wrong(`No tool output found for ${[...open].join()}`)
}

function readItem(item: Body): Said {
  switch (item['type']) {
    case 'function_call':
      return { role: 'assistant', content: [callOf(item['call_id'], item['name'], item['arguments'])] }
    case 'function_call_output': {
      const { output } = item
      const parts = typeof output === 'string' ? [textPart(output)] : objects(output).map(partOf)
      return { role: 'user', content: [resultOf(item['call_id'], parts)] }
    }
    case 'reasoning': {
      const thinking = objects(item['summary'])
        .map(({ text }) => text)
        .join('')
      return { role: 'assistant', content: [{ type: 'thinking', thinking, signature: item['encrypted_content'] }] }
    }
    default: {
      const { content, role } = item
      const parts = typeof content === 'string' ? [textPart(content)] : objects(content).map(partOf)
      return { role: role === 'assistant' ? 'assistant' : 'user', content: parts }
    }
  }
}

function readMessage(message: Body): Said {
  const { role, content } = message
  const parts = typeof content === 'string' ? [textPart(content)] : objects(content).map(partOf)
  if (role === 'tool') return { role: 'user', content: [resultOf(message['tool_call_id'], parts)] }
  const calls = objects(message['tool_calls']).map(({ id, function: called }) => {
    const { name, arguments: json } = called as Body
    return callOf(id, name, json)
  })
  return { role: role === 'assistant' ? 'assistant' : 'user', content: [...parts, ...calls] }
}

/** Pictures of results come behind all of them; they belong to the last that says so. */
function withPictures(said: Said[]): Said[] {
  for (const { content } of said) {
    const place = content.findLast(({ content: inner }) =>
      /An image of this result follows/.test(JSON.stringify(inner)),
    )
    const at = content.findIndex(({ type }) => type === 'image')
    if (place && at >= 0) objects(place['content']).push(...content.splice(at, 1))
  }
  return said
}

// ── how it answers ───────────────────────────────────────────────────────────

const ERRORS: Readonly<Record<ErrorKind, [number, string, string]>> = {
  rate_limit: [429, 'rate_limit_exceeded', 'requests'],
  overloaded: [503, 'server_overloaded', 'server_error'],
  server: [500, 'server_error', 'server_error'],
  invalid: [400, 'invalid_value', 'invalid_request_error'],
  too_long: [400, 'context_length_exceeded', 'invalid_request_error'],
  authentication: [401, 'invalid_api_key', 'invalid_request_error'],
  permission: [403, 'unsupported_country_region_territory', 'request_forbidden'],
  not_found: [404, 'model_not_found', 'invalid_request_error'],
  billing: [429, 'insufficient_quota', 'insufficient_quota'],
}

function errorOf(kind: ErrorKind, message: string) {
  const [status, code, type] = ERRORS[kind]
  return { status, body: { error: { message, type, param: null, code } } }
}

const frame = (event: unknown) => Buffer.from(dataLines([event]))
const OUTPUT = 'thinking counts as output: room for it is added'

export const responses: Spoken = {
  name: 'responses',
  secrets: [KEY],
  models: { sonnet: 'gpt-5', opus: 'gpt-5.2', haiku: 'gpt-5-mini' },
  env: (url) => ({
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: `${url}/v1`,
    ANTHROPIC_DEFAULT_SONNET_MODEL: 'openai/gpt-5',
    ANTHROPIC_DEFAULT_OPUS_MODEL: 'openai/gpt-5.2',
    ANTHROPIC_DEFAULT_HAIKU_MODEL: 'openai/gpt-5-mini',
  }),
  read(received) {
    const body = checked('responses', received)
    const messages = joined(objects(body['input']).map(readItem))
    checkOrder(messages)
    const reasoning = body['reasoning'] as Body | undefined
    return {
      model: String(body['model']),
      system: String(body['instructions'] ?? ''),
      messages,
      tools: objects(body['tools']).map(({ name }) => String(name)),
      maxTokens: Number(body['max_output_tokens']),
      thinking: reasoning?.['summary'] === 'auto',
      streamed: body['stream'] === true,
    }
  },
  contentType: 'text/event-stream; charset=utf-8',
  frames: (answer) => responsesEvents(answer, undefined, 0).map(frame),
  whole: (answer) => wholeResponse(answer, undefined, 0),
  error: errorOf,
  errorFrame(kind, message) {
    const [, code] = ERRORS[kind]
    return frame({ type: 'error', code, message, param: null, sequence_number: 1 })
  },
  lacks: { 'a limit of output': OUTPUT },
}

export const chat: Spoken = {
  name: 'chat',
  secrets: [KEY],
  models: { sonnet: 'gpt-oss:120b', opus: 'gpt-oss:120b', haiku: 'gpt-oss:20b' },
  env: (url) => ({
    OLLAMA_API_KEY: KEY,
    OLLAMA_HOST: url,
    ANTHROPIC_DEFAULT_SONNET_MODEL: 'ollama/gpt-oss:120b',
    ANTHROPIC_DEFAULT_OPUS_MODEL: 'ollama/gpt-oss:120b',
    ANTHROPIC_DEFAULT_HAIKU_MODEL: 'ollama/gpt-oss:20b',
  }),
  read(received) {
    const body = checked('chat', received)
    const [first, ...rest] = objects(body['messages'])
    const isSystem = first?.['role'] === 'system'
    const messages = withPictures(joined((isSystem || !first ? rest : [first, ...rest]).map(readMessage)))
    checkOrder(messages)
    return {
      model: String(body['model']),
      system: isSystem ? String(first['content']) : '',
      messages,
      tools: objects(body['tools']).map(({ function: about }) => String((about as Body)['name'])),
      maxTokens: Number(body['max_tokens']),
      thinking: body['reasoning_effort'] !== 'low',
      streamed: body['stream'] === true,
    }
  },
  contentType: 'text/event-stream; charset=utf-8',
  frames: (answer) => chatEvents(answer, undefined, 0).map(frame),
  whole: (answer) => wholeChat(answer, undefined, 0),
  error: errorOf,
  errorFrame: (kind, message) => frame(errorOf(kind, message).body),
  lacks: {
    'a limit of output': OUTPUT,
    'thinking goes back with its signature': 'thinking has no signature there',
  },
}

export const OPENAI_FAMILY: readonly Spoken[] = [responses, chat]
