/** The rules of the Messages API that an agent can break by mistake, refused with the messages the API gives. */
import { isObject } from '../protocol/json.js'
import { findBrokenContentRule, type Json } from './validate-content.js'

export type ApiRefusal = { status: number; type?: string; message: string }

export function checkApiHeaders(headers: Readonly<Record<string, string>>): ApiRefusal | undefined {
  if (!headers['x-api-key'] && !headers['authorization']) {
    return { status: 401, type: 'authentication_error', message: 'x-api-key header is required' }
  }
  if (!headers['anthropic-version']) return { status: 400, message: 'anthropic-version: header is required' }
  return undefined
}

/** The first rule the body breaks. `counting`: the body is for `count_tokens`, which takes fewer fields. */
export function checkMessagesRequest(body: Json, options: { counting?: boolean } = {}): ApiRefusal | undefined {
  const message = firstOf([
    () => checkFields(body, options.counting === true),
    () => checkSystem(body['system']),
    () => checkTools(body['tools']),
    () => checkReferences(body),
    () => checkThinking(body),
    () => checkConversation(body['messages']),
    () => checkCacheControl(body),
  ])
  return message === undefined ? undefined : { status: 400, message }
}

type Check = string | undefined

function checkFields(body: Json, counting: boolean): Check {
  const unknown = Object.keys(body).find((key) => !bodyFields.has(key))
  if (unknown !== undefined) return `${unknown}: Extra inputs are not permitted`
  if (typeof body['model'] !== 'string') return 'model: Field required'
  if (body['messages'] === undefined) return 'messages: Field required'
  if (!Array.isArray(body['messages'])) return 'messages: Input should be a valid list'
  const limit = body['max_tokens']
  if (counting) return undefined
  if (limit === undefined) return 'max_tokens: Field required'
  if (typeof limit !== 'number' || !Number.isInteger(limit)) return 'max_tokens: Input should be a valid integer'
  if (limit < 1) return 'max_tokens: Input should be greater than or equal to 1'
  return undefined
}

function checkSystem(system: unknown): Check {
  if (system === undefined || typeof system === 'string') return undefined
  if (!Array.isArray(system)) return 'system: Input should be a valid list'
  return firstOf(
    system.map((block, i) => () => {
      if (!isObject(block) || block['type'] !== 'text') return `system.${i}: Input should be a valid text block`
      if (block['text'] === '') return 'system: text content blocks must be non-empty'
      return typeof block['text'] === 'string' ? undefined : `system.${i}.text: Field required`
    }),
  )
}

function checkTools(tools: unknown): Check {
  if (tools === undefined) return undefined
  if (!Array.isArray(tools)) return 'tools: Input should be a valid list'
  const names = new Set<unknown>()
  for (const [i, tool] of tools.entries()) {
    if (!isObject(tool)) return `tools.${i}: Input should be a valid dictionary`
    const name = tool['name']
    if (typeof name !== 'string') return `tools.${i}.custom.name: Field required`
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
      return `tools.${i}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`
    }
    if (names.has(name)) return 'tools: Tool names must be unique.'
    names.add(name)
    // A tool of the provider has a dated type and no schema.
    if (tool['type'] !== undefined && tool['type'] !== 'custom') continue
    const schema = tool['input_schema']
    if (!isObject(schema)) return `tools.${i}.custom.input_schema: Field required`
    if (schema['type'] === undefined) return `tools.${i}.custom.input_schema.type: Field required`
    if (schema['type'] !== 'object') return `tools.${i}.custom.input_schema.type: Input should be 'object'`
  }
  return undefined
}

function checkReferences({ tools, messages }: Json): Check {
  const named = (Array.isArray(messages) ? messages : [])
    .flatMap((message) => (isObject(message) ? blocks(message, 'tool_result') : []))
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .flatMap((part) => (isObject(part) && part['type'] === 'tool_reference' ? [part['tool_name']] : []))
  const known = new Set((Array.isArray(tools) ? tools : []).map((tool) => isObject(tool) && tool['name']))
  const unknown = named.find((name) => !known.has(name))
  return unknown === undefined ? undefined : `tool_reference: Tool '${String(unknown)}' not found in available tools`
}

function checkThinking(body: Json): Check {
  const thinking = body['thinking']
  if (!isObject(thinking) || thinking['type'] !== 'enabled') return undefined
  const budget = thinking['budget_tokens']
  if (typeof budget !== 'number') return 'thinking.enabled.budget_tokens: Field required'
  if (budget < 1024) return 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024'
  if (typeof body['max_tokens'] === 'number' && body['max_tokens'] <= budget) {
    return '`max_tokens` must be greater than `thinking.budget_tokens`.'
  }
  if (body['temperature'] !== undefined && body['temperature'] !== 1) {
    return '`temperature` may only be set to 1 when thinking is enabled.'
  }
  return undefined
}

function checkConversation(messages: unknown): Check {
  if (!Array.isArray(messages)) return undefined
  if (messages.length === 0) return 'messages: at least one message is required'
  const problem = firstOf(messages.map((message, i) => () => checkMessage(message, i, i === messages.length - 1)))
  if (problem !== undefined) return problem
  if (messages[0]['role'] !== 'user') return 'messages: first message must use the "user" role'
  const twice = messages.findIndex((message, i) => i > 0 && message['role'] === messages[i - 1]['role'])
  if (twice > 0) {
    const role = messages[twice]['role']
    return `messages: roles must alternate between "user" and "assistant", but found multiple "${role}" roles in a row`
  }
  return checkToolPairs(messages)
}

function checkMessage(message: unknown, i: number, isLast: boolean): Check {
  if (!isObject(message)) return `messages.${i}: Input should be a valid dictionary`
  const { role, content, ...rest } = message
  const extra = Object.keys(rest)[0]
  if (extra !== undefined) return `messages.${i}.${extra}: Extra inputs are not permitted`
  if (role !== 'user' && role !== 'assistant') return `messages.${i}.role: Input should be 'user' or 'assistant'`
  if (content === undefined) return `messages.${i}.content: Field required`
  const empty = content === '' || (Array.isArray(content) && content.length === 0)
  if (empty && !(isLast && role === 'assistant')) {
    return `messages.${i}: all messages must have non-empty content except for the optional final assistant message`
  }
  return typeof content === 'string' ? undefined : findBrokenContentRule(content, `messages.${i}.content`, role)
}

/** Each call has its one result in the next message, ahead of anything else; no result without its call. */
function checkToolPairs(messages: readonly Json[]): Check {
  const seen = new Set<unknown>()
  for (const [i, message] of messages.entries()) {
    const results = blocks(message, 'tool_result').map((block) => block['tool_use_id'])
    const called = new Set(i > 0 ? blocks(messages[i - 1], 'tool_use').map((block) => block['id']) : [])
    const unknown = results.find((id) => !called.has(id))
    if (unknown !== undefined) {
      return (
        `messages.${i}.content: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${unknown}. Each ` +
        '`tool_result` block must have a corresponding `tool_use` block in the previous message.'
      )
    }
    const double = results.find((id, at) => results.indexOf(id) !== at)
    if (double !== undefined) {
      return `messages.${i}.content: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${double}`
    }
    const leading = leadingResults(message)
    const missing = [...called].filter((id) => !leading.includes(id))
    if (missing.length > 0) return unanswered(i - 1, missing)
    for (const block of blocks(message, 'tool_use')) {
      if (seen.has(block['id'])) return `messages.${i}.content: \`tool_use\` ids must be unique`
      seen.add(block['id'])
    }
  }
  const last = messages.length - 1
  const open = blocks(messages[last], 'tool_use').map((block) => block['id'])
  return open.length > 0 ? unanswered(last, open) : undefined
}

function unanswered(i: number, ids: readonly unknown[]): string {
  return (
    `messages.${i}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. ` +
    'Each `tool_use` block must have a corresponding `tool_result` block in the next message.'
  )
}

function blocks(message: Json | undefined, type: string): Json[] {
  const content = message?.['content']
  return Array.isArray(content) ? content.filter((block) => isObject(block) && block['type'] === type) : []
}

function leadingResults(message: Json): unknown[] {
  const content = Array.isArray(message['content']) ? message['content'] : []
  const end = content.findIndex((block) => block['type'] !== 'tool_result')
  return (end === -1 ? content : content.slice(0, end)).map((block) => block['tool_use_id'])
}

function checkCacheControl(body: Json): Check {
  const count = countCacheControl([body['system'], body['tools'], body['messages']])
  return count > 4 ? `A maximum of 4 blocks with cache_control may be provided. Found ${count}.` : undefined
}

function countCacheControl(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countCacheControl(item), 0)
  if (!isObject(value)) return 0
  return (value['cache_control'] ? 1 : 0) + countCacheControl(value['content'])
}

function firstOf(checks: readonly (() => Check)[]): Check {
  for (const check of checks) {
    const message = check()
    if (message !== undefined) return message
  }
  return undefined
}

const bodyFields = new Set(
  (
    'model messages max_tokens system tools tool_choice stream thinking metadata temperature top_p top_k stop_sequences ' +
    'service_tier container context_management mcp_servers output_config output_format inference_geo speed cache_control betas'
  ).split(' '),
)
