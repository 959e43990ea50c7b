/** Makes a conversation shorter by putting a summary in its place: on request, near the limit, or when the API refuses its length. */
import { reminder } from '../../engine/loop.js'
import type { ModelFailure } from '../../engine/ports.js'
import { asContinuation, GO_ON, SUMMARISER, summaryRequest } from '../../prompts/summary-texts.js'
import type { ContentBlockParam, MessageParam } from '../../protocol/content.js'
import type { SummaryRequest } from '../../protocol/options.js'
import { quietCall } from '../permission/quiet-call.js'
import type { SessionParts, Summarize } from '../session-parts.js'
import { textOf } from '../tools/ask-model.js'
import { compactionLimit } from './compaction-limit.js'
import { leaveOutResults } from './old-results.js'
import { openingTexts } from './turn-prompt.js'

/** Why there is no summary. */
type Problem = { text: string }

export type Trigger = 'manual' | 'auto'
export type Compacted =
  | { ok: true; summary: string; preTokens: number; context: string[]; hooks: string[] }
  | { ok: false; problem: string }

const SUMMARY_TOKENS = 20_000
/** How often the oldest half is left out when even the summariser can't take it all. */
const MAX_CUTS = 4
/** Files that were read last are given again. */
const RESTORED_FILES = 5
const RESTORED_CHARACTERS = 20_000

/** Hooks, the summary, hooks again. Nothing is replaced yet. */
export async function summarise(
  parts: SessionParts,
  trigger: Trigger,
  instructions: string | null,
  signal: AbortSignal,
  messages: readonly MessageParam[] = parts.history.messages,
): Promise<Compacted> {
  const { hooks, emitter, context } = parts
  if (messages.length === 0) return { ok: false, problem: 'There is nothing to compact yet.' }
  const before = await hooks.preCompact({ trigger, custom_instructions: instructions }, signal)
  if (before.block !== undefined) return { ok: false, problem: before.block }
  emitter.compacting(true)
  const wishes = [...(instructions ? [instructions] : []), ...before.instructions]
  const preTokens = context.tokens
  const summary = await (parts.summarize
    ? askHost(parts.summarize, { trigger, instructions: wishes, messages: [...messages] }, signal)
    : askForSummary(parts, messages, wishes, signal))
  const about = { preTokens, hooks: before.completed }
  const result: Compacted =
    typeof summary === 'string'
      ? { ok: true, summary, ...about, context: await hooks.sessionStart('compact', parts.model.current(), signal) }
      : { ok: false, problem: summary.text }
  emitter.compacting(false)
  if (result.ok) await hooks.postCompact({ trigger, compact_summary: result.summary }, signal)
  return result
}

/** The summary takes the place of all that was said; `next` follows it. */
export async function replaceBySummary(
  parts: SessionParts,
  { summary, preTokens, context }: Compacted & { ok: true },
  trigger: Trigger,
  { next, signal }: { next: readonly ContentBlockParam[]; signal: AbortSignal },
): Promise<void> {
  const text = asContinuation(summary)
  const files = await recentFiles(parts, signal)
  const { listing, instructions } = openingTexts(parts.project)
  parts.opening = { listing: [], instructions: [] }
  parts.project.forgetNested()
  const reminders = [...context, ...listing, ...instructions, ...files].map(reminder)
  const rest = reminders.map((one): ContentBlockParam => ({ type: 'text', text: one }))
  parts.turn.promptParent = await parts.emitter.compacted(trigger, preTokens, text, rest, next)
  parts.history.replace([{ role: 'user', content: [{ type: 'text', text }, ...rest, ...next] }])
  parts.context = { tokens: 0, failedAt: 0 }
}

/** For the loop: true when the history was replaced. */
export async function makeRoom(parts: SessionParts, why: 'near' | 'too-long', signal: AbortSignal): Promise<boolean> {
  const { context, settings, model } = parts
  const limit = compactionLimit(model.contextWindow(), settings)
  if (limit === undefined || parts.history.messages.length === 0 || parts.ports.overBudget()) return false
  // One that failed is not tried again at every step.
  if (why === 'near' && (context.tokens < limit || context.tokens <= context.failedAt)) return false
  if (why === 'near' && leaveOutResults(parts, limit)) return true
  // A question that has no answer yet is not summed up.
  const { messages } = parts.history
  const open = parts.inLoop ? messages.at(-1) : undefined
  const asked = open && isPrompt(open) ? open.content : undefined
  const past = asked ? messages.slice(0, -1) : messages
  if (past.length === 0) return false
  const compacted = await summarise(parts, 'auto', null, signal, past)
  if (signal.aborted) return false
  if (!compacted.ok) {
    context.failedAt = Math.min(context.tokens * 1.1, (limit + model.contextWindow()) / 2)
    await parts.emitter.inform(`The conversation could not be compacted: ${compacted.problem}`, 'warning')
    return false
  }
  // In the middle of a turn the task itself is kept word for word: a summary may have lost what matters in it.
  const task = parts.turn.asked ? `\n\nThe request you are working on:\n${parts.turn.asked}` : ''
  const goOn: ContentBlockParam[] = parts.inLoop ? [{ type: 'text', text: `${GO_ON}${task}` }] : []
  const next = asked === undefined ? goOn : typeof asked === 'string' ? [{ type: 'text' as const, text: asked }] : asked
  await replaceBySummary(parts, compacted, 'auto', { next, signal })
  return true
}

async function askHost(summarize: Summarize, request: SummaryRequest, signal: AbortSignal): Promise<string | Problem> {
  try {
    return await summarize(structuredClone(request), signal)
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error) }
  }
}

async function askForSummary(
  { model, offered, ports }: SessionParts,
  all: readonly MessageParam[],
  wishes: readonly string[],
  signal: AbortSignal,
): Promise<string | ModelFailure> {
  const request = summaryRequest(wishes)
  const read = offered.find(({ name }) => name === 'Read')
  let messages = all
  let failure: ModelFailure = { kind: 'unknown', code: 'aborted', text: 'it was interrupted', status: null }
  for (let cuts = 0; cuts <= MAX_CUTS; cuts += 1) {
    const stream = ports.model.stream(
      {
        model: model.current(),
        system: [SUMMARISER],
        // The API wants to know of tools where the history holds calls.
        tools: read ? [read] : offered,
        messages: withRequest(messages, request),
        partial: false,
        plain: true,
        maxTokens: SUMMARY_TOKENS,
      },
      signal,
    )
    for await (const event of stream) {
      if (event.type !== 'end') continue
      if (event.outcome.ok) {
        const text = textOf(event.outcome.message.content)
        return text || { kind: 'unknown', code: 'empty_summary', text: 'the model wrote no summary', status: null }
      }
      failure = event.outcome.failure
    }
    if (failure.code !== 'prompt_too_long' || signal.aborted) return failure
    messages = withoutOldest(messages)
  }
  return failure
}

/** The API wants roles to alternate, and an answer to every call. */
function withRequest(messages: readonly MessageParam[], request: string): MessageParam[] {
  const last = messages.at(-1)
  const block = { type: 'text' as const, text: request }
  if (last?.role !== 'user') return [...messages, { role: 'user', content: [block] }]
  const content = typeof last.content === 'string' ? [{ type: 'text' as const, text: last.content }] : last.content
  return [...messages.slice(0, -1), { role: 'user', content: [...content, block] }]
}

/** The newer half, from a message on that answers no call. */
export function withoutOldest(messages: readonly MessageParam[]): MessageParam[] {
  const middle = Math.ceil(messages.length / 2)
  const start = messages.findIndex((message, index) => index >= middle && isPrompt(message))
  if (start > 0) return messages.slice(start)
  // One endless turn: what it did last, without the results whose calls are gone.
  const rest = messages.slice(Math.max(middle, 1))
  const [first] = rest
  if (!first || first.role === 'assistant') return [{ role: 'user', content: 'The beginning was left out.' }, ...rest]
  return [{ role: 'user', content: 'The beginning was left out.' }, ...rest.slice(1)]
}

function isPrompt({ role, content }: MessageParam): boolean {
  return role === 'user' && (typeof content === 'string' || !content.some((block) => block.type === 'tool_result'))
}

/** What the agent had read last, as far as it may still be read. */
async function recentFiles(parts: SessionParts, signal: AbortSignal): Promise<string[]> {
  const paths = [...parts.readFiles.keys()].slice(-RESTORED_FILES)
  parts.readFiles.clear()
  const texts: string[] = []
  for (const path of paths) {
    const { result } = await quietCall(parts, 'Read', { file_path: path }, signal)
    const content = result && !result.block.is_error ? result.block.content : undefined
    if (typeof content !== 'string') continue
    texts.push(`You had read ${path} before. It now reads:\n${content.slice(0, RESTORED_CHARACTERS)}`)
  }
  return texts
}
