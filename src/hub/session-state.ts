/** The state that a session's log adds up to: a fold over its entries, the same for every reader. */
import type { PermissionMode } from '../protocol/permission-types.js'
import type { Ask, Person } from '../protocol/session-log/ask-types.js'
import type { LogEntry, PromptChange, SessionStatus, StateChange } from '../protocol/session-log/entries.js'
import type { Prompt } from '../protocol/session-log/prompt-types.js'
import { failedTurnMark } from '../protocol/session-log/turn-outcome.js'

export type SessionState = {
  seq: number
  createdAt: string
  changedAt: string
  cwd: string
  status: SessionStatus
  title: string | undefined
  mode: PermissionMode | undefined
  model: string | undefined
  effort: string | undefined
  archived: boolean
  error: string | undefined
  costUsd: number
  /** Prompts that wait, in order. */
  waiting: Prompt[]
  /** Prompts that are being worked on. */
  started: Prompt[]
  /** The last turn has no result: its process or its agent ended. */
  isCut: boolean
  /** How the last turn ended, if that is worth a mark. */
  lastTurn: 'failed' | undefined
  /** Every prompt there was: the entry that says it was taken. */
  known: Map<string, number>
  /** Open ones, oldest first. */
  asks: Map<string, Ask>
  /** Closed asks, each with the person who answered it, or `withdrawn`. */
  closedAsks: Map<string, Person | 'withdrawn'>
}

export function emptySessionState(): SessionState {
  return {
    seq: 0,
    createdAt: '',
    changedAt: '',
    cwd: '',
    status: 'idle',
    costUsd: 0,
    archived: false,
    isCut: false,
    lastTurn: undefined,
    title: undefined,
    mode: undefined,
    model: undefined,
    effort: undefined,
    error: undefined,
    waiting: [],
    started: [],
    known: new Map(),
    asks: new Map(),
    closedAsks: new Map(),
  }
}

/** Changes the state by one entry. Entries come in the order of their numbers. */
export function applyEntry(state: SessionState, entry: LogEntry): void {
  if (state.seq === 0) state.createdAt = entry.at
  state.seq = entry.seq
  state.changedAt = entry.at
  switch (entry.kind) {
    case 'message':
      if (entry.data.type !== 'result') return
      state.costUsd = sessionCost(entry.data)
      state.lastTurn = failedTurnMark(entry.data)
      return
    case 'ask':
      state.asks.set(entry.data.id, entry.data)
      return
    case 'answered':
      state.asks.delete(entry.data.ask)
      state.closedAsks.set(entry.data.ask, entry.data.by)
      return
    case 'withdrawn':
      state.asks.delete(entry.data.ask)
      state.closedAsks.set(entry.data.ask, 'withdrawn')
      return
    case 'prompt':
      foldPrompt(state, entry.data, entry.seq)
      return
    case 'state':
      foldState(state, entry.data)
  }
}

function foldPrompt(state: SessionState, change: PromptChange, seq: number): void {
  switch (change.change) {
    case 'queued':
      state.known.set(change.prompt.id, seq)
      state.waiting.push(change.prompt)
      return
    case 'started':
      state.isCut = false
      state.lastTurn = undefined
      state.started.push(...taken(state.waiting, change.id))
      return
    case 'reordered':
      state.waiting.sort((a, b) => place(change.order, a) - place(change.order, b))
      return
    default:
      if (change.change === 'interrupted') state.isCut = true
      taken(state.waiting, change.id)
      taken(state.started, change.id)
  }
}

function foldState(state: SessionState, { title, error, by: _, rewound: _rewound, ...change }: StateChange): void {
  Object.assign(state, change)
  if (title !== undefined) state.title = title ?? undefined
  if (error !== undefined) state.error = error ?? undefined
}

/** Whether a turn waits for a user. It doesn't wait for a sign-in to a server. */
export function isWaitingForUser({ asks }: Pick<SessionState, 'asks'>): boolean {
  return [...asks.values()].some(({ kind }) => kind !== 'sign-in')
}

/** What the session cost in all; an agent that does not count that says what this run of it cost. */
export function sessionCost(result: { total_cost_usd: number; session_total_cost_usd?: number }): number {
  return result.session_total_cost_usd ?? result.total_cost_usd
}

function taken(prompts: Prompt[], id: string): Prompt[] {
  const at = prompts.findIndex((prompt) => prompt.id === id)
  return at < 0 ? [] : prompts.splice(at, 1)
}

/** Those the new order does not name stay behind the others. */
function place(order: readonly string[], { id }: Prompt): number {
  const at = order.indexOf(id)
  return at < 0 ? order.length : at
}
