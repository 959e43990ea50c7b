/** What a session shows, always current: loads its log, follows its stream, and tells listeners what changed. */
import type { Ask } from '../hub/ask-types.js'
import type { LogEntry } from '../hub/log/entries.js'
import type { Prompt } from '../hub/prompt-types.js'
import { NO_FACTS } from '../hub/view/no-facts.js'
import type { ViewActivity, ViewChange, ViewFacts, ViewItem, ViewTask, ViewTodo } from '../hub/view/view-items.js'
import type { SessionView } from '../hub/view/view-state.js'
import { toError } from '../protocol/thrown.js'
import { ClientError, isFinalError } from './client-errors.js'
import type { CallOptions, ConnectionState, ReadOptions } from './client-types.js'
import type { FollowedItem } from './event-source.js'
import type { SessionHistory } from './session-api.js'
import { type Backoff, backoffDelay, waitOrWake } from './wait-and-wake.js'

/** What a session shows at a moment. A later one is another object; `items` is another list if items came or went. */
export type ViewSnapshot = {
  /** Everything in the conversation, in order. An item changes in place. */
  readonly items: readonly ViewItem[]
  /** Status, title, mode, model, cost, context. */
  readonly facts: ViewFacts
  /** Requests that wait for an answer. */
  readonly requests: readonly Ask[]
  /** Prompts that wait for their turn. */
  readonly waitingPrompts: readonly Prompt[]
  /** Sub-agents and work in the background. */
  readonly tasks: readonly ViewTask[]
  /** The agent's list of steps. */
  readonly todos: readonly ViewTodo[]
  /** MCP servers and hooks: what happened beside the conversation. */
  readonly activity: readonly ViewActivity[]
  /** Number of the last log entry in it. */
  readonly seq: number
  /** Whether everything is in it that was there when it was opened. */
  readonly isReady: boolean
  /** `ended`: the server rejects it, and `error` is why. Call `restart()` after that is fixed. */
  readonly connection: ConnectionState | 'ended'
  /** Why the connection is lost or ended. */
  readonly error: ClientError | Error | undefined
}

/** Called after each change. `changes` are those of items. */
export type ViewListener = (value: ViewSnapshot, changes: readonly ViewChange[]) => void

/** What a session shows, always current. It's connected while it has listeners. */
export type LiveView = {
  /** What the session shows now. */
  readonly value: ViewSnapshot
  /** Calls `listener` after each change. Returns what ends that. */
  subscribe(listener: ViewListener): () => void
  /** Resolves when `test` is true for the value, now or later. Rejects if the view ends first. */
  until(test: (value: ViewSnapshot) => boolean, options?: CallOptions): Promise<ViewSnapshot>
  /** Connects again after an error. */
  restart(): void
}

export type LiveViewPorts = {
  backoff: Backoff
  earlier(signal: AbortSignal): Promise<SessionHistory>
  log(after: number, signal: AbortSignal): Promise<{ entries: LogEntry[]; last: number }>
  follow(options: ReadOptions): AsyncGenerator<readonly FollowedItem[], void>
}

type ViewParts = typeof import('./view-parts.js')
type Connection = Pick<ViewSnapshot, 'isReady' | 'connection' | 'error'>

const EMPTY = {
  seq: 0,
  items: [],
  facts: NO_FACTS,
  openRequests: [],
  waitingPrompts: [],
  tasks: [],
  todos: [],
  activity: [],
}

export function createLiveView(ports: LiveViewPorts): LiveView {
  const listeners = new Set<ViewListener>()
  let view: SessionView | undefined
  let items: readonly ViewItem[] = []
  let connection: Connection = { isReady: false, connection: 'connecting', error: undefined }
  let value = snapshotOf(view, items, connection)
  let running: AbortController | undefined

  const tell = (changes: readonly ViewChange[]) => {
    if (changes.some(({ item, what }) => (what === 'added' || what === 'removed') && item.parent === ''))
      items = view ? [...view.items] : []
    value = snapshotOf(view, items, connection)
    for (const listener of [...listeners]) listener(value, changes)
  }
  const connected = (change: Partial<Connection>) => {
    connection = { ...connection, ...change }
    tell([])
  }

  const load = async (parts: ViewParts, signal: AbortSignal) => {
    if (!view) {
      const earlier = await ports.earlier(signal)
      view = parts.createSessionView()
      tell(parts.addTranscript(view, earlier))
    }
    for (const own = view; ; ) {
      const { entries, last } = await ports.log(own.seq, signal)
      tell(entries.flatMap((entry) => parts.applyToView(own, entry)))
      if (own.seq >= last || entries.length === 0) return own
    }
  }

  const follow = async (parts: ViewParts, own: SessionView, signal: AbortSignal) => {
    connected({ isReady: true })
    const stream = ports.follow({
      after: own.seq,
      signal,
      onState: (state, error) => connected({ connection: state, error }),
      onConnect: () => tell(parts.dropUnfinished(own)),
    })
    for await (const some of stream) {
      isForgotten = false
      tell(some.flatMap((item) => parts.applyToView(own, item)))
    }
  }

  /** The log is another one: an older state of the server was restored. */
  let isForgotten = false
  const forget = () => {
    isForgotten = true
    const gone = view?.items ?? []
    view = undefined
    connection = { ...connection, isReady: false }
    tell(gone.map((item) => ({ item, what: 'removed' })))
  }

  const run = async (signal: AbortSignal) => {
    for (let failures = 0; ; failures += 1) {
      try {
        const parts = await import('./view-parts.js')
        return await follow(parts, await load(parts, signal), signal)
      } catch (error) {
        if (signal.aborted) return
        const isAnother = error instanceof ClientError && error.code === 'after_unknown'
        // Twice in a row, the log and the stream contradict each other: what there is stays.
        if (isAnother && !isForgotten) forget()
        else if (!(error instanceof ClientError) || isFinalError(error))
          return connected({ connection: 'ended', error: toError(error) })
        else connected({ connection: 'lost', error })
        await waitOrWake(backoffDelay(ports.backoff, failures), signal).catch(() => {})
      }
    }
  }
  const start = () => {
    running?.abort()
    running = new AbortController()
    connection = { ...connection, connection: 'connecting', error: undefined }
    value = snapshotOf(view, items, connection)
    void run(running.signal)
  }

  const live: LiveView = {
    get value() {
      return value
    },
    subscribe(listener) {
      // The same function can listen twice.
      const own: ViewListener = (...given) => listener(...given)
      listeners.add(own)
      if (listeners.size === 1) start()
      return () => {
        if (listeners.delete(own) && listeners.size === 0) running?.abort()
      }
    },
    until: (test, options) => waitFor(live, test, options),
    restart() {
      if (listeners.size > 0) start()
    },
  }
  return live
}

function snapshotOf(view: SessionView | undefined, items: readonly ViewItem[], connection: Connection): ViewSnapshot {
  const { seq, facts, openRequests: requests, waitingPrompts, tasks, todos, activity } = view ?? EMPTY
  return { items, facts, requests, waitingPrompts, tasks, todos, activity, seq, ...connection }
}

function waitFor(
  view: LiveView,
  test: (value: ViewSnapshot) => boolean,
  { signal }: CallOptions = {},
): Promise<ViewSnapshot> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const end = (settle: () => void) => {
      leave()
      signal?.removeEventListener('abort', abort)
      settle()
    }
    const look = (value: ViewSnapshot) => {
      if (value.isReady && test(value)) end(() => resolve(value))
      else if (value.connection === 'ended') end(() => reject(value.error))
    }
    const abort = () => end(() => reject(signal?.reason))
    signal?.addEventListener('abort', abort, { once: true })
    const leave = view.subscribe(look)
    look(view.value)
  })
}
