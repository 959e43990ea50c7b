/**
 * The items of a session's log: numbered entries for everything that happened, and deltas between them for live
 * readers.
 */
import type { SDKMessage, SDKPartialAssistantMessage, SDKToolProgressMessage } from '../messages.js'
import type { PermissionMode } from '../permission-types.js'
import type { Ask, AskAnswer, Person } from './ask-types.js'
import type { Prompt } from './prompt-types.js'

/** An entry of a session's log: its `kind` tells what happened. What has a number is on disk. */
export type LogEntry = {
  /** The session it belongs to. */
  session: string
  /** Its number: counts from 1 in each session, without gaps. */
  seq: number
  /** When, in ISO 8601. */
  at: string
} & EntryBody

export type EntryBody =
  | {
      kind: 'message'
      /** A message of the agent, as it is. */
      data: SDKMessage
    }
  | {
      kind: 'ask'
      /** A request that waits for a person. */
      data: Ask
    }
  | {
      kind: 'answered'
      /** The answer to a request, and whose it is. */
      data: { ask: string; answer: AskAnswer; by: Person }
    }
  | {
      kind: 'withdrawn'
      /** The request that needs no answer any more, and why; it counts as denied. */
      data: { ask: string; reason: string }
    }
  | {
      kind: 'prompt'
      /** What became of a prompt. */
      data: PromptChange
    }
  | {
      kind: 'state'
      /** What changed about the session itself. */
      data: StateChange
    }

/**
 * A piece of something unfinished: text of the model, or output of a command. Deltas aren't stored, because the finished
 * thing comes as an entry: a late or slow reader gets the entry only.
 */
export type Delta = {
  /** The session it belongs to. */
  session: string
  /** Number of the entry before it. */
  seq: number
  /** When, in ISO 8601. */
  at: string
  kind: 'delta'
  /** The agent's message, as it is. */
  data: SdkDeltaMessage
}
export type SdkDeltaMessage = SDKPartialAssistantMessage | SDKToolProgressMessage

/** What a live reader of a log receives. */
export type LogItem = LogEntry | Delta

/** An entry for code that only forwards it: `text` is its JSON. */
export type SerializedLogEntry = { seq: number; kind: LogEntry['kind']; text: string }

/** What becomes of a prompt. Each ends exactly once: `done`, `interrupted` or `removed`. */
export type PromptChange =
  | {
      change: 'queued'
      /** The prompt itself. */
      prompt: Prompt
    }
  | {
      /** It is being worked on. */
      change: 'started'
      /** The id of the prompt. */
      id: string
      /** Its `uuid` in the transcript. */
      message: string
      /** It became part of the turn that was running. */
      joined?: true
    }
  | {
      change: 'done'
      /** The id of the prompt. */
      id: string
      /** The `uuid` of its result message. */
      result: string
    }
  | {
      /** The process ended, or the agent did, before there was a result. */
      change: 'interrupted'
      /** The id of the prompt. */
      id: string
      /** Why, in a sentence. */
      reason: string
    }
  | {
      change: 'removed'
      /** The id of the prompt. */
      id: string
      /** The person who took it back. */
      by?: Person
    }
  | {
      change: 'reordered'
      /** The ids of those that wait, in their new order. */
      order: string[]
    }

/** `running`: a turn is under way; `needs-you`: it waits for an answer; `done`: closed; `error`: it can't continue. */
export type SessionStatus = 'running' | 'needs-you' | 'idle' | 'done' | 'error'

/** What changed about the session itself; only the fields that did. */
export type StateChange = {
  /** In the first entry: where it works. */
  cwd?: string
  /** What it's doing. */
  status?: SessionStatus
  /** Null: it has none any more. */
  title?: string | null
  /** The permission mode. */
  mode?: PermissionMode
  /** The model. */
  model?: string
  /** The effort the model is asked for. */
  effort?: string
  /** Put away, or back. */
  archived?: boolean
  /** Why it can't continue. Null: it can again. */
  error?: string | null
  /** The conversation went back to before this message: what the log has from there on isn't part of it any more. */
  rewound?: {
    /** The `uuid` of that message. */
    message: string
  }
  /** The person who changed it. */
  by?: Person
}
