/** Prompts as callers send them and see them waiting. */
import type { ContentBlockParam } from '../protocol/content.js'
import type { Person } from './ask-types.js'

/** `queue`: after what is running and waiting. `steer`: the running turn reads it at the next safe point. */
export type PromptTiming = 'queue' | 'steer'

export type NewPrompt = {
  /** The caller's own: sending the same twice is one prompt. */
  id: string
  content: string | ContentBlockParam[]
  when?: PromptTiming
  by?: Person
}

export type Prompt = NewPrompt & { when: PromptTiming }

/**
 * The confirmation that a prompt was queued. `seq`: the log's entry that says it was taken. `repeated`: it was taken
 * before.
 */
export type PromptReceipt = { id: string; seq: number; repeated: boolean }
