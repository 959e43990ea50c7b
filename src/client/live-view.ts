/** What a session shows, always current: loads its log, follows its stream, and tells listeners what changed. */
import type { Ask } from '../protocol/session-log/ask-types.js'
import type { LogEntry } from '../protocol/session-log/entries.js'
import type { Prompt } from '../protocol/session-log/prompt-types.js'
import { EMPTY_VIEW_FACTS } from '../view/empty-view-facts.js'
import type { ViewActivity, ViewChange, ViewFacts, ViewItem, ViewTask, ViewTodo } from '../view/view-items.js'
import type { SessionView } from '../view/view-state.js'
import type { ReadOptions } from './client-types.js'
import type { FollowedItem } from './event-source.js'
import { createLiveValue, type LiveState, type LiveValue } from './live-value.js'
import type { SessionHistory } from './session-api.js'
import type { Backoff } from './wait-and-wake.js'

/** What a session shows at a moment. A later one is another object; `items` is another list if items came or went. */
export type ViewSnapshot = LiveState & {
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
}

/** Called after each change. `changes` are those of items. */
export type ViewListener = (value: ViewSnapshot, changes: readonly ViewChange[]) => void

/** What a session shows, always current. It's connected while it has listeners. */
export type LiveView = LiveValue<ViewSnapshot, [changes: readonly ViewChange[]]>

export type LiveViewPorts = {
  backoff: Backoff
  earlier(signal: AbortSignal): Promise<SessionHistory>
  log(after: number, signal: AbortSignal): Promise<{ entries: LogEntry[]; last: number }>
  follow(options: ReadOptions): AsyncGenerator<readonly FollowedItem[], void>
}

type ViewParts = typeof import('./view-parts.js')
const EMPTY = {
  seq: 0,
  items: [],
  facts: EMPTY_VIEW_FACTS,
  openRequests: [],
  waitingPrompts: [],
  tasks: [],
  todos: [],
  activity: [],
}

export function createLiveView(ports: LiveViewPorts): LiveView {
  let view: SessionView | undefined
  let items: readonly ViewItem[] = []

  const tell = (changes: readonly ViewChange[]) => {
    if (changes.some(({ item, what }) => (what === 'added' || what === 'removed') && item.parent === ''))
      items = view ? [...view.items] : []
    source.tell(changes)
  }
  const load = async (parts: ViewParts, signal: AbortSignal) => {
    if (!view) {
      const earlier = await ports.earlier(signal)
      signal.throwIfAborted()
      view = parts.createSessionView()
      tell(parts.addTranscriptToView(view, earlier))
    }
    for (const own = view; ; ) {
      const { entries, last } = await ports.log(own.seq, signal)
      tell(entries.flatMap((entry) => parts.applyToView(own, entry)))
      if (own.seq >= last || entries.length === 0) return own
    }
  }
  const follow = async (signal: AbortSignal) => {
    const parts = await import('./view-parts.js')
    const own = await load(parts, signal)
    source.setState({ isReady: true })
    tell([])
    const stream = ports.follow({
      after: own.seq,
      signal,
      onState(connection, error) {
        source.setState({ connection, error })
        tell([])
      },
      onConnect: () => tell(parts.dropUnfinishedStreams(own)),
    })
    for await (const some of stream) {
      source.heard()
      tell(some.flatMap((item) => parts.applyToView(own, item)))
    }
  }
  const forget = () => {
    const gone = view?.items ?? []
    view = undefined
    tell(gone.map((item) => ({ item, what: 'removed' })))
  }
  const source = createLiveValue<ViewSnapshot, [changes: readonly ViewChange[]]>(
    { backoff: ports.backoff, snapshot: (state) => snapshotOf(view, items, state), follow, forget },
    [[]],
  )
  return source.live
}

function snapshotOf(view: SessionView | undefined, items: readonly ViewItem[], state: LiveState): ViewSnapshot {
  const { seq, facts, openRequests: requests, waitingPrompts, tasks, todos, activity } = view ?? EMPTY
  return { items, facts, requests, waitingPrompts, tasks, todos, activity, seq, ...state }
}
