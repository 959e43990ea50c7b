/** What a session shows, as plain data: every interface draws these items in its own way. Runs in a browser. */
import type { ContentBlockParam } from '../../protocol/content.js'
import type { SDKResultMessage } from '../../protocol/messages.js'
import type { Ask, AskAnswer, Person } from '../ask-types.js'
import type { SessionStatus } from '../log/entries.js'

/**
 * `key` is the same wherever and whenever the log is read. `parent` is the call whose sub-agent the item belongs to; ''
 * is the main thread. `seq` is the number of the entry that completed it, `at` the time it began.
 */
type ItemFields = { key: string; parent: string; seq: number; at: string }

export type PromptItem = ItemFields & {
  kind: 'prompt'
  id: string
  content: string | readonly ContentBlockParam[]
  by: Person | undefined
  /** Its `uuid` in the transcript: a rewind goes there. */
  message: string | undefined
  end: 'done' | 'interrupted' | undefined
}

/** `message` is the id of the model's message. `isLive`: more text is to come. */
export type TextItem = ItemFields & {
  kind: 'text' | 'thinking'
  message: string
  text: string
  isLive: boolean
  /** Thinking that the API keeps to itself. */
  isRedacted?: true
  /** Printed by a slash command, not said by the model. */
  isCommandOutput?: true
}

/**
 * `writing`: the model still writes the input. `called`: its turn hasn't come, or it runs and nothing tells so.
 * `waiting`: for a user's answer. `background`: its result is there, and its work continues. `unfinished`: the turn
 * ended first.
 */
export type CallState =
  | 'writing'
  | 'called'
  | 'waiting'
  | 'running'
  | 'background'
  | 'done'
  | 'failed'
  | 'denied'
  | 'unfinished'

export type ToolItem = ItemFields & {
  kind: 'tool'
  useId: string
  name: string
  /** Empty while the model writes it; then `partialInput` has the JSON so far. */
  input: Record<string, unknown>
  partialInput: string
  state: CallState
  /** The end of what a command has printed so far, and the length of all of it. */
  output: string
  printed: number
  /** When the call started to run, which is after its approval. In milliseconds since 1970. */
  startedAt: number
  result: ViewCallResult | undefined
  /** Why it was denied. */
  reason?: string
  /** The task that the call started. */
  task?: { id: string; status: string; summary?: string; outputFile?: string }
  /** For a sub-agent: its items, its tokens, and its calls. */
  children: ViewItem[]
  agentTokens: number
  agentCalls: number
}

/** `detail` is the output as hosts receive it; a transcript has none. `ms` counts from `startedAt`. */
export type ViewCallResult = {
  content: string | readonly ContentBlockParam[]
  isError: boolean
  detail: unknown
  ms: number
}

export type RequestItem = ItemFields & { kind: 'request'; ask: Ask; closed: RequestEnd | undefined }
export type RequestEnd = { answer: AskAnswer; by: Person } | { withdrawn: string }

export type NoticeItem = ItemFields & {
  kind: 'notice'
  /** `mark`: what is above is no longer part of what the model knows. */
  level: 'info' | 'warning' | 'error' | 'mark'
  text: string
  detail?: string
  /** What to do about it, as a sentence. */
  fix?: string
  /** The full response that an error was made from. */
  raw?: string
  /** The next attempt comes then, in milliseconds since 1970. */
  until?: number
  about?: 'session' | 'servers' | 'compaction' | 'model-error' | 'sub-agent'
  /** A compaction that is under way. */
  isLive?: boolean
  /** What a compaction left of the conversation. */
  summary?: string
}

/** `stopped`: by a user. */
export type TurnOutcome = 'done' | 'stopped' | 'failed'

/** The end of a turn. */
export type TurnItem = ItemFields & {
  kind: 'turn'
  result: SDKResultMessage
  outcome: TurnOutcome
  /** The cost of this turn alone. */
  costUsd: number
  /** The part of its duration spent waiting for users, in ms. */
  waitedMs: number
  /** Why it failed, unless a notice before it says so. */
  problem: string | undefined
  /** The text of a turn in which the model said nothing, such as that of a slash command. */
  answer: string | undefined
}

export type ViewItem = PromptItem | TextItem | ToolItem | RequestItem | NoticeItem | TurnItem

/** Work in the background, or a sub-agent. `since` is an ISO 8601 time. */
export type ViewTask = {
  id: string
  type: string
  description: string
  status: string
  /** The call that started it. */
  useId: string | undefined
  summary: string | undefined
  tokens: number
  lastTool: string | undefined
  since: string
}

export type ViewTodo = { content: string; status: 'pending' | 'in_progress' | 'completed' }

/** Something that happened beside the conversation. */
export type ViewActivity = { at: string; what: 'mcp' | 'hook'; name: string; text: string; isError: boolean }

export type ViewFacts = {
  cwd: string
  status: SessionStatus
  title: string | undefined
  mode: string | undefined
  model: string | undefined
  effort: string | undefined
  archived: boolean
  error: string | undefined
  /** Whether the last turn failed and none started since. */
  hasFailed: boolean
  costUsd: number
  cacheHitRate: number | undefined
  /** Tokens in the last request, and how many there may be. */
  contextUsed: number
  contextWindow: number
  commands: readonly string[]
}

/**
 * What became of an item. `grew`: `piece` was added to its text, partial input, or output. `written`: its stream is over, and
 * its entry follows. `completed`: it has its final text; `piece` is the part that hadn't come. `input`: the call's input is known.
 * `progress`: a call runs, after `seconds`. `task`: its task or sub-agent did something. `changed`: anything else, its
 * `state` above all.
 */
export type ViewChange =
  | { item: ViewItem; what: 'added' | 'removed' | 'written' | 'input' | 'task' | 'changed' }
  | { item: ViewItem; what: 'grew'; piece: string }
  | { item: TextItem; what: 'completed'; piece: string }
  | { item: ToolItem; what: 'progress'; seconds: number }
