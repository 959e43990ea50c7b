/**
 * The items of a session's log: numbered entries for everything that happened, and deltas between them for live
 * readers.
 */
import type { SDKMessage, SDKPartialAssistantMessage, SDKToolProgressMessage } from '../../protocol/messages.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import type { Ask, AskAnswer, Person } from '../ask-types.js'
import type { Prompt } from '../prompt-types.js'

/** `seq` counts from 1 in each session, without gaps; a numbered entry is on disk. `at` is its time in ISO 8601. */
export type LogEntry = { session: string; seq: number; at: string } & EntryBody

export type EntryBody =
  /** A message of the agent, as it is. */
  | { kind: 'message'; data: SDKMessage }
  | { kind: 'ask'; data: Ask }
  | { kind: 'answered'; data: { ask: string; answer: AskAnswer; by: Person } }
  /** The answer is no longer needed; the ask counts as denied. */
  | { kind: 'withdrawn'; data: { ask: string; reason: string } }
  | { kind: 'prompt'; data: PromptChange }
  | { kind: 'state'; data: StateChange }

/**
 * A piece of something unfinished: text of the model, or output of a command. `seq` is that of the entry before it.
 * Deltas aren't stored, because the finished thing comes as an entry: a late or slow reader gets the entry only.
 */
export type Delta = { session: string; seq: number; at: string; kind: 'delta'; data: SdkDeltaMessage }
export type SdkDeltaMessage = SDKPartialAssistantMessage | SDKToolProgressMessage

export type LogItem = LogEntry | Delta

/** An entry for code that only forwards it: `text` is its JSON. */
export type SerializedLogEntry = { seq: number; kind: LogEntry['kind']; text: string }

/** What becomes of a prompt. Each ends exactly once: `done`, `interrupted` or `removed`. */
export type PromptChange =
  | { change: 'queued'; prompt: Prompt }
  /** It is being worked on; `message`: its `uuid` in the transcript; `joined`: as part of the turn that was running. */
  | { change: 'started'; id: string; message: string; joined?: true }
  /** `result` is the `uuid` of its result message. */
  | { change: 'done'; id: string; result: string }
  /** The process ended, or the agent did, before there was a result. */
  | { change: 'interrupted'; id: string; reason: string }
  | { change: 'removed'; id: string; by?: Person }
  /** Those that wait, in their new order. */
  | { change: 'reordered'; order: string[] }

/** `running`: a turn is under way; `needs-you`: it waits for an answer; `done`: closed; `error`: it can't continue. */
export type SessionStatus = 'running' | 'needs-you' | 'idle' | 'done' | 'error'

/** What changed about the session itself; only the fields that did. */
export type StateChange = {
  /** In the first entry: where it works. */
  cwd?: string
  status?: SessionStatus
  title?: string | null
  mode?: PermissionMode
  model?: string
  effort?: string
  archived?: boolean
  /** Why it can't continue. */
  error?: string | null
  /** The conversation went back to before this message: what the log has from there on isn't part of it any more. */
  rewound?: { message: string }
  by?: Person
}
