/** Entries of a session's log as a server sends them, numbered, for those who fold them. */
import type { LogEntry, LogItem } from '../../src/protocol/session-log/entries.js'

export const AT = '2026-11-18T10:00:00.000Z'
export const later = (ms: number) => new Date(Date.parse(AT) + ms).toISOString()

const USAGE = {
  input_tokens: 100,
  output_tokens: 10,
  cache_read_input_tokens: 40,
  cache_creation_input_tokens: 5,
}

/** `parent`: the call whose sub-agent says it. `message`: the id of the model's message. */
type Of = { parent?: string; at?: string; error?: string; message?: string }

export class LogMaker {
  #seq = 0
  /** Of the block that streams. */
  #index = -1

  #entry(kind: string, data: object, at = AT): LogItem {
    this.#seq += 1
    return { session: 's1', seq: this.#seq, at, kind, data } as unknown as LogEntry // the fold reads no more of it
  }

  message(data: object, at?: string): LogItem {
    return this.#entry('message', data, at)
  }

  said(content: object[], { parent, at, error, message: id = 'm1' }: Of = {}): LogItem {
    const message = { id, role: 'assistant', content, usage: USAGE }
    return this.message({ type: 'assistant', message, parent_tool_use_id: parent ?? null, uuid: 'u', error }, at)
  }

  text(text: string, of?: Of): LogItem {
    return this.said([{ type: 'text', text }], of)
  }

  call(id: string, name: string, input: object, of?: Of): LogItem {
    return this.said([{ type: 'tool_use', id, name, input }], of)
  }

  result(
    id: string,
    content: string,
    { isError = false, detail, ...of }: Of & { isError?: boolean; detail?: unknown } = {},
  ) {
    const block = { type: 'tool_result', tool_use_id: id, content, is_error: isError }
    const message = { role: 'user', content: [block] }
    const more = { parent_tool_use_id: of.parent ?? null, tool_use_result: detail, uuid: 'u' }
    return this.message({ type: 'user', message, ...more }, of.at)
  }

  told(content: string, parent?: string): LogItem {
    return this.message({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: parent ?? null })
  }

  system(subtype: string, more: object = {}): LogItem {
    return this.message({ type: 'system', subtype, ...more })
  }

  end(total: number, more: object = {}): LogItem {
    const modelUsage = { m: { contextWindow: 200_000 } }
    return this.message({ type: 'result', subtype: 'success', total_cost_usd: total, modelUsage, ...more })
  }

  prompt(data: object): LogItem {
    return this.#entry('prompt', data)
  }

  /** A prompt that was sent and begun. */
  begun(id: string, content: string): LogItem[] {
    return [
      this.prompt({ change: 'queued', prompt: { id, content, by: { id: 'p', name: 'Ada' } } }),
      this.prompt({ change: 'started', id, message: `uuid-${id}` }),
    ]
  }

  state(data: object): LogItem {
    return this.#entry('state', data)
  }

  /** `useId`: the call it is about. */
  ask(id: string, useId?: string, at = AT, more: object = {}): LogItem {
    const tool = useId === undefined ? {} : { tool: { name: 'Bash', input: {}, hash: 'h', useId } }
    return this.#entry('ask', { id, session: 's1', kind: 'permission', agent: [], since: at, ...tool, ...more }, at)
  }

  answered(ask: string, at = AT): LogItem {
    return this.#entry('answered', { ask, answer: { kind: 'allow' }, by: { id: 'p', name: 'Ada' } }, at)
  }

  withdrawn(ask: string, reason: string): LogItem {
    return this.#entry('withdrawn', { ask, reason })
  }

  answeredWith(ask: string, answer: object): LogItem {
    return this.#entry('answered', { ask, answer, by: { id: 'p', name: 'Ada' } })
  }

  stream(event: object, parent?: string): LogItem {
    return this.delta({ type: 'stream_event', parent_tool_use_id: parent ?? null, event })
  }

  /** A piece that is not in the log. */
  delta(data: object): LogItem {
    return { session: 's1', seq: this.#seq, at: AT, kind: 'delta', data } as unknown as LogItem
  }

  begins(block: object, parent?: string): LogItem {
    this.#index += 1
    return this.delta({
      type: 'stream_event',
      parent_tool_use_id: parent ?? null,
      event: { type: 'content_block_start', index: this.#index, content_block: block },
    })
  }

  piece(delta: object, parent?: string): LogItem {
    return this.delta({
      type: 'stream_event',
      parent_tool_use_id: parent ?? null,
      event: { type: 'content_block_delta', index: this.#index, delta },
    })
  }
}
