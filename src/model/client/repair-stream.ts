/**
 * Streams of gateways that are almost those of the API, made so before they are put together. A good stream passes as it
 * is, event by event; what no reading could save is left to be found broken.
 */
import { isObject, type JsonObject } from '../../protocol/json.js'

export interface StreamRepairer {
  /** What to read in place of this event. */
  push(event: unknown): unknown[]
}

export type StreamRepairOptions = {
  /** Whether what came of a block, by our number, can be all of it. */
  isWhole(index: number): boolean
  newId(): string
}

/** A block of the stream, which may become several here. `index` is the number it has for us. */
type Block = { index: number; kind: string; isOpen: boolean; isSigned: boolean }

export function createStreamRepairer({ isWhole, newId }: StreamRepairOptions): StreamRepairer {
  const blocks = new Map<unknown, Block>()
  let messageId: unknown
  let last = -1
  /** Ends of unsigned thinking, and beginnings behind it, until it is known whether they belong together. */
  let held: { before: Block; events: JsonObject[]; key?: unknown; block?: Block } | undefined

  const open = (kind: string): Block => {
    last += 1
    return { index: last, kind, isOpen: true, isSigned: false }
  }
  const release = (): JsonObject[] => {
    const events = held?.events ?? []
    held = undefined
    return events
  }

  function startBlock(event: JsonObject): JsonObject[] {
    const given = event['content_block']
    const kind = isObject(given) ? String(given['type']) : ''
    if (blocks.get(event['index'])?.isOpen) return [...release(), event]
    const block = open(kind)
    if (isObject(given) && given['signature']) block.isSigned = true
    blocks.set(event['index'], block)
    const own = numbered(event, block)
    if (!held || held.block || kind !== 'thinking' || block.isSigned) return [...release(), own]
    held = { ...held, events: [...held.events, own], key: event['index'], block }
    return []
  }

  function extendBlock(event: JsonObject): JsonObject[] {
    const delta = isObject(event['delta']) ? event['delta'] : {}
    const kind = KIND_OF_DELTA.get(delta['type'])
    const block = blocks.get(event['index'])
    if (!block) return [...release(), event]
    if (held?.block === block && delta['type'] === 'signature_delta') {
      // A signature without a text belongs to the thinking before it.
      const { before } = held
      held = undefined
      last -= 1
      blocks.set(event['index'], { ...before, isOpen: true, isSigned: true })
      return [numbered(event, before)]
    }
    const first = release()
    if (delta['type'] === 'signature_delta') block.isSigned = true
    const isOther = kind !== undefined && kind !== block.kind && isProse(block.kind)
    if (!isOther && (block.isOpen || !isProse(kind))) return [...first, numbered(event, block)]
    if (delta['text'] === '' || delta['thinking'] === '') return first
    const next = open(kind ?? block.kind)
    blocks.set(event['index'], next)
    return [...first, ...(block.isOpen ? [end(block)] : []), begin(next), numbered(event, next)]
  }

  function stopBlock(event: JsonObject): JsonObject[] {
    const first = release()
    const block = blocks.get(event['index'])
    if (!block) return [...first, event]
    const own = numbered(event, block)
    if (!block.isOpen || block.kind !== 'thinking' || block.isSigned) {
      block.isOpen = false
      return [...first, own]
    }
    block.isOpen = false
    held = { before: block, events: [own] }
    return first
  }

  function push(event: unknown): unknown[] {
    if (!isObject(event)) return [event]
    switch (event['type']) {
      case 'ping':
        return [event]
      case 'message_start': {
        const message = isObject(event['message']) ? event['message'] : {}
        if (messageId !== undefined && message['id'] === messageId) return []
        const named = withMessageId(message, newId)
        messageId = named['id']
        return message === named || !isObject(event['message']) ? [event] : [{ ...event, message: named }]
      }
      case 'content_block_start':
        return startBlock(event)
      case 'content_block_delta':
        return extendBlock(event)
      case 'content_block_stop':
        return stopBlock(event)
      case 'message_stop': {
        const first = release()
        const left = [...blocks.values()].filter((block) => block.isOpen)
        return [...first, ...(left.every(({ index }) => isWhole(index)) ? left.map(end) : []), event]
      }
      case undefined:
        // Some tell of an error in the middle of an answer without saying that it is one.
        return [...release(), isObject(event['error']) ? { ...event, type: 'error' } : event]
      default:
        return [...release(), event]
    }
  }

  return { push }
}

/** A message needs an id: what is written down of it is told apart by it. */
export function withMessageId(message: JsonObject, newId: () => string): JsonObject {
  return message['id'] === undefined || message['id'] === null || message['id'] === ''
    ? { ...message, id: newId() }
    : message
}

const KIND_OF_DELTA: ReadonlyMap<unknown, string> = new Map([
  ['text_delta', 'text'],
  ['thinking_delta', 'thinking'],
])

function isProse(kind: string | undefined): boolean {
  return kind === 'text' || kind === 'thinking'
}

function numbered(event: JsonObject, { index }: Block): JsonObject {
  return event['index'] === index ? event : { ...event, index }
}

function begin({ index, kind }: Block): JsonObject {
  const block = kind === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' }
  return { type: 'content_block_start', index, content_block: block }
}

function end(block: Block): JsonObject {
  block.isOpen = false
  return { type: 'content_block_stop', index: block.index }
}
