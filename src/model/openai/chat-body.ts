/** The body of a request to the Chat Completions API, or to one of the many servers that speak like it. */
import type { ToolDefinition } from '../../engine/ports.js'
import type { MessageParam } from '../../protocol/content.js'
import type { JsonObject } from '../../protocol/json.js'
import { createEncodedMessageCache } from '../client/encoded-messages.js'
import { escapeLoneSurrogates } from '../client/well-formed.js'
import {
  dropSchemaDialect,
  joinSystemTexts,
  type ServiceBodyOptions,
  type ServiceBodyWriter,
  selectCallableTools,
  serviceEffort,
  toServiceToolChoice,
} from './body-options.js'
import { decodeKeptReasoning } from './kept-reasoning.js'
import {
  inputAsJson,
  type MessagePart,
  messageBlocks,
  textOfParts,
  toMessagePart,
  toolResultParts,
} from './message-parts.js'
import { shortenToolName } from './sent-names.js'

/** Pictures can't be part of a result here: they are handed in behind all of them. */
const PICTURE_FOLLOWS = '(An image of this result follows.)'

export function createChatBodyWriter(options: ServiceBodyOptions): ServiceBodyWriter {
  const { facts, compat, names } = options
  const encoded = createEncodedMessageCache((message) => {
    const all = messagesOf(message, options)
    return all.length === 0 ? null : all.map((one) => escapeLoneSurrogates(JSON.stringify(one))).join(',')
  })
  const systemRole = () => (compat.lacks('developer role') ? 'system' : 'developer')
  return {
    write(request, plan, streamed) {
      const tools = selectCallableTools(request, facts).map((tool) => functionTool(tool, names.sent(tool.name)))
      const effort = compat.lacks('effort') ? undefined : serviceEffort(plan, facts)
      const system = joinSystemTexts(request)
      const rest = {
        ...(tools.length > 0 && { tools }),
        ...(tools.length > 0 && request.toolChoice && { tool_choice: toServiceToolChoice(request) }),
        [compat.lacks('completion tokens') ? 'max_tokens' : 'max_completion_tokens']: plan.maxTokens,
        ...(effort && { reasoning_effort: effort }),
        ...(!compat.lacks('storage switch') && { store: false }),
        ...(!compat.lacks('cache key') && { prompt_cache_key: options.sessionId }),
        ...(streamed && { stream: true }),
        ...(streamed && !compat.lacks('stream options') && { stream_options: { include_usage: true } }),
      }
      const opening = system === '' ? '' : escapeLoneSurrogates(JSON.stringify({ role: systemRole(), content: system }))
      const history = encoded.first(request.messages, request.messages.length)
      return [
        `{"model":${JSON.stringify(plan.model)},"messages":[${opening}${opening !== '' && history.length > 0 ? ',' : ''}`,
        history,
        `],${escapeLoneSurrogates(JSON.stringify(rest)).slice(1)}`,
      ]
    },
  }
}

function functionTool({ description, input_schema }: ToolDefinition, name: string): JsonObject {
  return { type: 'function', function: { name, description, parameters: dropSchemaDialect(input_schema) } }
}

function messagesOf(message: MessageParam, options: ServiceBodyOptions): JsonObject[] {
  if (message.role === 'assistant') return assistantMessage(message, options)
  const canSee = options.facts.images && !options.compat.lacks('images')
  const results: JsonObject[] = []
  const shown: MessagePart[] = []
  const said: MessagePart[] = []
  for (const block of messageBlocks(message, options.facts.tools)) {
    if (block.type === 'tool_result') {
      const parts = toolResultParts(block, canSee)
      const others = parts.filter((part) => part.type !== 'text')
      const text = textOfParts(others.length > 0 ? [...parts, { type: 'text', text: PICTURE_FOLLOWS }] : parts)
      results.push({ role: 'tool', tool_call_id: shortenToolName(block.tool_use_id), content: text })
      shown.push(...others)
      continue
    }
    const part = toMessagePart(block, canSee)
    if (part) said.push(part)
  }
  const parts = [...shown, ...said]
  if (parts.length === 0) return results
  const role = message.role === 'system' ? (options.compat.lacks('developer role') ? 'system' : 'developer') : 'user'
  const isText = parts.every((part) => part.type === 'text')
  // Servers that know text only take it as a text, not as a list.
  return [...results, { role, content: isText ? textOfParts(parts) : parts.map(contentPart) }]
}

function assistantMessage(message: MessageParam, { names, keptFor, compat, facts }: ServiceBodyOptions): JsonObject[] {
  const texts: string[] = []
  const calls: JsonObject[] = []
  let extra: Readonly<Record<string, JsonObject>> = {}
  let thinking: JsonObject = {}
  for (const block of messageBlocks(message, facts.tools)) {
    if (block.type === 'text' && /\S/.test(block.text)) texts.push(block.text)
    if (block.type === 'tool_use') {
      const called = { name: names.sent(block.name), arguments: inputAsJson(block.input) }
      calls.push({ id: shortenToolName(block.id), type: 'function', function: called })
    }
    const kept = decodeKeptReasoning(block, keptFor)
    if (kept?.type === 'calls') extra = kept.extra
    if (kept?.type === 'thinking' && kept.details !== undefined) thinking = { reasoning_details: kept.details }
    else if (kept?.type === 'thinking' && kept.field === 'reasoning_content' && block.type === 'thinking')
      thinking = { reasoning_content: block.thinking }
  }
  if (texts.length === 0 && calls.length === 0) return []
  const content = texts.length > 0 ? texts.join('\n') : compat.lacks('empty content') ? '' : null
  const tool_calls = calls.map((call) => ({ ...call, ...extra[String(call['id'])] }))
  // Thinking is wanted back only while the calls it led to are being answered.
  const given = calls.length > 0 ? thinking : {}
  return [{ role: 'assistant', content, ...given, ...(calls.length > 0 && { tool_calls }) }]
}

function contentPart(part: MessagePart): JsonObject {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return { type: 'image_url', image_url: { url: part.url, detail: 'auto' } }
    case 'file':
      return { type: 'file', file: { filename: 'document.pdf', file_data: part.data } }
  }
}
