/** What a conversation is made of when it is shown. Each item tells by `rev` that it has changed. */
import { type Signal, signal } from '@preact/signals'
import type { Ask, AskAnswer, ContentBlockParam, Person, SDKResultMessage } from '../wire/wire-types.js'

type Common = { key: string; rev: Signal<number>; seq: number; at: string }

export type PromptItem = Common & {
  kind: 'prompt'
  id: string
  content: string | readonly ContentBlockParam[]
  by: Person | undefined
  /** Its `uuid` in the transcript, from when it was begun: a rewind goes there. */
  message: string | undefined
  end: 'done' | 'interrupted' | undefined
}
/** `live`: more is to come. */
export type TextItem = Common & { kind: 'text' | 'thinking'; text: string; live: boolean }
export type ToolItem = Common & {
  kind: 'tool'
  useId: string
  /** The call that started the sub-agent it is of; empty: the main thread. */
  parent: string
  name: string
  input: Record<string, unknown>
  /** While the model is still writing the input. */
  partial: string
  live: boolean
  /** What a command has printed so far. */
  output: string
  /** When the call started to run, which is after its approval. */
  startedAt: number
  /** Whether the call waits for a user's decision or answer. */
  isWaiting: boolean
  result: ShownToolResult | undefined
  /** For a sub-agent: its text and its calls. */
  children: Item[]
  agentTokens: number
}
export type ShownToolResult = {
  content: string | readonly ContentBlockParam[]
  isError: boolean
  detail: unknown
  ms: number
}
export type AskItem = Common & { kind: 'ask'; ask: Ask; closed: AskEnd | undefined }
export type AskEnd = { answer: AskAnswer; by: Person } | { withdrawn: string }
export type NoticeItem = Common & {
  kind: 'notice'
  tone: 'plain' | 'warning' | 'error' | 'mark'
  text: string
  detail?: string
  /** The fix, as a sentence. */
  fix?: string
  /** The full response that the message was made from. */
  raw?: string
  /** A retry comes then, in milliseconds since 1970. */
  until?: number
}
export type TurnItem = Common & {
  kind: 'turn'
  result: SDKResultMessage
  costUsd: number
  /** The part of its duration spent waiting for users, in ms. */
  waitedMs: number
  /** Whether its error was already shown as an item. */
  isTold: boolean
}

export type Item = PromptItem | TextItem | ToolItem | AskItem | NoticeItem | TurnItem

export type Task = {
  id: string
  type: string
  description: string
  status: string
  useId: string | undefined
  summary: string | undefined
  tokens: number
  lastTool: string | undefined
  since: string
}

/** What happened beside the conversation. */
export type Activity = { at: string; what: 'mcp' | 'hook'; name: string; text: string; isError: boolean }

let made = 0

export function newItem<K extends Item['kind']>(
  kind: K,
  fields: Omit<Extract<Item, { kind: K }>, 'kind' | 'rev' | 'key'> & { key?: string },
) {
  made += 1
  return { key: `i${made}`, rev: signal(0), kind, ...fields } as Extract<Item, { kind: K }> // of its kind
}

export function touch(item: { rev: Signal<number> }): void {
  item.rev.value += 1
}
