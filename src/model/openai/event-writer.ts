/** Writes Messages events for an answer that comes in other words: one prose block at a time, any number of calls beside it. */
import type { JsonObject } from '../../protocol/json.js'

export type ResponseUsage = {
  input_tokens: number
  cache_read_input_tokens: number
  cache_creation_input_tokens: number
  output_tokens: number
}

export interface StreamEventWriter {
  /** Once; further ones change nothing. */
  begin(id: unknown, model: unknown): void
  prose(kind: 'text' | 'thinking', delta: string): void
  /** Ends the thinking that is open, with what is to be given back; without any it is a block of its own. */
  sign(kept: string): void
  endProse(): void
  /** `key`: any value that tells this call from the others. */
  call(key: unknown, id: string, name: string): void
  hasCall(key: unknown): boolean
  argument(key: unknown, json: string): void
  /** Characters of input so far. */
  argumentLength(key: unknown): number
  endCall(key: unknown): void
  hasCalls(): boolean
  hasContent(): boolean
  error(type: string, message: string): void
  finish(stopReason: string, usage: ResponseUsage | undefined): void
  isFinished(): boolean
  /** The events since the last time. */
  take(): JsonObject[]
}

type Call = { index: number; length: number; isOpen: boolean }

/** `signatureOf`: what thinking is signed with that ends because something else begins. */
export function createStreamEventWriter(signatureOf: () => string): StreamEventWriter {
  let events: JsonObject[] = []
  let next = 0
  let begun = false
  let finished = false
  let prose: { kind: 'text' | 'thinking'; index: number } | undefined
  const calls = new Map<unknown, Call>()

  const start = (content_block: JsonObject): number => {
    events.push({ type: 'content_block_start', index: next, content_block })
    next += 1
    return next - 1
  }
  const delta = (index: number, change: JsonObject) =>
    void events.push({ type: 'content_block_delta', index, delta: change })
  const stop = (index: number) => void events.push({ type: 'content_block_stop', index })

  function closeProse(signature: () => string): void {
    if (!prose) return
    if (prose.kind === 'thinking') delta(prose.index, { type: 'signature_delta', signature: signature() })
    stop(prose.index)
    prose = undefined
  }

  function endCall(key: unknown): void {
    const call = calls.get(key)
    if (!call?.isOpen) return
    call.isOpen = false
    stop(call.index)
  }

  return {
    begin(id, model) {
      if (begun) return
      begun = true
      const usage = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 }
      const message = { id, type: 'message', role: 'assistant', model, content: [], usage }
      events.push({ type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } })
    },
    prose(kind, text) {
      if (text === '') return
      if (prose?.kind !== kind) {
        closeProse(signatureOf)
        const block = kind === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' }
        prose = { kind, index: start(block) }
      }
      delta(prose.index, kind === 'text' ? { type: 'text_delta', text } : { type: 'thinking_delta', thinking: text })
    },
    sign(kept) {
      if (prose?.kind === 'thinking') {
        closeProse(() => kept)
        return
      }
      closeProse(signatureOf)
      stop(start({ type: 'redacted_thinking', data: kept }))
    },
    endProse: () => closeProse(signatureOf),
    call(key, id, name) {
      closeProse(signatureOf)
      calls.set(key, { index: start({ type: 'tool_use', id, name, input: {} }), length: 0, isOpen: true })
    },
    hasCall: (key) => calls.has(key),
    argument(key, json) {
      const call = calls.get(key)
      if (!call?.isOpen || json === '') return
      call.length += json.length
      delta(call.index, { type: 'input_json_delta', partial_json: json })
    },
    argumentLength: (key) => calls.get(key)?.length ?? 0,
    endCall,
    hasCalls: () => calls.size > 0,
    hasContent: () => next > 0,
    error(type, message) {
      finished = true
      events.push({ type: 'error', error: { type, message } })
    },
    finish(stop_reason, usage) {
      if (finished) return
      finished = true
      closeProse(signatureOf)
      for (const key of calls.keys()) endCall(key)
      events.push({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, ...(usage && { usage }) })
      events.push({ type: 'message_stop' })
    },
    isFinished: () => finished,
    take() {
      const taken = events
      events = []
      return taken
    },
  }
}
