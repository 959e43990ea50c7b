/** Makes room by leaving out the results of old tool calls, where a host asked for that: cheaper than a summary, and less is lost. */
import type { ContentBlockParam, MessageParam, ToolResultBlockParam } from '../protocol/content.js'

const LEFT_OUT = '[The result of this call was left out to make room. Call again if it is needed.]'
/** A rough mean over prose and code. */
const CHARACTERS_PER_TOKEN = 3.6

/** About how many tokens so many characters are. */
export function tokensForCharacters(characters: number): number {
  return Math.floor(characters / CHARACTERS_PER_TOKEN)
}

/**
 * Returns the messages with old tool results left out. `saved`: characters. Messages that stay as they are stay the
 * same objects.
 */
export function withoutOldToolResults(
  messages: readonly MessageParam[],
  keep: number,
): { messages: MessageParam[]; saved: number } {
  const results = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content.filter(isResult)))
  const old = new Set<ContentBlockParam>(results.slice(0, Math.max(0, results.length - keep)))
  let saved = 0
  const shorter = messages.map((message) => {
    const { content } = message
    if (typeof content === 'string' || !content.some((block) => old.has(block) && isLong(block))) return message
    const blocks = content.map((block) => {
      if (!old.has(block) || !isResult(block) || !isLong(block)) return block
      saved += sizeOf(block) - LEFT_OUT.length
      return { ...block, content: LEFT_OUT }
    })
    return { ...message, content: blocks }
  })
  return { messages: shorter, saved }
}

function isResult(block: ContentBlockParam): block is ToolResultBlockParam {
  return block.type === 'tool_result'
}

function isLong(block: ContentBlockParam): boolean {
  return isResult(block) && sizeOf(block) > 2 * LEFT_OUT.length
}

function sizeOf({ content }: ToolResultBlockParam): number {
  return typeof content === 'string' ? content.length : JSON.stringify(content ?? '').length
}
