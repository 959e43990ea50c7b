/**
 * The body of a Messages request, as pieces of JSON. Each message is serialized and encoded once and never changes
 * afterwards, apart from the cache marker: so a longer history starts with the very bytes of the shorter one, and the
 * provider's prompt cache holds.
 */
import type { EngineRequest, ToolDefinition, ToolRunByApi } from '../../engine/ports.js'
import type { ContentBlockParam, MessageParam, ToolResultContent } from '../../protocol/content.js'
import { createEncodedMessageCache } from '../client/encoded-messages.js'
import type { BodyPiece } from '../client/model-api-adapter.js'
import { hasOtherApiSignature } from '../client/other-api-signature.js'
import type { ModelRequestPlan } from '../client/request-plan.js'
import { escapeLoneSurrogates } from '../client/well-formed.js'

const MARK = ',"cache_control":{"type":"ephemeral"}'
const HOUR_MARK = ',"cache_control":{"type":"ephemeral","ttl":"1h"}'
/** Two, so that the marker of the previous request is still one when the next is made. */
const MARKED_MESSAGES = 2
/** The API looks back 20 blocks from a cache mark. Behind a longer response, the message before it gets a mark too: the previous
 *  request ended there. With the system prompt's mark this makes four, the most the API allows. */
const LOOK_BACK = 19

/** Text of one message around the place for the marker; `mark: false` when no block of it may carry one. */
type Serialized = { head: string; tail: string; mark: boolean }

export interface BodyWriter {
  /** `head`: what is there before the messages, where that is not the model. */
  write(request: EngineRequest, plan: ModelRequestPlan, userId: string, stream: boolean, head?: string): BodyPiece[]
}

/** `withoutThinking` omits thinking blocks. `withoutReferences` sends every tool definition in full, and found tools as text. */
export type MessagesBodyOptions = { withoutThinking?: boolean; withoutReferences?: boolean }

/** The part of a message that can be sent. `hasTool` is whether the request contains a tool of that name. */
type Sending = { withoutThinking: boolean; hasTool(name: string): boolean }

export function createBodyWriter({
  withoutThinking = false,
  withoutReferences = false,
}: MessagesBodyOptions = {}): BodyWriter {
  let offered: EngineRequest['tools'] = []
  const sending: Sending = {
    withoutThinking,
    hasTool: (name) => !withoutReferences && offered.some((tool) => tool.name === name),
  }
  // By identity: whoever hands a message over promises not to change it.
  const messages = new WeakMap<MessageParam, Serialized | null>()
  const encoded = createEncodedMessageCache((message) => {
    const known = messages.get(message)
    if (known === undefined) return plainText(message, sending)
    messages.delete(message)
    return known && known.head + known.tail
  })
  let settings:
    | { system: readonly string[]; tools: EngineRequest['tools']; mark: string; bytes: Uint8Array }
    | undefined

  function messageText(message: MessageParam): Serialized | null {
    const known = messages.get(message)
    if (known !== undefined) return known
    const text = serializeMessage(message, sending)
    messages.set(message, text)
    return text
  }
  /** What follows the messages is mostly what followed them in the request before. */
  function settingsBytes({ system, tools }: EngineRequest, mark: string): Uint8Array {
    const isKept = settings?.mark === mark && areSame(settings.system, system) && areSame(settings.tools, tools)
    if (settings && isKept) return settings.bytes
    const texts = system.filter((text) => text.trim() !== '')
    const systemText = texts.length > 0 ? `,"system":[${texts.map(systemBlock(mark)).join(',')}]` : ''
    const bytes = new TextEncoder().encode(
      `]${systemText},"tools":[${tools.map(toolText(withoutReferences)).join(',')}]`,
    )
    settings = { system: [...system], tools: [...tools], mark, bytes }
    return bytes
  }

  return {
    write(request, plan, userId, stream, head = `{"model":${JSON.stringify(plan.model)}`) {
      const mark = markOf(plan)
      offered = request.tools
      const marked: Serialized[] = []
      let settled = request.messages.length
      let wanted = MARKED_MESSAGES
      while (settled > 0 && marked.length < wanted) {
        settled -= 1
        const message = request.messages[settled]
        const text = message && messageText(message)
        if (text) marked.unshift(text)
        if (marked.length === MARKED_MESSAGES && isLong(message)) wanted = MARKED_MESSAGES + 1
      }
      const before = encoded.first(request.messages, settled)
      const texts = marked.map((text) => text.head + (text.mark ? mark : '') + text.tail).join(',')
      return [
        `${head},"messages":[`,
        before,
        before.length > 0 ? `,${texts}` : texts,
        settingsBytes(request, mark),
        request.toolChoice ? `,"tool_choice":{"type":"${request.toolChoice}"}` : '',
        parameters(plan, userId, stream),
      ]
    },
  }
}

function isLong(message: MessageParam | undefined): boolean {
  return message !== undefined && typeof message.content !== 'string' && message.content.length >= LOOK_BACK
}

function markOf({ cache }: ModelRequestPlan): string {
  if (cache === 'none') return ''
  return cache === '1h' ? HOUR_MARK : MARK
}

/** Not kept: it would be as much memory again as the bytes it becomes, in every session. */
function toolText(withoutReferences: boolean) {
  return (tool: ToolDefinition | ToolRunByApi): string => {
    if (!withoutReferences || !('defer_loading' in tool)) return escapeLoneSurrogates(JSON.stringify(tool))
    const { defer_loading: _, ...whole } = tool
    return escapeLoneSurrogates(JSON.stringify(whole))
  }
}

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index])
}

function systemBlock(mark: string) {
  return (text: string, index: number, all: readonly string[]): string =>
    `{"type":"text","text":${escapeLoneSurrogates(JSON.stringify(text))}${index === all.length - 1 ? mark : ''}}`
}

function parameters(plan: ModelRequestPlan, userId: string, stream: boolean): string {
  const rest = {
    ...(!plan.withoutMetadata && { metadata: { user_id: userId } }),
    max_tokens: plan.maxTokens,
    // No temperature: newer versions of the API refuse it, and 1 is its default.
    ...(plan.thinking && { thinking: plan.thinking }),
    ...outputConfig(plan),
    ...(plan.fast && { speed: 'fast' }),
    ...(stream && { stream: true }),
    ...plan.extraBody,
  }
  return `,${JSON.stringify(rest).slice(1)}`
}

function outputConfig({ effort, taskBudget }: ModelRequestPlan): object {
  if (effort === null && taskBudget === null) return {}
  const budget = taskBudget === null ? {} : { task_budget: { type: 'tokens', total: taskBudget } }
  return { output_config: { ...(effort === null ? {} : { effort }), ...budget } }
}

/** Without a place for the marker; else the same as `serializeMessage`. */
function plainText(message: MessageParam, sending: Sending): string | null {
  const blocks = sendableBlocks(message, sending)
  return (
    blocks && `{"role":"${message.role}","content":${escapeLoneSurrogates(JSON.stringify(blocks.map(withoutMarker)))}}`
  )
}

/** Null: nothing of the message can be sent. */
function sendableBlocks({ role, content }: MessageParam, sending: Sending): ContentBlockParam[] | null {
  const all: ContentBlockParam[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const blocks = all
    .filter((block) => isSendable(block) && !(sending.withoutThinking && isThinking(block)))
    .map((block) => withReferences(block, sending))
  if (blocks.length > 0) return blocks
  // The API refuses messages without content, in this and every later request. Only a user's is missed.
  return role === 'user' ? [{ type: 'text', text: '(empty message)' }] : null
}

function serializeMessage(message: MessageParam, sending: Sending): Serialized | null {
  const { role } = message
  const blocks = sendableBlocks(message, sending)
  if (!blocks) return null
  const texts = blocks.map((block) => escapeLoneSurrogates(JSON.stringify(withoutMarker(block))))
  const markAt = blocks.findLastIndex((block) => !isThinking(block))
  const split = markAt === -1 ? blocks.length - 1 : markAt
  const before = texts.slice(0, split + 1).join(',')
  const after = texts.slice(split + 1).map((text) => `,${text}`)
  return {
    head: `{"role":"${role}","content":[${before.slice(0, -1)}`,
    tail: `}${after.join('')}]}`,
    mark: markAt !== -1,
  }
}

/** The API rejects a reference to a tool that isn't in the request, such as one from a disconnected MCP server. */
function withReferences(block: ContentBlockParam, { hasTool }: Sending): ContentBlockParam {
  if (block.type !== 'tool_result' || !Array.isArray(block.content)) return block
  if (!block.content.some((part) => part.type === 'tool_reference' && !hasTool(part.tool_name))) return block
  const content = block.content.map((part) =>
    part.type === 'tool_reference' && !hasTool(part.tool_name)
      ? { type: 'text' as const, text: `Found: ${part.tool_name}` }
      : part,
  )
  return { ...block, content }
}

/**
 * Blocks the API refuses whatever else is in the request: blank text, thinking that was cut before it was signed, and thinking of
 * other vendors' models.
 */
function isSendable(block: ContentBlockParam): boolean {
  if (block.type === 'text') return /\S/.test(block.text)
  if (block.type === 'thinking')
    return typeof block.signature === 'string' && block.signature !== '' && !hasOtherApiSignature(block.signature)
  if (block.type === 'redacted_thinking') return !hasOtherApiSignature(block.data)
  return true
}

export function isThinking({ type }: ContentBlockParam): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

/** Markers of others are taken off: four are allowed per request, and where they pay is known only here. */
function withoutMarker(block: ContentBlockParam): object {
  const rest = withoutOwnMarker(block)
  if (block.type !== 'tool_result' || !Array.isArray(block.content)) return rest
  return { ...rest, content: block.content.map(withoutOwnMarker) }
}

function withoutOwnMarker(block: ContentBlockParam | ToolResultContent): object {
  if (!('cache_control' in block)) return block
  const { cache_control: _, ...rest } = block
  return rest
}
