/** The user message that answers the calls of one model answer, and how texts of ours are marked in it. */
import type { ContentBlockParam } from '../protocol/content.js'
import type { CallResult } from './finished-call.js'
import type { FoldedMessage } from './ports.js'

/** One user message: all results, then what tools say after them, then what hooks added, with waiting user messages folded in as reminders. */
export function toolResultBlocks(
  results: readonly CallResult[],
  beside: readonly string[],
  folded: readonly FoldedMessage[],
): ContentBlockParam[] {
  const blocks: ContentBlockParam[] = results.map(({ block }) => block)
  const followed = results.flatMap(({ follow }) => follow ?? [])
  const last = blocks.at(-1)
  const texts = folded.map(({ text }) => text).filter((text) => text !== '')
  if (texts.length > 0) {
    const note = reminder(
      `The user sent a message while you were working:\n${texts.join('\n')}\nTake it into account as you go on.`,
    )
    if (last?.type === 'tool_result' && typeof last.content === 'string') {
      blocks[blocks.length - 1] = { ...last, content: `${last.content}\n\n${note}` }
    } else {
      blocks.push({ type: 'text', text: note })
    }
  }
  for (const text of followed) blocks.push({ type: 'text', text })
  for (const text of beside) blocks.push({ type: 'text', text })
  for (const { blocks: attached } of folded) blocks.push(...attached)
  return blocks
}

export function reminder(text: string): string {
  return `<system-reminder>\n${text}\n</system-reminder>`
}
