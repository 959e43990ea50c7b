/** The conversation of a session as messages of the AI SDK: what a page begins with. */
import { isObject, type JsonObject, textOrEmpty } from '../../../protocol/json.js'
import type { PromptItem, ViewItem, ViewSnapshot } from '../../public-client.js'
import { isFromTranscript, TurnReader } from '../turn-reader.js'
import { partsOfChunks, type UiPart } from './chunk-fold.js'
import { ChunkWriter, messageIdOfTurn } from './chunk-writer.js'

type UiMessageFields = { id: string; role: 'user' | 'assistant'; parts: UiPart[]; metadata?: unknown }

/**
 * Returns the conversation so far. `M` is the message type of your page. The last message is that of the turn under way,
 * if there is one; `useChat({ resume: true })` continues it.
 */
export function toUIMessages<M = UiMessageFields>(value: ViewSnapshot): M[] {
  const messages: UiMessageFields[] = []
  for (const turn of turnsOf(value.items)) {
    if (turn.prompt) messages.push(userMessage(turn.prompt))
    const reader = new TurnReader({ prompt: turn.prompt?.id, isWhole: true })
    const writer = new ChunkWriter(reader, { prompt: turn.prompt?.id })
    const current = { ...value, items: turn.items, connection: 'live' as const, error: undefined }
    const { parts, metadata } = partsOfChunks(writer.write(reader.read(current)))
    if (parts.every(({ type }) => type === 'step-start')) continue
    const id = messageIdOfTurn(turn.prompt?.id ?? `after-${turn.before}`)
    messages.push({ id, role: 'assistant', parts, ...(metadata === undefined ? {} : { metadata }) })
  }
  // By the AI SDK's definition of parts, which the caller names.
  return messages as M[]
}

type Turn = { prompt: PromptItem | undefined; before: string; items: ViewItem[] }

/** A turn begins with a prompt, unless it joined the turn before; and after the end of another. */
function turnsOf(items: readonly ViewItem[]): Turn[] {
  const turns: Turn[] = []
  let current: Turn | undefined
  let before = ''
  for (const item of items) {
    const isNext =
      item.kind === 'prompt' && (!current?.prompt || current.prompt.end === 'interrupted' || isFromTranscript(item))
    if (!current || isNext) {
      current = { prompt: item.kind === 'prompt' ? item : undefined, before, items: [] }
      turns.push(current)
    }
    current.items.push(item)
    before = item.key
    if (item.kind === 'turn') current = undefined
  }
  return turns
}

function userMessage({ id, content }: PromptItem): UiMessageFields {
  if (typeof content === 'string') return { id, role: 'user', parts: [{ type: 'text', text: content }] }
  const parts = content.map((block): UiPart => {
    if (block.type === 'text') return { type: 'text', text: block.text }
    const source: JsonObject = 'source' in block && isObject(block.source) ? block.source : {}
    const { media_type: mediaType = 'application/octet-stream', data, url } = source
    const address = typeof data === 'string' ? `data:${textOrEmpty(mediaType)};base64,${data}` : textOrEmpty(url)
    return address === '' ? { type: 'text', text: `[${block.type}]` } : { type: 'file', mediaType, url: address }
  })
  return { id, role: 'user', parts }
}
