/** The deltas of what isn't finished yet, for readers who join in the middle. */
import type { SDKMessage, SDKPartialAssistantMessage } from '../../protocol/messages.js'
import type { Delta } from '../../protocol/session-log/entries.js'

/** Maximum pieces kept of one command's output; the oldest are dropped first. */
const MAX_PIECES = 200

export class UnfinishedDeltas {
  /** Streams by speaker: the main thread, a sub-agent, a command. In the order they began. */
  readonly #streams = new Map<string, Delta[]>()

  add(delta: Delta): void {
    const { data } = delta
    if (data.type === 'tool_progress') {
      this.#addOutput(data.tool_use_id, delta)
      return
    }
    const speaker = speakerOf(data)
    if (data.event.type === 'message_start') this.#streams.set(speaker, [delta])
    else this.#streams.get(speaker)?.push(delta)
  }

  /** What this message finishes needs no deltas any more. */
  finish(message: SDKMessage): void {
    if (message.type === 'result') this.#streams.clear()
    if (message.type === 'assistant') {
      const speaker = speakerOf(message)
      const [start] = this.#streams.get(speaker) ?? []
      // Blocks come one after another, each with a message of its own when it is complete.
      if (start) this.#streams.set(speaker, [start])
    }
    if (message.type !== 'user' || typeof message.message.content === 'string') return
    for (const block of message.message.content) {
      if (block.type === 'tool_result') this.#streams.delete(outputOf(block.tool_use_id))
    }
  }

  /** As they came, stamped as following the entry with this number. */
  after(seq: number): Delta[] {
    return [...this.#streams.values()].flat().map((delta) => ({ ...delta, seq }))
  }

  clear(): void {
    this.#streams.clear()
  }

  #addOutput(toolUseId: string, delta: Delta): void {
    const key = outputOf(toolUseId)
    const pieces = this.#streams.get(key) ?? []
    pieces.push(delta)
    if (pieces.length > MAX_PIECES) pieces.shift()
    this.#streams.set(key, pieces)
  }
}

function speakerOf({ parent_tool_use_id }: Pick<SDKPartialAssistantMessage, 'parent_tool_use_id'>): string {
  return `says ${parent_tool_use_id ?? ''}`
}

function outputOf(toolUseId: string): string {
  return `prints ${toolUseId}`
}
