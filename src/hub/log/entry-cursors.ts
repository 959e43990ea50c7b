/** Entries of many sessions, each session's in order. A read that was begun is continued, not started over. */
import type { LogEntry } from '../../protocol/session-log/entries.js'
import type { HubStore } from './log-store.js'

/** Each holds a file open. */
const MOST = 32

type Cursor = { next: number; entries: Iterator<LogEntry>; pages: AsyncIterator<readonly LogEntry[]> }

export class SequentialEntryReader {
  readonly #store: Pick<HubStore, 'read'>
  /** The one used last is last. */
  readonly #cursors = new Map<string, Cursor>()

  constructor(store: Pick<HubStore, 'read'>) {
    this.#store = store
  }

  /** Undefined when it is not there any more. */
  async entry(session: string, seq: number): Promise<LogEntry | undefined> {
    let cursor = this.#cursors.get(session)
    this.#cursors.delete(session)
    if (cursor && cursor.next !== seq) {
      await cursor.pages.return?.()
      cursor = undefined
    }
    const found = cursor ? await next(cursor) : undefined
    if (found && cursor) return this.#keep(session, cursor, found)
    // New, or at the end of what there was when it was opened.
    const fresh = { next: seq, entries: [][Symbol.iterator](), pages: this.#pages(session, seq - 1) }
    const entry = await next(fresh)
    return entry && this.#keep(session, fresh, entry)
  }

  async close(): Promise<void> {
    for (const { pages } of this.#cursors.values()) await pages.return?.()
    this.#cursors.clear()
  }

  async #keep(session: string, cursor: Cursor, entry: LogEntry): Promise<LogEntry> {
    cursor.next = entry.seq + 1
    this.#cursors.set(session, cursor)
    if (this.#cursors.size > MOST) {
      const [[oldest, { pages }] = ['', cursor]] = this.#cursors
      this.#cursors.delete(oldest)
      await pages.return?.()
    }
    return entry
  }

  #pages(session: string, after: number): AsyncIterator<readonly LogEntry[]> {
    return this.#store.read(session, after)[Symbol.asyncIterator]()
  }
}

async function next(cursor: Cursor): Promise<LogEntry | undefined> {
  for (;;) {
    const entry = cursor.entries.next()
    if (!entry.done) return entry.value
    const page = await cursor.pages.next()
    if (page.done) return undefined
    cursor.entries = page.value[Symbol.iterator]()
  }
}
