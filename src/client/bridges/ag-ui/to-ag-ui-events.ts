/** A turn of a session as the events of an AG-UI run. */
import { type FollowTurnOptions, followTurn, type TurnSource } from '../follow-turn.js'
import { streamOfGenerator } from '../stream-of.js'
import { TurnReader } from '../turn-reader.js'
import type { AgUiEvent } from './ag-ui-events.js'
import { EventWriter } from './ag-ui-writer.js'
import { type AgUiRunInput, knownTurnContentInMessages } from './known-messages.js'

/** Options of `toAgUiEvents()`. */
export type AgUiStreamOptions = FollowTurnOptions & {
  /** The run, as its input names it. Default: the session, and a run of the prompt. */
  threadId?: string
  runId?: string
  /** The turn of this prompt. Default: the turn that is under way. */
  prompt?: string
  /** Number of a log entry, as `send()` returns it: the stream waits until the view has it. Default: the latest. */
  since?: number
  /** The messages that the page has: only what is new comes. */
  messages?: AgUiRunInput['messages']
  /** Requests that were answered just now, by their ids. */
  answered?: readonly string[]
  /** `finish` (the default): the run ends with an interrupt at an open request. `wait`: it continues until the turn ends. */
  onRequest?: 'finish' | 'wait'
}

/** Returns a turn as a stream of AG-UI events. It follows the session's live view; no prompt is sent. */
export function toAgUiEvents(session: TurnSource, options: AgUiStreamOptions = {}): ReadableStream<AgUiEvent> {
  const { prompt, since, messages = [], answered = [], onRequest } = options
  const { items, calls } = knownTurnContentInMessages({ messages })
  const reader = new TurnReader({ prompt, since, answered, onRequest, known: items })
  const writer = new EventWriter({
    describeError: options.describeError,
    threadId: options.threadId ?? session.id,
    runId: options.runId ?? `run-${prompt ?? session.id}`,
    knownCalls: calls,
  })
  return streamOfGenerator(
    (signal) => followTurn(session, reader, { ...options, signal }),
    (step) => writer.write(step),
    options.signal,
  )
}
