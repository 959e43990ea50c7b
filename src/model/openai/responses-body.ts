/** The body of a request to the Responses API. Each message is written once: a longer history begins with the bytes of the shorter. */
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

export function createResponsesBodyWriter(options: ServiceBodyOptions): ServiceBodyWriter {
  const { facts, compat, names } = options
  const encoded = createEncodedMessageCache((message) => {
    const items = itemsOf(message, options)
    return items.length === 0 ? null : items.map((item) => escapeLoneSurrogates(JSON.stringify(item))).join(',')
  })
  return {
    write(request, plan, streamed) {
      const tools = selectCallableTools(request, facts).map((tool) => functionTool(tool, names.sent(tool.name)))
      const effort = compat.lacks('effort') ? undefined : serviceEffort(plan, facts)
      const showsThought = facts.reasoning && plan.thinking !== null && !compat.lacks('summary')
      const instructions = joinSystemTexts(request)
      const rest = {
        ...(instructions !== '' && { instructions }),
        ...(tools.length > 0 && { tools, tool_choice: toServiceToolChoice(request) ?? 'auto' }),
        max_output_tokens: plan.maxTokens,
        ...((effort || showsThought) && {
          reasoning: { ...(effort && { effort }), ...(showsThought && { summary: 'auto' }) },
        }),
        ...(!compat.lacks('encrypted reasoning') && facts.reasoning && { include: ['reasoning.encrypted_content'] }),
        ...(!compat.lacks('storage switch') && { store: false }),
        ...(!compat.lacks('cache key') && { prompt_cache_key: options.sessionId }),
        ...(streamed && { stream: true }),
        ...(streamed && !compat.lacks('stream options') && { stream_options: { include_obfuscation: false } }),
      }
      return [
        `{"model":${JSON.stringify(plan.model)},"input":[`,
        encoded.first(request.messages, request.messages.length),
        `],${escapeLoneSurrogates(JSON.stringify(rest)).slice(1)}`,
      ]
    },
  }
}

function functionTool({ description, input_schema }: ToolDefinition, name: string): JsonObject {
  // Strict would demand that no input is optional.
  return { type: 'function', name, description, parameters: dropSchemaDialect(input_schema), strict: false }
}

function itemsOf(message: MessageParam, options: ServiceBodyOptions): JsonObject[] {
  if (message.role === 'assistant') return assistantItems(message, options)
  const canSee = options.facts.images && !options.compat.lacks('images')
  const outputs: JsonObject[] = []
  const content: JsonObject[] = []
  for (const block of messageBlocks(message, options.facts.tools)) {
    if (block.type === 'tool_result') {
      const parts = toolResultParts(block, canSee)
      const isText = parts.every((part) => part.type === 'text')
      const output = isText ? textOfParts(parts) : parts.map(inputPart)
      outputs.push({ type: 'function_call_output', call_id: shortenToolName(block.tool_use_id), output })
      continue
    }
    const part = toMessagePart(block, canSee)
    if (part) content.push(inputPart(part))
  }
  const role = message.role === 'system' ? (options.compat.lacks('developer role') ? 'system' : 'developer') : 'user'
  // Each call is answered before anything else is said.
  return content.length > 0 ? [...outputs, { type: 'message', role, content }] : outputs
}

function assistantItems(message: MessageParam, options: ServiceBodyOptions): JsonObject[] {
  const { names, keptFor, compat, facts } = options
  const items: JsonObject[] = []
  let phase: string | undefined
  /** Reasoning goes before what it led to, and without that not at all. */
  let reasoning: JsonObject[] = []
  const push = (item: JsonObject) => {
    items.push(...reasoning, item)
    reasoning = []
  }
  for (const block of messageBlocks(message, facts.tools)) {
    if (block.type === 'text' && /\S/.test(block.text)) {
      push({ type: 'message', role: 'assistant', content: block.text, ...(phase !== undefined && { phase }) })
      phase = undefined
    } else if (block.type === 'tool_use') {
      const called = {
        call_id: shortenToolName(block.id),
        name: names.sent(block.name),
        arguments: inputAsJson(block.input),
      }
      push({ type: 'function_call', ...called })
    } else {
      const kept = decodeKeptReasoning(block, keptFor)
      if (kept?.type === 'phase') phase = kept.phase
      if (kept?.type === 'reasoning' && !compat.lacks('kept reasoning')) reasoning.push(kept.item)
    }
  }
  return items
}

function inputPart(part: MessagePart): JsonObject {
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text }
    case 'image':
      return { type: 'input_image', image_url: part.url, detail: 'auto' }
    case 'file':
      return { type: 'input_file', filename: 'document.pdf', file_data: part.data }
  }
}
