/**
 * Puts the events of one stream together: content blocks, then the message. Says of every event what it means, and of a
 * stream that contradicts itself that it is broken; never throws, whatever the server sends.
 */
import { markUnreadableInput } from '../../engine/unreadable-input.js'
import type { AssistantMessage, ContentBlock, RawStreamEvent, StopReason, Usage } from '../../protocol/content.js'
import { isObject, type JsonObject } from '../../protocol/json.js'
import { mergeUsage, readUsage } from '../usage.js'
import { parseJson } from './parse-json.js'

export type AssembledStreamStep =
  /** A ping. */
  | { type: 'ping' }
  /** Something newer than this code. */
  | { type: 'unknown' }
  /** `block` is set when the event completes one. */
  | { type: 'event'; event: RawStreamEvent; block?: ContentBlock }
  | { type: 'done'; event: RawStreamEvent; message: AssistantMessage }
  /** The server's own `error` event: the whole event. */
  | { type: 'error'; body: JsonObject }
  | { type: 'broken'; reason: string }

export interface Assembler {
  push(event: unknown): AssembledStreamStep
  /** The message as `message_start` announced it. */
  header(): AssistantMessage | null
  /** A content block has begun. */
  hasContent(): boolean
  /** Whether what came of a block that is open can be all of it: prose, or a call whose input is whole. */
  isWhole(index: number): boolean
  /** The events that a stream which broke off still owes to whoever was shown the others. */
  closing(): RawStreamEvent[]
  /** As far as the stream has told. */
  usage(): Usage
  /** Characters of the blocks so far. */
  length(): number
}

type OpenBlock = { block: JsonObject; json: string; open: boolean }

export function createAssembler(): Assembler {
  const blocks = new Map<number, OpenBlock>()
  let header: AssistantMessage | null = null
  let ending: Partial<AssistantMessage> = {}
  let usage = readUsage(undefined)

  function push(event: unknown): AssembledStreamStep {
    if (!isObject(event)) return broken('an event that is not an object')
    switch (event['type']) {
      case 'ping':
        return { type: 'ping' }
      case 'error':
        return { type: 'error', body: event }
      case 'message_start':
        return start(event)
      case 'content_block_start':
        return startBlock(event)
      case 'content_block_delta':
        return extendBlock(event)
      case 'content_block_stop':
        return stopBlock(event)
      case 'message_delta':
        return extendMessage(event)
      case 'message_stop':
        return stop(event)
      default:
        return { type: 'unknown' }
    }
  }

  function start(event: JsonObject): AssembledStreamStep {
    if (header) return broken('a second message_start')
    header = readMessage(event['message'], [])
    if (!header) return broken('a message_start without a message')
    usage = header.usage
    return forward(event)
  }

  function startBlock(event: JsonObject): AssembledStreamStep {
    const { index, content_block: block } = event
    if (!header) return broken('a content block before message_start')
    if (typeof index !== 'number' || blocks.has(index)) return broken('a content block that started twice')
    const started = readBlock(block)
    if (!started) return broken('a content block without a type, id or name')
    blocks.set(index, { block: started, json: '', open: true })
    return forward(event)
  }

  function extendBlock(event: JsonObject): AssembledStreamStep {
    const target = openBlock(event['index'])
    if (!target) return broken('a delta for a content block that is not open')
    const delta = event['delta']
    return isObject(delta) && applyDelta(target, delta) ? forward(event) : { type: 'unknown' }
  }

  function stopBlock(event: JsonObject): AssembledStreamStep {
    const target = openBlock(event['index'])
    if (!target) return broken('the end of a content block that is not open')
    target.open = false
    if (target.json !== '' || 'input' in target.block) target.block = withInput(target.block, target.json)
    return { ...forward(event), block: asBlock(target.block) }
  }

  function extendMessage(event: JsonObject): AssembledStreamStep {
    if (!header) return broken('a message_delta before message_start')
    const delta = isObject(event['delta']) ? event['delta'] : {}
    ending = {
      ...ending,
      ...('stop_reason' in delta && { stop_reason: asStopReason(delta['stop_reason']) }),
      ...('stop_sequence' in delta && { stop_sequence: asText(delta['stop_sequence']) }),
      ...(isObject(delta['container']) && { container: delta['container'] }),
      ...(isObject(event['context_management']) && { context_management: event['context_management'] }),
    }
    usage = mergeUsage(usage, event['usage'])
    return forward(event)
  }

  function stop(event: JsonObject): AssembledStreamStep {
    if (!header) return broken('a message_stop before message_start')
    const all = [...blocks].sort(([a], [b]) => a - b).map(([, block]) => block)
    if (all.some((block) => block.open)) return broken('a message_stop inside a content block')
    const content = all.map(({ block }) => asBlock(block))
    usage = mergeUsage(usage, event['usage'])
    return { type: 'done', event: forward(event).event, message: { ...header, content, ...ending, usage } }
  }

  function openBlock(index: unknown): OpenBlock | undefined {
    const found = typeof index === 'number' ? blocks.get(index) : undefined
    return found?.open ? found : undefined
  }

  function isWhole(index: number): boolean {
    const found = blocks.get(index)
    if (!found) return false
    return found.json === '' ? found.block['type'] !== 'tool_use' : isObject(parseJson(found.json))
  }

  function length(): number {
    return [...blocks.values()].reduce((sum, { block, json }) => sum + JSON.stringify(block).length + json.length, 0)
  }

  function closing(): RawStreamEvent[] {
    const open = [...blocks].filter(([, block]) => block.open).map(([index]) => index)
    return [...open.map((index) => ({ type: 'content_block_stop' as const, index })), { type: 'message_stop' }]
  }

  return { push, header: () => header, hasContent: () => blocks.size > 0, isWhole, closing, usage: () => usage, length }
}

/** A message that came in one piece, or undefined when it is none. */
export function readWholeMessage(value: unknown): AssistantMessage | undefined {
  if (!isObject(value) || value['type'] !== 'message' || !Array.isArray(value['content'])) return undefined
  const content: ContentBlock[] = []
  for (const block of value['content']) {
    const known = readBlock(block)
    if (!known) return undefined
    content.push(asBlock('input' in known ? withInput(known, '') : known))
  }
  const message = readMessage(value, content)
  if (!message) return undefined
  return { ...message, stop_reason: asStopReason(value['stop_reason']), stop_sequence: asText(value['stop_sequence']) }
}

function readMessage(value: unknown, content: ContentBlock[]): AssistantMessage | null {
  if (!isObject(value) || typeof value['id'] !== 'string') return null
  return {
    // Further fields stay as the server sent them; those we work with are set below.
    ...(value as Partial<AssistantMessage>),
    id: value['id'],
    type: 'message',
    role: 'assistant',
    model: asText(value['model']) ?? '',
    content,
    stop_reason: null,
    stop_sequence: null,
    usage: readUsage(value['usage']),
  }
}

/** A copy with the fields others rely on, or undefined when they are missing. */
function readBlock(value: unknown): JsonObject | undefined {
  if (!isObject(value) || typeof value['type'] !== 'string') return undefined
  switch (value['type']) {
    case 'text':
      return { ...value, text: asText(value['text']) ?? '' }
    case 'thinking':
      return { ...value, thinking: asText(value['thinking']) ?? '', signature: asText(value['signature']) ?? '' }
    case 'tool_use':
      if (typeof value['id'] !== 'string' || typeof value['name'] !== 'string') return undefined
      return { ...value, input: value['input'] }
    default:
      return { ...value }
  }
}

/** False: a delta this code does not know, or one that does not fit its block. */
function applyDelta(target: OpenBlock, delta: JsonObject): boolean {
  const { block } = target
  const append = (field: string, value: unknown) => {
    if (typeof value !== 'string') return false
    block[field] = `${block[field]}${value}`
    return true
  }
  switch (delta['type']) {
    case 'text_delta':
      return block['type'] === 'text' && append('text', delta['text'])
    case 'thinking_delta':
      return block['type'] === 'thinking' && append('thinking', delta['thinking'])
    case 'signature_delta':
      return block['type'] === 'thinking' && append('signature', delta['signature'])
    case 'input_json_delta':
      if (typeof delta['partial_json'] !== 'string') return false
      if (target.json.length <= LONGEST_INPUT) target.json += delta['partial_json']
      return true
    case 'citations_delta':
      if (!isObject(delta['citation'])) return false
      block['citations'] = [...(Array.isArray(block['citations']) ? block['citations'] : []), delta['citation']]
      return true
    default:
      return false
  }
}

/** No call of a person's size; what is longer is not even kept. */
const LONGEST_INPUT = 8 * 1024 * 1024

/** Input that isn't a JSON object is marked as such, so that nothing runs on a guess. */
function withInput(block: JsonObject, json: string): JsonObject {
  if (json.length > LONGEST_INPUT) return markUnreadableInput(block, TOO_LONG)
  const given = json === '' ? (block['input'] ?? {}) : parseJson(json)
  const input = typeof given === 'string' ? parseJson(given) : given
  return isObject(input) ? { ...block, input } : markUnreadableInput(block, 'is not a valid JSON object')
}

const TOO_LONG = `is longer than ${LONGEST_INPUT / 1024 / 1024} MB`

function forward(event: JsonObject): { type: 'event'; event: RawStreamEvent } {
  // Checked by the caller as far as it is used here; the rest is passed on as it came.
  return { type: 'event', event: event as unknown as RawStreamEvent }
}

function asBlock(block: JsonObject): ContentBlock {
  // Has a `type`; block types newer than ours are carried along untouched.
  return block as unknown as ContentBlock
}

function asStopReason(value: unknown): StopReason | null {
  // Reasons newer than ours pass too: whoever acts on one must have a default anyway.
  return asText(value) as StopReason | null
}

function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function broken(reason: string): AssembledStreamStep {
  return { type: 'broken', reason }
}
