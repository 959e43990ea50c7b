/** Universal events of a session: a page of them, how many there are, or all of them and then what comes. */

import type { SessionLogs } from '../../hub/sessions.js'
import type { LogItem } from '../../protocol/session-log/entries.js'
import { estimateDeltaBytes, mergeDeltas } from '../events/merge-deltas.js'
import { HEARTBEAT_MS, packItems } from '../events/packets.js'
import type { UniversalEvent } from './universal-events.js'
import {
  newProjection,
  type ProjectionNames,
  type ProjectionState,
  projectDeltaToEvents,
  projectEntryToEvents,
} from './universal-projection.js'

/** Number of sessions whose reading position is remembered, so new events can be read without the old ones. */
const REMEMBERED = 200
const GAP_MS = 30

export type EventPage = { events: UniversalEvent[]; hasMore: boolean }
export type FollowEventOptions = {
  after: number
  includeRaw: boolean
  signal: AbortSignal
  /** The last entry that is wanted. */
  isLast?: (item: LogItem) => boolean
}

export class UniversalReader {
  readonly #hub: SessionLogs
  readonly #known = new Map<string, ProjectionState>()

  constructor(hub: SessionLogs) {
    this.#hub = hub
  }

  async page(names: ProjectionNames, offset: number, limit: number, includeRaw: boolean): Promise<EventPage> {
    const events: UniversalEvent[] = []
    for await (const event of this.#stored(names, offset)) {
      if (event.sequence <= offset) continue
      if (events.length === limit) return { events, hasMore: true }
      events.push(shown(event, includeRaw))
    }
    return { events, hasMore: false }
  }

  /** How many there are up to an entry. Nothing is opened for it. */
  async count(names: ProjectionNames, seq: number): Promise<number> {
    const state = this.#from(names.session, Number.MAX_SAFE_INTEGER)
    if (state.view.seq < seq)
      for await (const entries of this.#hub.stored(names.session, state.view.seq))
        for (const entry of entries) projectEntryToEvents(state, entry, names)
    this.#remember(names.session, state)
    return state.sequence
  }

  /** The number of the last event. */
  async last(names: ProjectionNames): Promise<number> {
    for await (const _ of this.#stored(names, Number.MAX_SAFE_INTEGER));
    return this.#known.get(names.session)?.sequence ?? 0
  }

  /** Server-sent events, as text. */
  async *follow(names: ProjectionNames, options: FollowEventOptions): AsyncGenerator<string, void> {
    const { after, includeRaw, signal, isLast = () => false } = options
    const state = this.#from(names.session, after)
    const eventsOf = (item: LogItem) =>
      item.kind === 'delta' ? projectDeltaToEvents(state, item, names) : projectEntryToEvents(state, item, names)
    const write = (items: readonly LogItem[]) =>
      mergeDeltas(items)
        .flatMap((item) => eventsOf(item).filter(({ sequence }) => item.kind === 'delta' || sequence > after))
        .map((event) => `id: ${event.sequence}\ndata: ${JSON.stringify(shown(event, includeRaw))}\n\n`)
        .join('')
    const source = this.#hub.readSome(names.session, { after: state.view.seq, signal })
    const texts = packItems(upTo(source, isLast), {
      write,
      mayWait: ({ kind }: LogItem) => kind === 'delta',
      heartbeat: ': still here\n\n',
      sizeOf: (item: LogItem) => (item.kind === 'delta' ? estimateDeltaBytes(item) : JSON.stringify(item).length),
      heartbeatMs: HEARTBEAT_MS,
      gapMs: GAP_MS,
      signal,
    })
    for await (const text of texts) if (text !== '') yield text
  }

  async *#stored(names: ProjectionNames, offset: number): AsyncGenerator<UniversalEvent, void> {
    const last = await this.#hub.last(names.session)
    const state = this.#from(names.session, offset)
    if (state.view.seq < last) {
      for await (const item of this.#hub.read(names.session, { after: state.view.seq, deltas: false })) {
        if (item.kind !== 'delta') yield* projectEntryToEvents(state, item, names)
        if (item.seq >= last) break
      }
    }
    this.#remember(names.session, state)
  }

  /** Returns a fresh state, at or before the event with this number. */
  #from(session: string, offset: number): ProjectionState {
    const known = this.#known.get(session)
    return known && known.sequence <= offset ? structuredClone(known) : newProjection()
  }

  #remember(session: string, state: ProjectionState): void {
    this.#known.delete(session)
    this.#known.set(session, state)
    const [oldest = ''] = this.#known.keys()
    if (this.#known.size > REMEMBERED) this.#known.delete(oldest)
  }
}

function shown({ raw, ...event }: UniversalEvent, includeRaw: boolean): UniversalEvent {
  return includeRaw ? { ...event, raw } : event
}

async function* upTo(source: AsyncGenerator<readonly LogItem[], void>, isLast: (item: LogItem) => boolean) {
  for await (const items of source) {
    const end = items.findIndex(isLast)
    yield end < 0 ? items : items.slice(0, end + 1)
    if (end >= 0) return
  }
}
