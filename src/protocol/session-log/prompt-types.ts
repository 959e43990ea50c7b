/** Prompts as callers send them and see them waiting. */
import type { ContentBlockParam } from '../content.js'
import type { Person } from './ask-types.js'

/** `queue`: after what is running and waiting. `steer`: the running turn reads it at the next safe point. */
export type PromptTiming = 'queue' | 'steer'

export type NewPrompt = {
  /** The caller's own: sending the same twice is one prompt. */
  id: string
  /** Its text, or its text, images, and documents as blocks. */
  content: string | ContentBlockParam[]
  /** Default: `queue`. */
  when?: PromptTiming
  /** The sender. */
  by?: Person
}

/** A prompt that a session has taken. */
export type Prompt = NewPrompt & {
  /** When its turn comes. */
  when: PromptTiming
}

/** The confirmation that a prompt was queued. */
export type PromptReceipt = {
  /** The id of the prompt. */
  id: string
  /** Number of the log entry that says it was taken. */
  seq: number
  /** It was taken before. */
  repeated: boolean
}
