/** A conversation that is summarized: under way, done with its summary, or failed. */
import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable'
import { NOTICES } from '../../protocol/shown/vocabulary.js'
import type { AcpClientAbilities } from '../acp-client.js'
import { textContent } from './tool-content.js'

export class CompactionTracker {
  readonly #client: AcpClientAbilities
  #count = 0
  #open: string | undefined
  /** The next text of the user is the summary. */
  #awaitsSummary = false

  constructor(client: AcpClientAbilities) {
    this.#client = client
  }

  begins(): SessionUpdate[] {
    if (this.#open !== undefined) return []
    this.#count += 1
    this.#open = `compaction-${this.#count}`
    if (this.#client.compaction)
      return [{ sessionUpdate: 'compaction_update', compactionId: this.#open, status: 'in_progress' }]
    const shown = { title: NOTICES.compacting, kind: 'think' as const, status: 'in_progress' as const }
    return [{ sessionUpdate: 'tool_call', toolCallId: this.#open, ...shown }]
  }

  boundary(): SessionUpdate[] {
    const updates = this.begins()
    this.#awaitsSummary = true
    return updates
  }

  /** Undefined: it is no summary. */
  summary(summary: string): SessionUpdate[] | undefined {
    if (!this.#awaitsSummary) return undefined
    this.#awaitsSummary = false
    const id = this.#open ?? ''
    this.#open = undefined
    if (!this.#client.compaction)
      return [
        { sessionUpdate: 'tool_call_update', toolCallId: id, status: 'completed', content: [textContent(summary)] },
      ]
    return [
      { sessionUpdate: 'compaction_summary_chunk', compactionId: id, content: { type: 'text', text: summary } },
      { sessionUpdate: 'compaction_update', compactionId: id, status: 'completed' },
    ]
  }

  /** It did not come to a summary. */
  fails(reason: string): SessionUpdate[] {
    const id = this.#open
    if (id === undefined) return []
    this.#open = undefined
    this.#awaitsSummary = false
    return this.#client.compaction
      ? [{ sessionUpdate: 'compaction_update', compactionId: id, status: 'failed', error: reason }]
      : [{ sessionUpdate: 'tool_call_update', toolCallId: id, status: 'failed', content: [textContent(reason)] }]
  }
}
