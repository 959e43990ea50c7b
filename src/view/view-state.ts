/** The state that a view is kept in, and the three ways to change its items. Plain data: `structuredClone` makes a copy of it. */
import type { Ask } from '../protocol/session-log/ask-types.js'
import type { Prompt } from '../protocol/session-log/prompt-types.js'
import { EMPTY_VIEW_FACTS } from './empty-view-facts.js'
import type {
  NoticeItem,
  PromptItem,
  RequestItem,
  TextItem,
  ToolItem,
  ViewActivity,
  ViewChange,
  ViewFacts,
  ViewItem,
  ViewTask,
  ViewTodo,
} from './view-items.js'

export type SessionView = {
  /** Number of the last entry that was applied. */
  seq: number
  /** The items of the main thread, in order. Always empty if only open items are kept. */
  readonly items: ViewItem[]
  facts: ViewFacts
  waitingPrompts: readonly Prompt[]
  openRequests: readonly Ask[]
  tasks: readonly ViewTask[]
  todos: readonly ViewTodo[]
  activity: readonly ViewActivity[]
  /** What later entries refer to. */
  readonly open: OpenItems
}

export type OpenItems = {
  /**
   * `all` keeps every item; `open` only those that can still change, for readers that pass changes on. What a rewind takes
   * away isn't among its changes.
   */
  readonly keeps: 'all' | 'open'
  readonly prompts: Map<string, Prompt>
  readonly startedPrompts: Map<string, PromptItem>
  /** Every call, or the open ones and those with a task, by `useId`. */
  readonly calls: Map<string, ToolItem>
  /** Calls without a result, and those in the background. */
  readonly openCalls: Map<string, ToolItem>
  /** The call of each running task. */
  readonly taskCalls: Map<string, string>
  readonly requests: Map<string, RequestItem>
  /** By the call whose sub-agent speaks; '' is the main thread. */
  readonly speakers: Map<string, SpeakerStreamState>
  /** The status of each MCP server that a notice was made of. */
  readonly servers: Map<string, string>
  /** Steps of the task list, by id. */
  readonly steps: Map<string, ViewTodo>
  /** The compaction under way; then its summary is awaited. */
  compaction: NoticeItem | undefined
  awaitsSummary: boolean
  /** Error of the running turn. */
  error: NoticeItem | undefined
  hasSpoken: boolean
  /** Cost of all turns before. */
  costBefore: number
  /** Since when requests are open, and how long they were open in this turn, in ms. */
  waitsSince: number
  waitedMs: number
}

export type SpeakerStreamState = {
  /** Id of its message, and how many blocks of it are complete. */
  message: string
  blocks: number
  /** Tokens it has so far. */
  tokens: number
  /** Blocks that streamed, by their index. */
  readonly streamed: Map<number, StreamedBlock>
}

/** `at` is where its stream is, which may begin again; `length` is how far it came. */
export type StreamedBlock = { item: TextItem | ToolItem; at: number; length: number; isComplete: boolean }

export function createSessionView(keeps: OpenItems['keeps'] = 'all'): SessionView {
  return {
    seq: 0,
    items: [],
    facts: EMPTY_VIEW_FACTS,
    waitingPrompts: [],
    openRequests: [],
    tasks: [],
    todos: [],
    activity: [],
    open: {
      keeps,
      prompts: new Map(),
      startedPrompts: new Map(),
      calls: new Map(),
      openCalls: new Map(),
      taskCalls: new Map(),
      requests: new Map(),
      speakers: new Map(),
      servers: new Map(),
      steps: new Map(),
      compaction: undefined,
      awaitsSummary: false,
      error: undefined,
      hasSpoken: false,
      costBefore: 0,
      waitsSince: 0,
      waitedMs: 0,
    },
  }
}

/** In the order of the log: the entry of what is being written is yet to come. */
function insert(items: ViewItem[], item: ViewItem): void {
  let end = items.length
  if (!isBeingWritten(item)) while (end > 0 && isBeingWritten(items[end - 1])) end -= 1
  items.splice(end, 0, item)
}

function isBeingWritten(item: ViewItem | undefined): boolean {
  if (item?.kind === 'tool') return item.state === 'writing'
  return (item?.kind === 'text' || item?.kind === 'thinking') && item.isLive
}

/** The entry or delta that is applied, and the changes it has made so far. */
export class ViewStep {
  readonly view: SessionView
  readonly seq: number
  readonly at: string
  readonly changes: ViewChange[] = []
  readonly #key: string
  #made = 0

  /** `key` begins the keys of items without an id. */
  constructor(view: SessionView, { seq, at }: { seq: number; at: string }, key = `entry-${seq}`) {
    this.view = view
    this.seq = seq
    this.at = at
    this.#key = key
  }

  /** Milliseconds since 1970; 0 for messages without a time. */
  get time(): number {
    return Date.parse(this.at) || 0
  }

  /** A key for an item without an id. */
  newKey(): string {
    this.#made += 1
    return this.#made === 1 ? this.#key : `${this.#key}-${this.#made}`
  }

  add<I extends ViewItem>(item: I): I {
    const { items, open } = this.view
    if (open.keeps === 'all') insert(open.calls.get(item.parent)?.children ?? items, item)
    this.changes.push({ item, what: 'added' })
    return item
  }

  remove(item: ViewItem): void {
    const { items, open } = this.view
    const list = open.calls.get(item.parent)?.children ?? items
    const place = list.lastIndexOf(item)
    if (place >= 0) list.splice(place, 1)
    this.changes.push({ item, what: 'removed' })
  }

  changed(item: ViewItem, what: 'written' | 'input' | 'task' | 'changed' = 'changed'): void {
    this.changes.push({ item, what })
  }

  facts(change: Partial<ViewFacts>): void {
    this.view.facts = { ...this.view.facts, ...change }
  }

  notice(fields: Pick<NoticeItem, 'level' | 'text'> & Partial<NoticeItem>): NoticeItem {
    const { seq, at } = this
    return this.add({ kind: 'notice', key: this.newKey(), parent: '', seq, at, ...fields })
  }
}
