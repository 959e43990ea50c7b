/** What a session shows, as plain data: every interface draws these items in its own way. Runs in a browser. */
import type { ContentBlockParam } from '../protocol/content.js'
import type { SDKResultMessage } from '../protocol/messages.js'
import type { Ask, AskAnswer, Person } from '../protocol/session-log/ask-types.js'
import type { SessionStatus } from '../protocol/session-log/entries.js'
import type { TurnOutcome } from '../protocol/session-log/turn-outcome.js'

type ItemFields = {
  /** The same wherever and whenever the log is read. */
  key: string
  /** The `useId` of the call whose sub-agent the item belongs to; '' in the main thread. */
  parent: string
  /** Number of the log entry that completed it. */
  seq: number
  /** When it began, in ISO 8601. */
  at: string
}

/** What somebody asked the agent to do. */
export type PromptItem = ItemFields & {
  kind: 'prompt'
  /** The id that its sender gave it. */
  id: string
  /** Its text, or its text, images, and documents as blocks. */
  content: string | readonly ContentBlockParam[]
  /** The sender, where that is known. */
  by: Person | undefined
  /** Its `uuid` in the transcript: a rewind goes there. */
  message: string | undefined
  /** Undefined while the agent works on it. */
  end: 'done' | 'interrupted' | undefined
}

/** What the model said, or thought. */
export type TextItem = ItemFields & {
  /** `thinking`: what it wrote to itself before it answered. */
  kind: 'text' | 'thinking'
  /** The id of the model's message. */
  message: string
  /** All text that has come so far. */
  text: string
  /** More text is to come. */
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

/** A tool call of the model, from the first piece of its input to its result. */
export type ToolItem = ItemFields & {
  kind: 'tool'
  /** The id that the model gave the call. */
  useId: string
  /** The tool's name, such as `Bash` or `mcp__github__search`. */
  name: string
  /** Empty while the model writes it; then `partialInput` has the JSON so far. */
  input: Record<string, unknown>
  /** The JSON of the input as far as it has come. */
  partialInput: string
  /** How far the call is. */
  state: CallState
  /** The end of what a command has printed so far. */
  output: string
  /** The length of all that it has printed, in characters. */
  printed: number
  /** When the call started to run, which is after its approval. In milliseconds since 1970. */
  startedAt: number
  /** What it returned; undefined until then. */
  result: ViewCallResult | undefined
  /** Why it was denied. */
  reason?: string
  /** The task that the call started. */
  task?: BackgroundTaskOfCall
  /** The items of the sub-agent that the call started. */
  children: ViewItem[]
  /** The tokens that this sub-agent has used. */
  agentTokens: number
  /** How many tools it has called. */
  agentCalls: number
}

/** The background task that a call started. */
export type BackgroundTaskOfCall = {
  /** The id to stop it by. */
  id: string
  /** `running`, `completed`, `failed`, or `stopped`. */
  status: string
  /** What it has to say, in a sentence. */
  summary?: string
  /** The file that has its output. */
  outputFile?: string
}

/** What a tool call returned. */
export type ViewCallResult = {
  /** What the model receives. */
  content: string | readonly ContentBlockParam[]
  /** The tool failed, or wasn't allowed. */
  isError: boolean
  /** The output as hosts receive it, by the type of the tool; undefined if only a transcript is there. */
  detail: unknown
  /** How long it took from `startedAt` on, in milliseconds. */
  ms: number
}

/** Something that waited, or waits, for a person. */
export type RequestItem = ItemFields & {
  kind: 'request'
  /** The request itself. */
  ask: Ask
  /** How it ended; undefined while it's open. */
  closed: RequestEnd | undefined
}

/** How a request ended: by an answer, or because nobody's answer was needed any more. */
export type RequestEnd =
  | {
      /** What was answered. */
      answer: AskAnswer
      /** The person who answered. */
      by: Person
    }
  | {
      /** Why it was withdrawn, in a sentence. */
      withdrawn: string
    }

/** A sentence of Kedge's own about the session: a retry, a compaction, a limit, an error. */
export type NoticeItem = ItemFields & {
  kind: 'notice'
  /** `mark`: what is above is no longer part of what the model knows. */
  level: 'info' | 'warning' | 'error' | 'mark'
  /** What happened. */
  text: string
  /** More about it, where there is more. */
  detail?: string
  /** What to do about it, as a sentence. */
  fix?: string
  /** The full response that an error was made from. */
  raw?: string
  /** The next attempt comes then, in milliseconds since 1970. */
  until?: number
  /** `denial`: the call, if it's shown, says it too. */
  about?: 'session' | 'servers' | 'compaction' | 'model-error' | 'sub-agent' | 'retry' | 'denial'
  /** A compaction that is under way. */
  isLive?: boolean
  /** What a compaction left of the conversation. */
  summary?: string
}

export type { TurnOutcome }

/** The end of a turn. */
export type TurnItem = ItemFields & {
  kind: 'turn'
  /** The agent's own message at the end of the turn. */
  result: SDKResultMessage
  /** What became of it. */
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

/** One thing that a session shows. Its `kind` tells which. */
export type ViewItem = PromptItem | TextItem | ToolItem | RequestItem | NoticeItem | TurnItem

/** Work in the background, or a sub-agent. */
export type ViewTask = {
  /** The id to stop it by. */
  id: string
  /** What it is: a command, a sub-agent, a teammate. */
  type: string
  /** What it's for, in a few words. */
  description: string
  /** `running`, `completed`, `failed`, or `stopped`. */
  status: string
  /** The call that started it. */
  useId: string | undefined
  /** The last sentence it had to say. */
  summary: string | undefined
  /** The tokens that it has used. */
  tokens: number
  /** The tool it called last. */
  lastTool: string | undefined
  /** When it began, in ISO 8601. */
  since: string
  /** The agent's list of background work doesn't have it: it runs in the foreground, or is over. */
  isUnlisted?: true
}

/** A line of the agent's todo list. */
export type ViewTodo = {
  /** What is to be done. */
  content: string
  /** The same in words for while it's being done. */
  activeForm?: string
  /** How far it is. */
  status: 'pending' | 'in_progress' | 'completed'
}

/** Something that happened beside the conversation. */
export type ViewActivity = {
  /** When, in ISO 8601. */
  at: string
  /** An MCP server, or a hook. */
  what: 'mcp' | 'hook'
  /** The name of the server, or the event of the hook. */
  name: string
  /** What happened. */
  text: string
  /** Something went wrong. */
  isError: boolean
}

/** What a session's header shows. */
export type ViewFacts = {
  /** The folder it works in. */
  cwd: string
  /** What it's doing. */
  status: SessionStatus
  /** Undefined until it has one. */
  title: string | undefined
  /** The permission mode. */
  mode: string | undefined
  /** The model, as it was chosen. */
  model: string | undefined
  /** The effort the model is asked for. */
  effort: string | undefined
  /** Put away: lists leave it out. */
  archived: boolean
  /** Why it can't continue. */
  error: string | undefined
  /** Whether the last turn failed and none started since. */
  hasFailed: boolean
  /** What the session has cost so far. */
  costUsd: number
  /** The part of the input tokens that came from the cache, from 0 to 1. */
  cacheHitRate: number | undefined
  /** Tokens in the last request. */
  contextUsed: number
  /** How many tokens a request may have. */
  contextWindow: number
  /** Tokens that the model wrote in this turn, as its streams count them. */
  turnTokens: number
  /** The model didn't respond, and another attempt follows. */
  retry: NoticeItem | undefined
  /** What a running hook wants people to read. */
  hookStatus: HookStatus | undefined
  /** The slash commands it takes, without the slash. */
  commands: readonly string[]
}

/** The `statusMessage` of a hook that runs. */
export type HookStatus = {
  /** The id of its run. */
  hook: string
  /** The message. */
  text: string
}

/** What became of an item. */
export type ViewChange =
  | {
      /** The item it happened to. */
      item: ViewItem
      /**
       * `written`: its stream is over, and its entry follows. `input`: the call's input is known. `task`: its task or
       * sub-agent did something. `changed`: anything else, its `state` above all.
       */
      what: 'added' | 'removed' | 'written' | 'input' | 'task' | 'changed'
    }
  | {
      /** The item that became longer. */
      item: ViewItem
      /** Its text, partial input, or output became longer. */
      what: 'grew'
      /** What was added. */
      piece: string
    }
  | {
      /** The text that is whole now. */
      item: TextItem
      /** It has its final text. */
      what: 'completed'
      /** The part that hadn't come before. */
      piece: string
    }
  | {
      /** The call that runs. */
      item: ToolItem
      /** It still runs. */
      what: 'progress'
      /** How long it has run. */
      seconds: number
    }
