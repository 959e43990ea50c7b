/** The log of a session as its worker writes it: in order, fenced, deltas apart. */
import type { Delta, EntryBody, SdkDeltaMessage } from '../../hub/log/entries.js'
import { toError } from '../../protocol/thrown.js'
import type { LogEntryWriter, SessionEpoch } from '../runs/fenced-events.js'

export type RunLogPorts = {
  place: SessionEpoch
  writer: LogEntryWriter
  addDelta(delta: Delta): void
  /** Nothing more of this session will be taken. Once. */
  onLost(error: Error): void
}

export class RunLog {
  readonly #ports: RunLogPorts
  #last = 0
  #pending: EntryBody[] = []
  #writing: Promise<void> | undefined
  #lost: Error | undefined

  constructor(ports: RunLogPorts) {
    this.#ports = ports
  }

  add(body: EntryBody): void {
    if (this.#lost) return
    this.#pending.push(body)
    this.#writing ??= this.#write()
  }

  /** Adds a delta for live readers. */
  addDelta(data: SdkDeltaMessage): void {
    const { place, addDelta } = this.#ports
    addDelta({ session: place.session, seq: this.#last, at: new Date().toISOString(), kind: 'delta', data })
  }

  /** Resolves when all entries so far are written. Rejects if another worker has the session. */
  async flushed(): Promise<void> {
    while (this.#writing) await this.#writing
    if (this.#lost) throw this.#lost
  }

  async #write(): Promise<void> {
    const { place, writer, onLost } = this.#ports
    // A tick later: what is added together is written together.
    await Promise.resolve()
    try {
      while (this.#pending.length > 0) {
        const bodies = this.#pending
        this.#pending = []
        this.#last = await writer.add(place, bodies)
      }
    } catch (error) {
      this.#lost = toError(error)
      this.#pending = []
      onLost(this.#lost)
    }
    this.#writing = undefined
  }
}
