/** A call whose input was no JSON object, or too much of it: in the conversation it is `{}`, but it never runs as if that had been said. */
import type { ToolUseBlock } from '../protocol/content.js'

/** On the way from the model's port to whoever reads the call; never on a wire. */
const WHY = Symbol('why the input can not be read')

/** `why` ends the sentence "The input of this call …". */
export function markUnreadableInput<Block extends object>(block: Block, why: string): Block & { input: object } {
  return Object.assign({ ...block, input: {} }, { [WHY]: why })
}

/** The block as others know it, and why it does not run. */
export function takeUnreadableReason(block: ToolUseBlock & { [WHY]?: string }): {
  block: ToolUseBlock
  why: string | undefined
} {
  const { [WHY]: why, ...rest } = block
  return { block: rest, why }
}
