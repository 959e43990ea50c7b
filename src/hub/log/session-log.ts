/**
 * The log of one session: numbers entries, writes them down before any reader sees them, and lets any number of readers
 * follow.
 */

import type {
  Delta,
  EntryBody,
  LogEntry,
  LogItem,
  SdkDeltaMessage,
  SerializedLogEntry,
} from '../../protocol/session-log/entries.js'
import { applyEntry, type SessionState } from '../session-state.js'
import type { HubStore, LogWriter } from './log-store.js'
import { UnfinishedDeltas } from './open-deltas.js'
import { WriteQueue } from './write-queue.js'

/** Number of recent items kept for readers. A reader further behind reads from the store, without deltas. */
const WINDOW = 1000

const NOWHERE = Number.POSITIVE_INFINITY

export type SessionLogPorts = {
  session: string
  store: HubStore
  writer: LogWriter
  /** The state that the entries so far add up to; grows with each new entry. */
  state: SessionState
  now(): number
  /** These are on disk now. */
  onStored?: ((entries: readonly LogEntry[]) => void) | undefined
  /** The store takes no more entries. Once. */
  onBroken(error: Error): void
}

export type LogReadOptions = {
  /** Begins after the entry with this number. Default: 0, the beginning. */
  after?: number
  /** Ends the reading. */
  signal?: AbortSignal
  /** Also yields the pieces of what is unfinished. Default: true. */
  deltas?: boolean
}

export class SessionLog {
  readonly #ports: SessionLogPorts
  readonly #open = new UnfinishedDeltas()
  #last: number
  /** The last entry that is on disk. */
  #stored: number
  /** Entries, with the deltas that came between. */
  readonly #writes: WriteQueue<LogItem>
  #ended = false
  #window: LogItem[] = []
  /** How many items came before the first in the window. */
  #windowStart = 0
  /** Each reader's position among the items. Readers from the store have no position. */
  readonly #readers = new Set<{ at: number }>()
  #wake: (() => void)[] = []

  constructor(ports: SessionLogPorts) {
    this.#ports = ports
    this.#last = ports.writer.last
    this.#stored = this.#last
    this.#writes = new WriteQueue(
      (items) => this.#write(items),
      (error) => {
        this.#wakeAll()
        ports.onBroken(error)
      },
    )
  }

  /** Whether a reader follows it. */
  get isRead(): boolean {
    return this.#readers.size > 0
  }

  /** The number of the last entry. */
  get last(): number {
    return this.#last
  }

  /** The number of the new entry. It is on disk when `flushed()` resolves. */
  add(body: EntryBody): number {
    const { state, session, now } = this.#ports
    this.#last += 1
    const entry: LogEntry = { session, seq: this.#last, at: new Date(now()).toISOString(), ...body }
    applyEntry(state, entry)
    if (entry.kind === 'message') this.#open.finish(entry.data)
    this.#writes.add(entry)
    return entry.seq
  }

  addDelta(data: SdkDeltaMessage): void {
    const { session, now } = this.#ports
    const at = new Date(now()).toISOString()
    const delta: Delta = { session, seq: this.#last, at, kind: 'delta', data }
    this.#open.add(delta)
    if (this.#writes.isWriting) this.#writes.add(delta)
    else this.#tell([delta])
  }

  /** Resolves when all that was added is on disk; rejects when that can't be. */
  flushed(): Promise<void> {
    return this.#writes.flushed()
  }

  /** Entries after a number, then what comes; ends with the signal or with the log. */
  async *read(options: LogReadOptions = {}): AsyncGenerator<LogItem, void> {
    for await (const items of this.readSome(options)) {
      for (const item of items) {
        yield item
        if (options.signal?.aborted) return
      }
    }
  }

  /** Like `read`, in batches of all available items: for code that forwards them to many readers. */
  readSome(options: LogReadOptions = {}): AsyncGenerator<readonly LogItem[], void> {
    const { store, session } = this.#ports
    return this.#items(options, (after) => store.read(session, after))
  }

  /** The same, of old entries only the text where that is less work. */
  readTexts(options: LogReadOptions = {}): AsyncGenerator<readonly (LogItem | SerializedLogEntry)[], void> {
    const { store, session } = this.#ports
    return this.#items<LogItem | SerializedLogEntry>(options, (after) =>
      (store.readTexts ?? store.read)(session, after),
    )
  }

  async *#items<T extends { seq: number }>(
    { after = 0, signal, deltas = true }: LogReadOptions,
    stored: (after: number) => AsyncIterable<readonly T[]>,
  ): AsyncGenerator<readonly (LogItem | T)[], void> {
    const wake = () => this.#wakeAll()
    signal?.addEventListener('abort', wake, { once: true })
    const place = { at: NOWHERE }
    this.#readers.add(place)
    try {
      let seq = after
      while (!signal?.aborted) {
        place.at = NOWHERE
        for await (const entries of this.#history(seq, stored)) {
          seq = entries.at(-1)?.seq ?? seq
          yield entries
          if (signal?.aborted) return
        }
        place.at = this.#windowStart + this.#window.length
        // Something was stored while the last entry was handed over.
        if (seq < this.#stored) continue
        const open = deltas ? this.#open.after(seq) : []
        if (open.length > 0) yield open
        // Out of the window: the reader was too slow for deltas.
        while (place.at >= this.#windowStart) {
          const fresh = this.#window.slice(place.at - this.#windowStart)
          if (fresh.length === 0) {
            if (this.#writes.broken) throw this.#writes.broken
            if (this.#ended || signal?.aborted) return
            await new Promise<void>((resolve) => this.#wake.push(resolve))
            continue
          }
          place.at += fresh.length
          const last = seq
          const wanted = fresh.filter((item) => (item.kind === 'delta' ? deltas && item.seq >= last : item.seq > last))
          seq = Math.max(seq, fresh.findLast(({ kind }) => kind !== 'delta')?.seq ?? 0)
          if (wanted.length > 0) yield wanted
        }
      }
    } finally {
      this.#readers.delete(place)
      signal?.removeEventListener('abort', wake)
      this.#forgetTaken()
    }
  }

  /** No more entries: readers get what there is, and end. */
  async end(): Promise<void> {
    await this.flushed().catch(() => {})
    this.#ended = true
    this.#open.clear()
    this.#wakeAll()
  }

  /** From the store, up to the last entry that is there when it is done. */
  async *#history<T extends { seq: number }>(
    after: number,
    read: (after: number) => AsyncIterable<readonly T[]>,
  ): AsyncGenerator<readonly T[], void> {
    const { session } = this.#ports
    let seq = after
    while (seq < this.#stored) {
      const from = seq
      for await (const entries of read(seq)) {
        // What is being written this moment comes with the window.
        const stored =
          (entries.at(-1)?.seq ?? 0) <= this.#stored ? entries : entries.filter((one) => one.seq <= this.#stored)
        seq = stored.at(-1)?.seq ?? seq
        if (stored.length > 0) yield stored
        if (stored.length < entries.length) return
      }
      // The store has lost what it had taken.
      if (seq === from) throw new Error(`The log of session ${session} ends at ${seq}, before ${this.#stored}.`)
    }
  }

  async #write(items: LogItem[]): Promise<void> {
    const { writer, onStored } = this.#ports
    const entries = items.filter((item): item is LogEntry => item.kind !== 'delta')
    if (entries.length > 0) await writer.append(entries)
    this.#stored = entries.at(-1)?.seq ?? this.#stored
    onStored?.(entries)
    this.#tell(items)
  }

  #tell(items: readonly LogItem[]): void {
    this.#forgetTaken()
    if (this.#readers.size === 0) {
      this.#windowStart += items.length
      return
    }
    this.#window.push(...items)
    const excess = this.#window.length - WINDOW
    // Not one by one: moving the rest takes as long for one as for many.
    if (excess >= WINDOW / 2) this.#drop(excess)
    this.#wakeAll()
  }

  /** Drops the items that every reader has. */
  #forgetTaken(): void {
    const end = this.#windowStart + this.#window.length
    for (const { at } of this.#readers) if (at < end) return
    this.#drop(this.#window.length)
  }

  #drop(count: number): void {
    this.#window.splice(0, count)
    this.#windowStart += count
  }

  #wakeAll(): void {
    const due = this.#wake
    this.#wake = []
    for (const resolve of due) resolve()
  }
}
