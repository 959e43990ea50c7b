/** The one bound on what a tool may put into the conversation: too much text loses its middle, never its two ends. */
import type { ToolOutcome } from '../engine/ports.js'
import type { ToolResultContent } from '../protocol/content.js'

export function cutToolOutcome(outcome: ToolOutcome, maxCharacters: number): ToolOutcome {
  if (!outcome.ok) return { ...outcome, error: cutMiddle(outcome.error, maxCharacters) }
  return { ...outcome, content: boundContent(outcome.content, maxCharacters) }
}

export function cutMiddle(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  const head = endOfWholeCharacter(text, Math.ceil(maxCharacters / 2))
  const tail = endOfWholeCharacter(text, text.length - Math.floor(maxCharacters / 2))
  return `${text.slice(0, head)}\n\n… [${tail - head} characters left out here] …\n\n${text.slice(tail)}`
}

/** All text blocks together share the limit, first come first served. */
function boundContent(content: string | ToolResultContent[], maxCharacters: number): string | ToolResultContent[] {
  if (typeof content === 'string') return cutMiddle(content, maxCharacters)
  let left = maxCharacters
  return content.map((block) => {
    if (block.type !== 'text') return block
    const text = cutMiddle(block.text, left)
    left = Math.max(0, left - block.text.length)
    return text === block.text ? block : { ...block, text }
  })
}

/** Not between the two halves of a surrogate pair. */
export function endOfWholeCharacter(text: string, at: number): number {
  const before = text.charCodeAt(at - 1)
  return before >= 0xd800 && before <= 0xdbff ? at - 1 : at
}
