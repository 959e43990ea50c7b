/** Reads the history of a request: what the user asked last, and what has come of it so far. */
import type { ContentBlockParam, MessageParam, ToolResultBlockParam } from '../../protocol/content.js'
import { MID_TURN_PROMPT_PREFIX } from '../../protocol/shown/own-tags.js'

/** What a tool call led to. */
export type PracticeToolOutcome = { text: string; isError: boolean }

export type PracticeConversation = {
  prompt: string
  /** Outcomes of our own calls since the prompt, in order. */
  outcomes: PracticeToolOutcome[]
  /** What we said last before the prompt. */
  saidBefore: string
  /** A user message came in while tools ran. */
  interjected: boolean
  /** Blocks in the whole history: every new request has more of them, so it makes ids that never repeat. */
  blocks: number
}

export const PRACTICE_CALL_ID_PREFIX = 'toolu_practice_'

/** Written into the history by the engine, not by the user. */
const NOT_THE_USER = /^(?:<system-reminder>|\[Request interrupted by user)/
const HOOK_FEEDBACK = 'Stop hook feedback:\n'
/** What has come during a turn stands behind the results of its calls. */
const BESIDE_RESULTS = new RegExp(`^(?:${MID_TURN_PROMPT_PREFIX}|<task-notification>)`)

export function readConversation(messages: readonly MessageParam[]): PracticeConversation {
  const history = messages.map(({ role, content }) => ({ role, blocks: toBlocks(content) }))
  const asking = history.findLastIndex(({ role, blocks }) => role === 'user' && lastWords(blocks) !== undefined)
  const since = history.slice(asking + 1).flatMap(({ blocks }) => blocks)
  const results = new Map(since.flatMap((block) => (block.type === 'tool_result' ? [[block.tool_use_id, block]] : [])))
  const calls = since.flatMap((block) =>
    block.type === 'tool_use' && block.id.startsWith(PRACTICE_CALL_ID_PREFIX) ? [block.id] : [],
  )
  return {
    prompt: lastWords(history[asking]?.blocks ?? []) ?? '',
    outcomes: calls.map((id) => toOutcome(results.get(id))),
    saidBefore: textOf(
      history.slice(0, Math.max(asking, 0)).findLast(({ role }) => role === 'assistant')?.blocks ?? [],
    ),
    interjected: since.some((block) => isInterjection(block)),
    blocks: history.reduce((sum, { blocks }) => sum + blocks.length, 0),
  }
}

/** The user's own text at the end of a message; tool results and notes of the engine may stand before it. */
function lastWords(blocks: readonly ContentBlockParam[]): string | undefined {
  const hasResults = blocks.some(({ type }) => type === 'tool_result')
  const start = blocks.findLastIndex((block) => {
    if (block.type === 'tool_result') return true
    if (block.type !== 'text') return false
    return NOT_THE_USER.test(block.text) || (hasResults && BESIDE_RESULTS.test(block.text))
  })
  const text = textOf(blocks.slice(start + 1))
  if (text === '') return undefined
  return text.startsWith(HOOK_FEEDBACK) ? text.slice(HOOK_FEEDBACK.length) : text
}

function toOutcome(result: ToolResultBlockParam | undefined): PracticeToolOutcome {
  if (!result) return { text: 'There is no result of this call.', isError: true }
  const text = textOf(toBlocks(result.content ?? ''))
  return { text, isError: result.is_error === true }
}

function isInterjection(block: ContentBlockParam): boolean {
  return block.type === 'text' && block.text.startsWith(MID_TURN_PROMPT_PREFIX)
}

function toBlocks(content: string | readonly ContentBlockParam[]): readonly ContentBlockParam[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function textOf(blocks: readonly ContentBlockParam[]): string {
  return blocks
    .flatMap((block) => (block.type === 'text' ? block.text : block.type === 'image' ? '[an image]' : []))
    .join('\n')
}
