/** What one speaker (the main thread, a sub-agent) says, as it streams: each word is passed on once, however often it comes. */
import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable'
import type { ContentBlock, RawStreamEvent } from '../../protocol/content.js'
import { GrowingInput } from './growing-input.js'

/** A block that streamed: `sent` characters of it were passed on; `at` is where its stream is, which may begin again. */
type StreamedBlock = { type: string; sent: number; at: number; isWhole: boolean; id?: string; input?: GrowingInput }

/** What a stream says of a call: it begins (`input` undefined), or more of its input is known. */
export type StreamedCall = { call: { id: string; name: string }; input?: Record<string, unknown> }
export type StreamedUpdateOrCall = { update: SessionUpdate } | StreamedCall

export class SpeechUpdates {
  #message = ''
  #blocks = new Map<number, StreamedBlock>()
  readonly #names = new Map<string, string>()
  /** The last text it said as a whole. */
  latest = ''

  stream(event: RawStreamEvent): StreamedUpdateOrCall[] {
    switch (event.type) {
      case 'message_start':
        this.#begin(event.message.id)
        return []
      case 'content_block_start':
        return this.#start(event.index, event.content_block)
      case 'content_block_delta': {
        const { delta } = event
        const block = this.#blocks.get(event.index)
        if (!block) return []
        if (delta.type === 'text_delta') return this.#more(block, delta.text)
        if (delta.type === 'thinking_delta') return this.#more(block, delta.thinking)
        return delta.type === 'input_json_delta' ? this.#moreInput(block, delta.partial_json) : []
      }
      default:
        return []
    }
  }

  /** Returns the part of a whole block that wasn't sent yet. Calls are reported by the caller. */
  whole(message: string, block: ContentBlock): SessionUpdate[] {
    if (message !== this.#message) this.#begin(message)
    const streamed = [...this.#blocks.values()].find(({ type, isWhole }) => type === block.type && !isWhole)
    if (streamed) streamed.isWhole = true
    if (block.type === 'text') this.latest = block.text
    if (block.type === 'text') return this.#chunks(block.type, block.text.slice(streamed?.sent ?? 0))
    if (block.type === 'thinking') return this.#chunks(block.type, block.thinking.slice(streamed?.sent ?? 0))
    return block.type === 'redacted_thinking' && !streamed ? [this.#redacted()] : []
  }

  /** The same message can begin again, for a reader who fell behind. */
  #begin(message: string): void {
    if (message === this.#message) {
      for (const block of this.#blocks.values()) block.at = 0
      return
    }
    this.#message = message
    this.#blocks.clear()
    this.#names.clear()
  }

  #start(index: number, block: ContentBlock): StreamedUpdateOrCall[] {
    const isNew = !this.#blocks.has(index)
    if (!isNew) return []
    const streamed: StreamedBlock = { type: block.type, sent: 0, at: 0, isWhole: false }
    this.#blocks.set(index, streamed)
    if (block.type === 'redacted_thinking') return [{ update: this.#redacted() }]
    if (block.type === 'text') return this.#more(streamed, block.text)
    if (block.type !== 'tool_use') return []
    streamed.id = block.id
    streamed.input = new GrowingInput()
    this.#names.set(block.id, block.name)
    return [{ call: { id: block.id, name: block.name } }]
  }

  #more(block: StreamedBlock, piece: string): StreamedUpdateOrCall[] {
    block.at += piece.length
    if (block.at <= block.sent) return []
    const news = piece.slice(piece.length - (block.at - block.sent))
    block.sent = block.at
    return this.#chunks(block.type, news).map((update) => ({ update }))
  }

  #moreInput(block: StreamedBlock, piece: string): StreamedUpdateOrCall[] {
    block.at += piece.length
    if (block.at <= block.sent || block.id === undefined) return []
    const news = piece.slice(piece.length - (block.at - block.sent))
    block.sent = block.at
    const input = block.input?.add(news)
    return input ? [{ call: { id: block.id, name: this.#names.get(block.id) ?? '' }, input }] : []
  }

  #chunks(type: string, text: string): SessionUpdate[] {
    if (text === '') return []
    const sessionUpdate = type === 'text' ? 'agent_message_chunk' : 'agent_thought_chunk'
    return [{ sessionUpdate, content: { type: 'text', text }, messageId: this.#message }]
  }

  /** Reports that there is redacted thinking; its content stays with the API. */
  #redacted(): SessionUpdate {
    const content = { type: 'text' as const, text: '' }
    return {
      sessionUpdate: 'agent_thought_chunk',
      content,
      messageId: this.#message,
      _meta: { kedge: { redacted: true } },
    }
  }
}
