/** One user turn, from the message to its one `result`: hooks, init, the loop, and an honest end whatever happens. */
import type { TurnEnd } from '../../engine/loop.js'
import type { TurnBeginning } from '../../engine/turn-beginning.js'
import { turnUsage } from '../../model/usage.js'
import { isVariableOn } from '../../platform/switch.js'
import type { ContentBlockParam, UUID } from '../../protocol/content.js'
import type { TerminalReason } from '../../protocol/messages.js'
import { messageOf } from '../../protocol/thrown.js'
import { applyAgentToMainThread } from '../agents/known-agents.js'
import { type Conversation, type MainThread, newTurnState } from '../conversation.js'
import { currentModel, initMessage } from '../messages/init-message.js'
import { createResultMessage, type TurnResultFields, totalsOf } from '../messages/result.js'
import { isFromUser, type UserTurnMessage } from '../messages/user-message.js'
import { describeSpentLimit } from '../model-setup.js'
import { warnIncompleteEnvironment } from '../session-opening.js'
import { giveUpOpenCalls, NOTHING_TO_CONTINUE_RESULT } from './continued-turn.js'
import { makeRoomInContext } from './make-room.js'
import { leaveOutRefusedContent } from './refused-content.js'
import { runTurnLoop, type TurnLoopRecord } from './run-loop.js'
import { runSlashCommand, type TypedCommandOutcome } from './slash-commands.js'
import { contextBlocks, promptBlocks, recordPrompt } from './turn-prompt.js'

type PlayedFacts = Omit<TurnResultFields, 'durationMs' | 'usage' | 'denials'>

const UNASKED =
  "A call needed permission and nobody could be asked (onAsk is 'fail'): allow it with a rule, or answer with canUseTool."

export async function runUserTurn(
  conversation: MainThread,
  message: UserTurnMessage,
  turn: AbortController,
): Promise<void> {
  const { clock, identity } = conversation.shared.platform
  const started = clock.monotonic()
  const record: TurnLoopRecord = { usages: [], denials: conversation.turn.denials }
  conversation.structured.begin()
  let facts: PlayedFacts
  try {
    facts = await (message.continues
      ? playOn(conversation, turn.signal, record)
      : play(conversation, message, turn.signal, record))
  } catch (error) {
    // A bug of ours. The host still gets its result, and the session continues.
    const text = messageOf(error)
    facts = { reason: 'internal_error', text: '', errors: [text], errorCode: 'internal_error', numTurns: 1 }
  } finally {
    for (const takeBack of conversation.turn.takeBack) takeBack()
    conversation.turn = newTurnState()
  }
  if (turn.signal.reason === 'timeout' && facts.reason.startsWith('aborted')) {
    const seconds = (conversation.shared.settings.timeoutMs ?? 0) / 1000
    facts = { ...facts, reason: 'timeout', errors: [`Timed out after ${seconds} s`], errorCode: 'timeout' }
  }
  facts = await unlessNotSaved(conversation, facts, turn.signal)
  await conversation.shared.background.endOvertime()
  // As observed: a turn that ran out of budget reports no usage of its own, only the totals.
  const usage = turnUsage(facts.reason === 'budget_exhausted' ? [] : record.usages)
  const result = createResultMessage(
    {
      ...facts,
      durationMs: clock.monotonic() - started,
      usage,
      denials: record.denials,
      pending: conversation.shared.background.pending(),
      ...(message.origin ? { origin: message.origin } : {}),
      ...(message.uuid !== undefined && isFromUser(message) ? { userMessage: message.uuid } : {}),
    },
    totalsOf(conversation.shared.ledger),
    conversation.shared.sessionId,
    identity.uuid(),
  )
  conversation.shared.results.count += 1
  conversation.shared.results.lastIsError = result.is_error
  conversation.emitter.flushReplays()
  conversation.shared.background.announceStarts()
  await conversation.shared.checkpoints.end()
  for (const model of conversation.shared.ledger.newlyUnpriced()) {
    await conversation.emitter.inform(`The price of ${model} is not known: its requests count as 0 USD.`, 'warning')
  }
  for (const model of conversation.shared.ledger.newlyEstimated()) {
    const text = `The endpoint does not say what ${model} uses: tokens and cost are estimated by length, and budgets count them.`
    await conversation.emitter.inform(text, 'warning')
  }
  const sent = conversation.emitter.send(result)
  if (!turn.signal.aborted) await sent
}

/** A result says that all before it is kept; where it is not, it says that. */
async function unlessNotSaved<Facts extends Pick<TurnResultFields, 'reason' | 'errors' | 'errorCode'>>(
  { ports }: Conversation,
  facts: Facts,
  signal: AbortSignal,
): Promise<Facts> {
  const known = facts.reason === 'session_taken_over' || facts.reason === 'session_store_failed'
  // Closing the session doesn't wait for the transcript.
  if (!ports.saved || (!known && signal.reason === 'closed')) return facts
  const reason = known ? facts.reason : await ports.saved()
  if (reason === undefined) return facts
  const text =
    reason === 'session_taken_over'
      ? 'Another program has taken this session over. Nothing more of it is run here.'
      : 'The session store takes no more lines, so nothing more is run.'
  return { ...facts, reason, errors: [text], errorCode: reason }
}

async function play(
  conversation: MainThread,
  message: UserTurnMessage,
  signal: AbortSignal,
  record: TurnLoopRecord,
): Promise<PlayedFacts> {
  const { hooks, emitter, history } = conversation
  const uuid: UUID = message.uuid ?? conversation.shared.platform.identity.uuid()
  // Before anything runs: a command of the user may run others itself.
  if (isFromUser(message)) await conversation.shared.checkpoints.begin(uuid)
  // A host that sent no `initialize` may still have chosen an agent that a file defines.
  const problem = applyAgentToMainThread(conversation)
  // Hooks judge what the user says, not what our own tasks have to tell.
  const verdict = isFromUser(message) ? await hooks.promptSubmit(message.text, signal) : { context: [] }
  const isHeld = verdict.blocked !== undefined || problem !== undefined
  const command: TypedCommandOutcome = isHeld ? { kind: 'none' } : await runSlashCommand(conversation, message, signal)
  await conversation.shared.mcp.ready(signal)
  await emitter.send(initMessage(conversation))
  for (const notice of conversation.model.newNotices()) await emitter.inform(notice, 'warning')
  if (conversation.shared.results.count === 0) await warnIncompleteEnvironment(conversation)
  if (isFromUser(message)) emitter.replay(message.content, uuid)
  if (verdict.blocked) {
    return { reason: 'prompt_blocked', text: '', errors: [], numTurns: verdict.blocked.stopped ? 2 : 0 }
  }
  if (problem !== undefined) {
    return { reason: 'invalid_input', text: '', errors: [problem], errorCode: 'invalid_option', numTurns: 0 }
  }
  const missing = conversation.shared.mcp.missing()
  if (missing.length > 0) {
    return { reason: 'mcp_required', text: '', errors: missing, errorCode: 'mcp_required', numTurns: 0 }
  }
  const blocks = promptBlocks(command, message)
  if (!blocks) {
    if (signal.aborted) return { reason: 'aborted_streaming', text: '', errors: [], numTurns: history.messages.length }
    const text = await answerCommand(conversation, command)
    return { reason: 'completed', text, errors: [], numTurns: history.messages.length }
  }
  await giveUpOpenCalls(conversation)
  await makeRoomInContext(conversation, 'near', signal)
  const said = message.task ? '' : message.text
  const context = await contextBlocks(conversation, verdict.context, command, said, signal)
  conversation.turn.prompt = { parent: conversation.transcript.parent, context }
  recordPrompt(conversation, command, message, uuid)
  conversation.turn.asked = message.text
  history.addUser([...context, ...blocks])

  return loop(conversation, record, signal, { blocks })
}

/** The same where a turn was left: nobody says anything, so nobody judges it and nothing is written down for it. */
async function playOn(conversation: MainThread, signal: AbortSignal, record: TurnLoopRecord): Promise<PlayedFacts> {
  const { beginning, mcp, results } = conversation.shared
  const problem = applyAgentToMainThread(conversation)
  await mcp.ready(signal)
  await conversation.emitter.send(initMessage(conversation))
  if (results.count === 0) await warnIncompleteEnvironment(conversation)
  if (problem !== undefined) {
    return { reason: 'invalid_input', text: '', errors: [problem], errorCode: 'invalid_option', numTurns: 0 }
  }
  return beginning
    ? loop(conversation, record, signal, { beginning })
    : { ...NOTHING_TO_CONTINUE_RESULT, errors: [...NOTHING_TO_CONTINUE_RESULT.errors] }
}

/** `blocks`: of the prompt. */
async function loop(
  conversation: MainThread,
  record: TurnLoopRecord,
  signal: AbortSignal,
  { blocks, beginning }: { blocks?: ContentBlockParam[]; beginning?: TurnBeginning },
): Promise<PlayedFacts> {
  const { live, settings } = conversation.shared
  const summaries = isVariableOn(live.env.CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES)
    ? (await import('./tool-summaries.js')).createToolCallSummarizer(conversation, signal)
    : undefined
  const end = await runTurnLoop(conversation, { ...record, summaries }, settings.maxTurns, signal, beginning)
  await summaries?.finish()
  const { failure } = end
  if (failure && blocks) await leaveOutRefusedContent(conversation, blocks, failure)
  if (failure) await conversation.hooks.stopFailure(failure.kind, failure.text, end.text, signal)
  return {
    ...toFacts(end, conversation),
    ...(failure ? { errorFix: await conversation.model.fixFor(failure, currentModel(conversation)) } : {}),
  }
}

/** A command that is over without the model; returns the text of the result. */
async function answerCommand({ emitter }: Conversation, command: TypedCommandOutcome): Promise<string> {
  if (command.kind === 'answered') return command.text
  if (command.kind === 'failed') await emitter.localError(command.problem)
  if (command.kind !== 'own') return ''
  const { text, failed, announce } = command.answer
  if (failed) {
    await emitter.localError(text)
    return ''
  }
  await announce?.()
  await emitter.localOutput(text)
  // As observed: the summary is all there is to say about a compaction.
  return announce ? '' : text
}

function toFacts(end: TurnEnd, { structured, model, shared: { settings } }: Conversation): PlayedFacts {
  const { failure } = end
  const limit = end.reason === 'budget_exhausted' ? model.limitReached() : undefined
  const reason: TerminalReason = failure?.code === 'not_authenticated' ? 'not_authenticated' : (limit ?? end.reason)
  const own = reason === 'max_tokens' || reason === 'max_tool_calls' || reason === 'permission_required'
  const errors = own ? [limit ? describeSpentLimit(limit, settings) : UNASKED] : []
  return {
    reason,
    text: failure ? failure.text : end.text,
    stopReason: end.stopReason,
    errors: reason === 'structured_output_retries_exhausted' ? structured.errors() : errors,
    ...(own ? { errorCode: reason } : failure ? { errorCode: failure.code } : {}),
    ...(structured.given() ? { structured: structured.given() } : {}),
    numTurns: 1 + end.userMessages,
  }
}
