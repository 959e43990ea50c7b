/**
 * Turns what is left of a conversation into one the API accepts: roles alternate, every call has its result, every result its
 * call, and nothing is in it that would be refused. Nothing is run again.
 */
import type { ContentBlockParam, MessageParam, ToolResultBlockParam } from '../protocol/content.js'
import { isEmptyText, repairContentBlock } from './repair-content-block.js'
import type { IndexedLine } from './session-index.js'

type Role = 'user' | 'assistant'
type Message = { role: Role; content: ContentBlockParam[] }

/** Nobody wrote down whether it began. */
const INTERRUPTED = 'This call was interrupted before it returned a result. It may or may not have taken effect.'
export const CUT_OFF_CALL_TEXT = `${INTERRUPTED} Look before you repeat it.`
const NEVER_BEGAN = 'The session was cut off before this call began. It was not run.'
const CALL_LOST = 'The result of a tool call that could not be read:'
const BEGINNING_LOST = 'The beginning of this conversation could not be read.'

/** `started`: the calls that are known to have begun. `open`: those that are still to be run. */
export function toModelMessages(
  chain: readonly IndexedLine[],
  started: ReadonlySet<string> = new Set(),
  open: ReadonlySet<string> = new Set(),
): { messages: MessageParam[]; repairs: string[] } {
  const count = { unusable: 0, interrupted: 0, neverBegan: 0, orphans: 0 }
  const noted = new Set(chain.flatMap(({ journaled, calls: ids }) => (journaled ? ids : [])))
  const whyMissing = (id: string) => (started.has(id) ? CUT_OFF_CALL_TEXT : noted.has(id) ? NEVER_BEGAN : INTERRUPTED)
  const calls = new Set<string>()
  const lines: Message[] = []
  for (const { kind, message } of chain) {
    if (kind === 'other' || !message || message.isSynthetic) continue
    lines.push({ role: kind, content: usableBlocks(kind, message.content, calls, count) })
  }
  const whole = merge(merge(lines).map((message) => withoutOpenThought(withoutHalfPairs(message, count))))
  const last = whole.at(-1)
  // A call at the very end gets the message that says what became of it.
  if (last?.role === 'assistant' && callsOf(last).length > 0) whole.push({ role: 'user', content: [] })
  const messages = merge(
    whole.map((message, i) => withResults(message, callsOf(whole[i - 1]), open, whyMissing, count)),
  )
  const startsLate = messages[0]?.role === 'assistant'
  if (startsLate) messages.unshift({ role: 'user', content: [{ type: 'text', text: BEGINNING_LOST }] })
  return { messages, repairs: notesOf(count, startsLate) }
}

function notesOf(
  { unusable, interrupted, neverBegan, orphans }: Record<string, number>,
  startsLate: boolean,
): string[] {
  return [
    ...(unusable ? [`${unusable} block(s) of the session can't be used and were left out`] : []),
    ...(interrupted ? [`${interrupted} tool call(s) had no result and were marked as interrupted`] : []),
    ...(neverBegan ? [`${neverBegan} tool call(s) had not begun and were marked as not run`] : []),
    ...(orphans ? [`${orphans} tool result(s) lost their call and were kept as text`] : []),
    ...(startsLate ? ['the beginning of the session is lost; it goes on from what is left'] : []),
  ]
}

/** A list of its own, which may be added to. */
function usableBlocks(
  role: Role,
  content: string | ContentBlockParam[],
  calls: Set<string>,
  count: { unusable: number },
): ContentBlockParam[] {
  const blocks: ContentBlockParam[] = []
  for (const block of typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content) {
    if (isEmptyText(block)) continue
    const usable = repairContentBlock(role, block)
    if (usable && !isRepeated(usable, calls)) blocks.push(usable)
    else count.unusable += 1
  }
  return blocks
}

/** Joins neighbors of the same role; empty ones are gone. */
function merge(messages: readonly Message[]): Message[] {
  const merged: Message[] = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (message.content.length === 0) continue
    if (last?.role === message.role) last.content.push(...message.content)
    else merged.push(message)
  }
  return merged
}

/** An answer that broke off while the model was thinking: it may not end with a thought. */
function withoutOpenThought(message: Message): Message {
  const isThought = ({ type }: ContentBlockParam) => type === 'thinking' || type === 'redacted_thinking'
  const last = message.content.at(-1)
  if (message.role === 'user' || !last || !isThought(last)) return message
  const end = message.content.findLastIndex((block) => !isThought(block))
  return { role: message.role, content: message.content.slice(0, end + 1) }
}

/** What the provider's own tools were asked and what they said belongs together. */
function withoutHalfPairs(message: Message, count: { unusable: number }): Message {
  const { role, content } = message
  if (!content.some((block) => block.type === 'server_tool_use' || isServerResult(block))) return message
  const asked = new Set(content.flatMap((block) => (block.type === 'server_tool_use' ? block.id : [])))
  const answered = new Set(content.flatMap((block) => (isServerResult(block) ? block.tool_use_id : [])))
  const whole = content.filter((block) => {
    if (block.type === 'server_tool_use') return answered.has(block.id)
    return !isServerResult(block) || asked.has(block.tool_use_id)
  })
  count.unusable += content.length - whole.length
  return { role, content: whole }
}

function isServerResult(block: ContentBlockParam): block is ContentBlockParam & { tool_use_id: string } {
  return block.type !== 'tool_result' && 'tool_use_id' in block && typeof block.tool_use_id === 'string'
}

const NO_CALLS: readonly string[] = []

function callsOf(message: Message | undefined): readonly string[] {
  if (!message?.content.some(({ type }) => type === 'tool_use')) return NO_CALLS
  return message.content.flatMap((block) => (block.type === 'tool_use' ? block.id : []))
}

/** Puts one result per call first, in the order of the calls, as they were sent. Drops results without a call. */
function withResults(
  message: Message,
  calls: readonly string[],
  open: ReadonlySet<string>,
  whyMissing: (id: string) => string,
  count: { interrupted: number; neverBegan: number; orphans: number },
): Message {
  const { role, content } = message
  if (calls.length === 0 && !content.some(({ type }) => type === 'tool_result')) return message
  const results = new Map<string, ContentBlockParam>()
  const rest: ContentBlockParam[] = []
  for (const block of content) {
    if (block.type !== 'tool_result') rest.push(block)
    else if (calls.includes(block.tool_use_id) && !results.has(block.tool_use_id)) results.set(block.tool_use_id, block)
    else {
      count.orphans += 1
      rest.push(...withoutCall(block))
    }
  }
  const inOrder = calls.flatMap((id): ContentBlockParam[] => {
    const found = results.get(id)
    if (found) return [found]
    if (open.has(id)) return []
    const content = whyMissing(id)
    count[content === NEVER_BEGAN ? 'neverBegan' : 'interrupted'] += 1
    return [{ type: 'tool_result', content, is_error: true, tool_use_id: id }]
  })
  return { role, content: [...inOrder, ...rest] }
}

/** A result whose call is lost: what it says is kept, in words that need no call. */
function withoutCall({ content }: ToolResultBlockParam): ContentBlockParam[] {
  const inner: ContentBlockParam[] = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
  const kept = inner.filter((block) => !isEmptyText(block) && ['text', 'image', 'document'].includes(block.type))
  return kept.length === 0 ? [] : [{ type: 'text', text: CALL_LOST }, ...kept]
}

function isRepeated(block: ContentBlockParam, calls: Set<string>): boolean {
  if (block.type !== 'tool_use') return false
  if (calls.has(block.id)) return true
  calls.add(block.id)
  return false
}
