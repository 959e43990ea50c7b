/** Makes a conversation shorter by putting a summary in its place: on request, near the limit, or when the API refuses its length. */
import { askForSummary, isPromptMessage } from '../../compaction/ask-summary.js'
import { tokensForCharacters, withoutOldToolResults } from '../../compaction/old-results.js'
import { CONTINUE_WORK_TEXT, continuationText } from '../../compaction/summary-texts.js'
import type { ContentBlockParam, MessageParam } from '../../protocol/content.js'
import type { SummaryRequest } from '../../protocol/options.js'
import { reminderText } from '../../protocol/shown/own-tags.js'
import { messageOf } from '../../protocol/thrown.js'
import type { Conversation, Summarize } from '../conversation.js'
import { currentModel, sessionSystemPrompt } from '../messages/init-message.js'
import { runCallWithoutAsking } from '../permission/call-without-asking.js'
import { openingTexts } from './opening-texts.js'
import { listRunningBackgroundTasks, stateTextsAfterCompaction } from './state-texts.js'

/** Why there is no summary. */
type Problem = { text: string }

export type CompactionTrigger = 'manual' | 'auto'
export type CompactionResult =
  | { ok: true; summary: string; preTokens: number; context: string[]; hooks: string[] }
  | { ok: false; problem: string }

/** Files that were read last are given again. */
const RESTORED_FILES = 5
const RESTORED_CHARACTERS = 20_000

/** Hooks, the summary, hooks again. Nothing is replaced yet. */
export async function summarizeConversation(
  conversation: Conversation,
  trigger: CompactionTrigger,
  instructions: string | null,
  signal: AbortSignal,
  messages: readonly MessageParam[] = conversation.history.messages,
): Promise<CompactionResult> {
  const { hooks, emitter, context } = conversation
  if (messages.length === 0) return { ok: false, problem: 'There is nothing to compact yet.' }
  const before = await hooks.preCompact({ trigger, custom_instructions: instructions }, signal)
  if (before.block !== undefined) return { ok: false, problem: before.block }
  emitter.compacting(true)
  const wishes = [...(instructions ? [instructions] : []), ...before.instructions]
  const preTokens = context.tokens
  const summary = await (conversation.shared.host.summarize
    ? askHost(conversation.shared.host.summarize, { trigger, instructions: wishes, messages: [...messages] }, signal)
    : askModel(conversation, messages, wishes, signal))
  const about = { preTokens, hooks: before.completed }
  const result: CompactionResult =
    typeof summary === 'string'
      ? {
          ok: true,
          summary,
          ...about,
          context: (await hooks.sessionStart('compact', conversation.model.current(), signal)).context,
        }
      : { ok: false, problem: summary.text }
  emitter.compacting(false)
  if (result.ok) await hooks.postCompact({ trigger, compact_summary: result.summary }, signal)
  return result
}

/** The summary takes the place of all that was said; `next` follows it. */
export async function replaceBySummary(
  conversation: Conversation,
  { summary, preTokens, context }: CompactionResult & { ok: true },
  trigger: CompactionTrigger,
  { next, signal }: { next: readonly ContentBlockParam[]; signal: AbortSignal },
): Promise<void> {
  const text = continuationText(summary)
  const { files, unread } = await recentFiles(conversation, signal)
  const state = await stateTextsAfterCompaction(conversation, unread)
  const started = new Set(listRunningBackgroundTasks(conversation).map(({ toolUseId }) => toolUseId))
  const { listing, instructions } = openingTexts(conversation.shared.project)
  Object.assign(conversation.toTell, { listing: [], instructions: [] })
  conversation.shared.project.forgetNested()
  const reminders = [...context, ...listing, ...instructions, ...state, ...files].map(reminderText)
  const rest = reminders.map((one): ContentBlockParam => ({ type: 'text', text: one }))
  const parent = await conversation.emitter.compacted({ trigger, preTokens, summary: text, rest, next })
  conversation.turn.prompt = { parent, context: [] }
  conversation.history.replace([{ role: 'user', content: [{ type: 'text', text }, ...rest, ...next] }])
  Object.assign(conversation.context, { tokens: 0, failedAt: 0, sent: undefined, compacted: true, started })
}

/** In the middle of things: true when the history was replaced. `limit`: tokens from which on it has to be. */
export async function compactNow(
  conversation: Conversation,
  why: 'near' | 'too-long',
  limit: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { context, model } = conversation
  if (why === 'near' && leaveOutResults(conversation, limit)) return true
  // A question that has no answer yet is not summed up.
  const { messages } = conversation.history
  const open = conversation.turn.inLoop ? messages.at(-1) : undefined
  const asked = open && isPromptMessage(open) ? open.content : undefined
  const past = asked ? messages.slice(0, -1) : messages
  if (past.length === 0) return false
  const compacted = await summarizeConversation(conversation, 'auto', null, signal, past)
  if (signal.aborted) return false
  if (!compacted.ok) {
    context.failedAt = Math.min(context.tokens * 1.1, (limit + model.contextWindow()) / 2)
    await conversation.emitter.inform(`The conversation could not be compacted: ${compacted.problem}`, 'warning')
    return false
  }
  // In the middle of a turn the task itself is kept word for word: a summary may have lost what matters in it.
  const task = conversation.turn.asked ? `\n\nThe request you are working on:\n${conversation.turn.asked}` : ''
  const continuation: ContentBlockParam[] = conversation.turn.inLoop
    ? [{ type: 'text', text: `${CONTINUE_WORK_TEXT}${task}` }]
    : []
  const next =
    asked === undefined ? continuation : typeof asked === 'string' ? [{ type: 'text' as const, text: asked }] : asked
  await replaceBySummary(conversation, compacted, 'auto', { next, signal })
  return true
}

async function askHost(summarize: Summarize, request: SummaryRequest, signal: AbortSignal): Promise<string | Problem> {
  try {
    return await summarize(structuredClone(request), signal)
  } catch (error) {
    return { text: messageOf(error) }
  }
}

/** Leaves out the results of old tool calls, where the host asked for that. True when that was enough. */
function leaveOutResults({ shared, history, context }: Conversation, limit: number): boolean {
  const { keepToolResults: keep } = shared.settings
  if (keep === undefined) return false
  const { messages, saved } = withoutOldToolResults(history.messages, keep)
  if (saved === 0) return false
  history.replace(messages)
  context.tokens = Math.max(0, context.tokens - tokensForCharacters(saved))
  return context.tokens < limit
}

function askModel(
  conversation: Conversation,
  messages: readonly MessageParam[],
  wishes: readonly string[],
  signal: AbortSignal,
) {
  const { offer, ports } = conversation
  const sent = { system: sessionSystemPrompt(conversation), tools: offer.definitions() }
  return askForSummary({ port: ports.model, model: currentModel(conversation), messages, wishes, ...sent }, signal)
}

/** The files that the agent read last, if they can still be read, and the paths of the other files it read. */
async function recentFiles(
  conversation: Conversation,
  signal: AbortSignal,
): Promise<{ files: string[]; unread: string[] }> {
  const { readFiles } = conversation.tools
  const all = [...readFiles.keys()]
  const unread = all.slice(0, -RESTORED_FILES)
  readFiles.clear()
  const files: string[] = []
  for (const path of all.slice(-RESTORED_FILES)) {
    const { result } = await runCallWithoutAsking(conversation, 'Read', { file_path: path }, signal)
    const content = result && !result.block.is_error ? result.block.content : undefined
    if (typeof content !== 'string') {
      // Too long to read at once, or removed.
      unread.push(path)
      continue
    }
    const isWhole = content.length <= RESTORED_CHARACTERS
    // A file that the model has only read in part can't be overwritten.
    if (!isWhole) readFiles.delete(path)
    files.push(
      isWhole
        ? `You had read ${path} before. It now reads:\n${content}`
        : `You had read ${path} before. It now begins as follows. Read it again before you edit it:\n${beginning(content)}`,
    )
  }
  return { files, unread }
}

/** Cuts at the end of a line. */
function beginning(content: string): string {
  const cut = content.slice(0, RESTORED_CHARACTERS)
  return cut.slice(0, cut.lastIndexOf('\n') + 1 || RESTORED_CHARACTERS)
}
