/** One numbered stream over all sessions: a log whose entries only name the next entry and its session. */

import type { EntryBody, LogEntry } from '../../protocol/session-log/entries.js'
import { emptySessionState } from '../session-state.js'
import { SequentialEntryReader } from './entry-cursors.js'
import type { HubStore } from './log-store.js'
import { type LogReadOptions, SessionLog } from './session-log.js'

/** The name its log has in the store, where sessions have their ids. */
export const FEED_LOG_NAME = 'all'

/** An entry of a session, with its number among the entries of all sessions. */
export type NumberedFeedEntry = LogEntry & {
  /** Its number in `read('all')`. */
  all: number
}

type Pointer = { session: string; seq: number; at: string }

export type FeedPorts = { store: HubStore; now(): number }

/** Number of recent entries kept in memory for readers that keep up. */
const RECENT = 1000

export class AllSessionsFeed {
  readonly #store: HubStore
  readonly #log: SessionLog
  /** The last entry of each session that has a number here. */
  readonly #pointed: Map<string, number>
  readonly #recent = new Map<string, LogEntry>()
  #readers = 0
  readonly #release: () => Promise<void>

  private constructor(store: HubStore, log: SessionLog, pointed: Map<string, number>, release: () => Promise<void>) {
    this.#store = store
    this.#log = log
    this.#pointed = pointed
    this.#release = release
  }

  /** One process at a time has it: rejects with `session_in_use`. Entries that a killed process left without a number get one. */
  static async open({ store, now }: FeedPorts): Promise<AllSessionsFeed> {
    const writer = await store.open({ session: FEED_LOG_NAME, cwd: '' })
    const pointed = new Map<string, number>()
    for await (const entries of store.read(FEED_LOG_NAME, 0)) {
      for (const entry of entries) {
        const pointer = pointerOf(entry)
        if (pointer) pointed.set(pointer.session, pointer.seq)
      }
    }
    const log = new SessionLog({
      session: FEED_LOG_NAME,
      store,
      writer,
      state: emptySessionState(),
      now,
      onBroken() {},
    })
    const feed = new AllSessionsFeed(store, log, pointed, () => writer.release())
    for (const { session, summary } of await store.list()) {
      if (summary?.final && summary.seq === pointed.get(session)) continue
      await feed.catchUp(session)
    }
    return feed
  }

  /** Number of the last entry. */
  get last(): number {
    return this.#log.last
  }

  /**
   * Numbers entries of other writers, and entries written while the stream was closed. Called before the session's log
   * is written to.
   */
  async catchUp(session: string): Promise<void> {
    const from = this.#pointed.get(session) ?? 0
    for await (const entries of this.#store.read(session, from)) this.note(entries)
  }

  /** These were written, in this order. Where some are missing before them, they are read first. */
  note(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      const { session, seq, at } = entry
      const last = this.#pointed.get(session) ?? 0
      if (seq <= last) continue
      if (seq > last + 1) return void this.catchUp(session).catch(() => {})
      this.#pointed.set(session, seq)
      if (this.#readers > 0) this.#keep(entry)
      // The log keeps any entry, and only this class reads this one.
      this.#log.add({ kind: 'pointer', data: { session, seq, at } } as unknown as EntryBody)
    }
  }

  forget(session: string): void {
    this.#pointed.delete(session)
  }

  /** Everything after a number, then what comes. What belonged to a session that was deleted is left out. */
  async *read({ after = 0, signal }: Omit<LogReadOptions, 'deltas'> = {}): AsyncGenerator<NumberedFeedEntry, void> {
    const cursors = new SequentialEntryReader(this.#store)
    this.#readers += 1
    try {
      for await (const item of this.#log.read({ after, deltas: false, ...(signal ? { signal } : {}) })) {
        const pointer = pointerOf(item)
        if (!pointer) continue
        const { session, seq, at } = pointer
        const entry = this.#recent.get(`${session} ${seq}`) ?? (await cursors.entry(session, seq))
        // Differs if the session was deleted, and created again under the same id.
        if (entry?.at === at) yield { ...entry, all: item.seq }
      }
    } finally {
      this.#readers -= 1
      if (this.#readers === 0) this.#recent.clear()
      await cursors.close()
    }
  }

  async end(): Promise<void> {
    await this.#log.end()
    await this.#release()
  }

  #keep(entry: LogEntry): void {
    this.#recent.set(`${entry.session} ${entry.seq}`, entry)
    if (this.#recent.size <= RECENT) return
    const [oldest = ''] = this.#recent.keys()
    this.#recent.delete(oldest)
  }
}

/** Undefined if the line was damaged. */
function pointerOf({ data }: { data: unknown }): Pointer | undefined {
  const pointer = data as Partial<Pointer> // written by `note`
  return typeof pointer.session === 'string' ? (pointer as Pointer) : undefined // it has them all
}
