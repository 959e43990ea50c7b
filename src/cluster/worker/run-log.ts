/** The log of a session as its worker writes it: in order, fenced, deltas apart. */

import { WriteQueue } from '../../hub/log/write-queue.js'
import type { Delta, EntryBody, SdkDeltaMessage } from '../../protocol/session-log/entries.js'
import type { LogEntryWriter, SessionEpoch } from '../runs/fenced-log-entries.js'

export type RunLogPorts = {
  place: SessionEpoch
  writer: LogEntryWriter
  addDelta(delta: Delta): void
  /** Nothing more of this session will be taken. Once. */
  onLost(error: Error): void
}

export class RunLog {
  readonly #ports: RunLogPorts
  readonly #writes: WriteQueue<EntryBody>
  #last = 0

  constructor(ports: RunLogPorts) {
    this.#ports = ports
    const { place, writer, onLost } = ports
    this.#writes = new WriteQueue(async (bodies) => {
      this.#last = await writer.add(place, bodies)
    }, onLost)
  }

  add(body: EntryBody): void {
    this.#writes.add(body)
  }

  /** Adds a delta for live readers. */
  addDelta(data: SdkDeltaMessage): void {
    const { place, addDelta } = this.#ports
    addDelta({ session: place.session, seq: this.#last, at: new Date().toISOString(), kind: 'delta', data })
  }

  /** Resolves when all entries so far are written. Rejects if another worker has the session. */
  flushed(): Promise<void> {
    return this.#writes.flushed()
  }
}
