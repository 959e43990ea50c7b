/**
 * The view of a session as universal events, for every kind of entry and message. It is a fold over the log, so every
 * reader gets the same events under the same numbers. Nothing is left out, and nothing is `agent.unparsed`. Pure.
 */
import type { Delta, LogEntry, LogItem, PromptChange, StateChange } from '../../protocol/session-log/entries.js'
import { modeName, NOTICE_TEXTS } from '../../protocol/shown/vocabulary.js'
import { applyToView } from '../../view/session-view.js'
import type { ViewChange } from '../../view/view-items.js'
import { createSessionView, type SessionView } from '../../view/view-state.js'
import { createAskRequestedEvent, createAskResolvedEvent } from './universal-asks.js'
import type { EventDraft, UniversalEvent } from './universal-events.js'
import {
  createStatusItemEvents,
  createStreamedItemEvents,
  createWholeItemEvents,
  messageItem,
  userParts,
} from './universal-items.js'
import { createErrorEvent, createMessageEvents, noticeTextInChanges } from './universal-messages.js'

/** Plain data: a copy continues from where it was made. */
export type ProjectionState = {
  /** Number of the last event. */
  sequence: number
  hasEnded: boolean
  readonly view: SessionView
}

export function newProjection(): ProjectionState {
  return { sequence: 0, hasEnded: false, view: createSessionView('open') }
}

/** `name` is what the caller calls the session. */
export type ProjectionNames = { session: string; name: string }

/** The events of one entry. */
export function projectEntryToEvents(
  state: ProjectionState,
  entry: LogEntry,
  names: ProjectionNames,
): UniversalEvent[] {
  // Numbers that the log leaves out, because what had them was lost, are left out here, too.
  state.sequence += Math.max(0, entry.seq - state.view.seq - 1)
  return safeDrafts(state, entry).map((draft) => {
    state.sequence += 1
    return toEvent(draft, state.sequence, `evt_${state.sequence}`, entry, names)
  })
}

/**
 * Returns the events of a delta. They have no numbers of their own: the entry that follows repeats the whole, or leaves
 * it out.
 */
export function projectDeltaToEvents(state: ProjectionState, delta: Delta, names: ProjectionNames): UniversalEvent[] {
  const { sequence, view } = state
  return applyToView(view, delta)
    .flatMap(createStreamedItemEvents)
    .map((draft) => toEvent(draft, sequence, `evt_${sequence}_live`, delta, names))
}

function toEvent(
  { type, data, source = 'agent', synthetic = false }: EventDraft,
  sequence: number,
  event_id: string,
  { at, data: raw }: LogEntry | Delta,
  { session, name }: ProjectionNames,
): UniversalEvent {
  const envelope = { event_id, sequence, time: at, session_id: name, native_session_id: session }
  return { ...envelope, source, synthetic, type, data, raw }
}

/** A log from elsewhere can contain messages of another shape: they are passed on as they are. */
function safeDrafts(state: ProjectionState, entry: LogEntry): EventDraft[] {
  const asItIs = () => createStatusItemEvents(`itm_${entry.seq}`, entry.kind, null, entry.data)
  const changes = changesOf(state.view, entry)
  if (!changes && entry.kind !== 'message') return asItIs()
  try {
    return draftsOf(state, entry, changes ?? [])
  } catch {
    return asItIs()
  }
}

/** Undefined if the entry is of another shape. */
function changesOf(view: SessionView, item: LogItem): readonly ViewChange[] | undefined {
  try {
    return applyToView(view, item)
  } catch {
    return undefined
  }
}

function draftsOf(state: ProjectionState, entry: LogEntry, changes: readonly ViewChange[]): EventDraft[] {
  const { view } = state
  switch (entry.kind) {
    case 'message':
      return createMessageEvents(view, entry.data, entry.seq, changes)
    case 'prompt':
      return promptDrafts(state, entry.data, entry.seq, changes)
    case 'state':
      return stateDrafts(state, entry.data, entry.seq)
    default:
      return changes.flatMap(({ item }) => {
        if (item.kind !== 'request') return []
        const { ask, closed } = item
        return closed
          ? createAskResolvedEvent(ask, closed, view.facts.cwd)
          : createAskRequestedEvent(ask, view.facts.cwd)
      })
  }
}

function stateDrafts(state: ProjectionState, change: StateChange, seq: number): EventDraft[] {
  const { status, error, by, ...set } = change
  if (seq === 1) return [{ type: 'session.started', source: 'daemon', data: { metadata: set } }]
  const drafts: EventDraft[] = []
  if (Object.keys(set).length > 0) {
    const detail = Object.entries(set).map(([name, value]) => {
      if (name === 'rewound') return NOTICE_TEXTS.rewound
      return `${name}: ${name === 'mode' ? modeName(String(value)) : String(value)}`
    })
    drafts.push(
      ...createStatusItemEvents(`itm_${seq}`, 'session.changed', detail.join(', '), { ...set, ...(by ? { by } : {}) }),
    )
  }
  if (status === 'error' || status === 'done') {
    const message = error ?? null
    if (status === 'error') drafts.push(createErrorEvent(message ?? NOTICE_TEXTS.agentFailed, 'agent_failed'))
    const how = status === 'error' ? { reason: 'error', terminated_by: 'agent' } : CLOSED
    drafts.push({ type: 'session.ended', source: 'daemon', data: { ...how, message, exit_code: null, stderr: null } })
    state.hasEnded = true
  } else if (status === 'running') drafts.unshift(...wokenUp(state))
  return drafts
}
const CLOSED = { reason: 'terminated', terminated_by: 'daemon' }

/** A closed session continues with the next prompt. */
function wokenUp(state: ProjectionState): EventDraft[] {
  if (!state.hasEnded) return []
  state.hasEnded = false
  return [{ type: 'session.started', source: 'daemon', data: { metadata: { resumed: true } } }]
}

function promptDrafts(
  state: ProjectionState,
  change: PromptChange,
  seq: number,
  changes: readonly ViewChange[],
): EventDraft[] {
  const id = `itm_${seq}`
  if (change.change === 'queued') return createStatusItemEvents(id, 'prompt.queued', change.prompt.id)
  if (change.change === 'reordered') return createStatusItemEvents(id, 'prompts.reordered', change.order.join(', '))
  const turn = (type: 'turn.started' | 'turn.ended', metadata: Record<string, unknown>): EventDraft => ({
    type,
    source: 'daemon',
    data: { phase: type === 'turn.started' ? 'started' : 'ended', turn_id: change.id, metadata },
  })
  switch (change.change) {
    case 'started': {
      const started = changes.find(({ item }) => item.kind === 'prompt')?.item
      const content = started?.kind === 'prompt' ? started.content : ''
      const ids = { item_id: `itm_${change.message || id}`, native_item_id: change.message }
      return [
        ...wokenUp(state),
        turn('turn.started', { joined: change.joined === true }),
        ...createWholeItemEvents(messageItem({ ...ids, role: 'user', content: userParts(content) })),
      ]
    }
    case 'done':
      return [turn('turn.ended', { outcome: 'done', result: change.result })]
    case 'interrupted':
      return [
        createErrorEvent(noticeTextInChanges(changes) ?? change.reason, 'interrupted'),
        turn('turn.ended', { outcome: 'interrupted', reason: change.reason }),
      ]
    case 'removed':
      return createStatusItemEvents(id, 'prompt.removed', change.id)
  }
}
