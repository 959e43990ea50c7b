/** What lists show of a session: kept with its row, and changed together with the entries that change it. */

import { sessionCost } from '../../hub/session-state.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import type { EntryBody, LogEntry, SessionStatus, StateChange } from '../../protocol/session-log/entries.js'
import type { Prompt } from '../../protocol/session-log/prompt-types.js'
import { failedTurnMark } from '../../protocol/session-log/turn-outcome.js'
import type { CrashCounts } from './crashed-calls.js'

/** Null: taken away. */
export type SessionListFields = {
  status?: SessionStatus
  title?: string | null
  /** Text of its first prompt, for search. */
  summary?: string
  mode?: PermissionMode
  model?: string
  effort?: string
  archived?: boolean
  costUsd?: number
  /** Why it can't be parked, while it runs. */
  held?: string
  /** Set from when the database went back until a turn has reported it. */
  wentBack?: string
  /** The turn's tool calls that were running when its workers crashed. */
  crashes?: CrashCounts
  /** The worker that had stopped responding when another took over its turn. */
  takenFrom?: string
  error?: string | null
  lastTurn?: 'failed' | null
}

/** What these entries change. */
export function changedListFields(bodies: readonly EntryBody[]): SessionListFields {
  const facts: SessionListFields = {}
  for (const body of bodies) {
    if (body.kind === 'state') Object.assign(facts, factsOfState(body.data))
    if (body.kind === 'prompt' && body.data.change === 'started') facts.lastTurn = null
    if (body.kind !== 'message' || body.data.type !== 'result') continue
    facts.costUsd = sessionCost(body.data)
    facts.lastTurn = failedTurnMark(body.data) ?? null
  }
  return facts
}

function factsOfState({ status, title, mode, model, effort, archived, error }: StateChange): SessionListFields {
  const all = { status, title, mode, model, effort, archived, error }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

const SUMMARY = 100

/** Returns the first words of a prompt, for lists. Undefined: there are no words in it. */
export function firstWordsOfPrompt(content: Prompt['content']): string | undefined {
  const texts =
    typeof content === 'string' ? [content] : content.map((block) => (block.type === 'text' ? block.text : ''))
  const line = texts.join(' ').replace(/\s+/g, ' ').trim()
  return line === ''
    ? undefined
    : Array.from(line.slice(0, 2 * SUMMARY))
        .slice(0, SUMMARY)
        .join('')
}

/** Returns the facts as JSON for a column of jsonb, which refuses this one character. */
export function listFieldsJson(facts: SessionListFields): string {
  return JSON.stringify(facts).replaceAll('\\u0000', '')
}

/** The text of an entry without its number, which the database gives: what comes before, and what after. */
export function serializeUnnumberedEntry(
  session: string,
  at: string,
  body: EntryBody,
): [before: string, after: string] {
  const text = JSON.stringify({ session, seq: 0, at, ...body } satisfies LogEntry)
  const before = `{"session":${JSON.stringify(session)},"seq":`
  return [before, text.slice(before.length + 1)]
}
