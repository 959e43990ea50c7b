/** The agent loop: one user turn, from the prompt in the history to the reason it ended. A function of its ports. */
import type { AssistantMessage, ContentBlockParam } from '../protocol/content.js'
import type { TerminalReason } from '../protocol/messages.js'
import { reminderText } from '../protocol/shown/own-tags.js'
import {
  type Fallback,
  type FallbackReason,
  fallbackReason,
  laterFallbackReasons,
  nextFallbackIndexForReason,
} from './fallbacks.js'
import { failedCallResult, INTERRUPTED_IN_TOOL } from './finished-call.js'
import type { History } from './history.js'
import type { PostToolVerdict } from './hook-port.js'
import { BUDGET_SPENT, type ModelFailure, type ToolDefinition } from './model-port.js'
import { type ModelResponse, requestModelResponse } from './model-request.js'
import { decideNextTurnStep, type NextTurnStep, type TurnSituation } from './next-step.js'
import type { EnginePorts } from './ports.js'
import { type ParsedCall, toEngineCall } from './read-call.js'
import { toolResultBlocks } from './result-message.js'
import { syntheticMessage } from './synthetic-message.js'
import { type CallResults, runToolCalls } from './tool-calls.js'
import type { EngineCall } from './tool-port.js'
import { type OpenCall, separateRerunnableCalls, type TurnBeginning } from './turn-beginning.js'

export type TurnInput = {
  history: History
  /** Read before each request: the host may change the model while a turn runs. */
  model(): string
  /** Models to turn to, in order. */
  fallbacks?: readonly Fallback[]
  system: readonly string[]
  tools(): readonly ToolDefinition[]
  partial: boolean
  maxTurns: number | null
  /** The turn continues where another left off. Absent: with the prompt in the history. */
  beginning?: TurnBeginning
}

export type TurnEnd = {
  reason: TerminalReason
  /** The last text the model wrote in this turn. */
  text: string
  /** As observed: known only of an answer that was not streamed. */
  stopReason: string | null
  failure?: ModelFailure
  /** The call that a hook deferred, with `tool_deferred`. */
  deferred?: EngineCall
  /** Tool results and texts of ours that entered the conversation: `num_turns` counts them. */
  userMessages: number
}

export const INTERRUPTED_TEXT = '[Request interrupted by user]'
const CUT_OFF_CALL = 'The answer was cut off at the output limit before this call was complete. It was not run.'
const NOT_FINISHED = 'The answer ended before this call was known to be complete'
const GO_ON = 'Your answer was cut off at the output limit. Go on exactly where it stopped, without repeating anything.'
const NO_ANSWER = 'You have thought, but written no answer. Write it now.'
const CUT_OFF =
  "API Error: The model's answer exceeded the output token limit. Set CLAUDE_CODE_MAX_OUTPUT_TOKENS to raise it."
const REFUSED = 'API Error: The model refused to answer this request.'

/** Where a turn stands. Each step changes it and says what has happened; `decideNextTurnStep` says what follows. */
type Turn = {
  readonly input: TurnInput
  readonly ports: EnginePorts
  readonly signal: AbortSignal
  readonly end: TurnEnd
  requests: number
  recoveries: number
  urged: boolean
  /** The next response continues the one that was cut off. */
  isContinued: boolean
  stopHookActive: boolean
  /** Which of the fallbacks is in use; -1: none. */
  fallbackAt: number
  answer?: ModelResponse
  /** Calls in the last response. */
  calls: readonly ParsedCall[]
  /** What another turn left of it. */
  left: readonly OpenCall[]
  /** A question is open. */
  waits: boolean
}

export async function runTurn(input: TurnInput, ports: EnginePorts, signal: AbortSignal): Promise<TurnEnd> {
  const turn: Turn = {
    input,
    ports,
    signal,
    end: { reason: 'completed', text: textIn(input.beginning), stopReason: null, userMessages: 0 },
    requests: 0,
    recoveries: 0,
    urged: false,
    isContinued: false,
    stopHookActive: false,
    fallbackAt: -1,
    ...beginningOf(input.beginning),
    waits: false,
  }
  let situation: TurnSituation | undefined
  for (;;) {
    const step = situation ? decideNextTurnStep(situation) : firstStep(turn)
    switch (step.go) {
      case 'request':
        situation = await request(turn)
        break
      case 'fall-back':
        situation = await fallBack(turn)
        break
      case 'recover':
        situation = await recover(turn)
        break
      case 'urge':
        situation = await urge(turn)
        break
      case 'run-tools':
        situation = await runTools(turn)
        break
      case 'refuse-cut-tools':
        situation = await refuseCutTools(turn)
        break
      case 'stop-hooks':
        situation = await runStopHooks(turn)
        break
      case 'park':
        turn.end.reason = turn.waits ? 'waiting' : turn.end.deferred ? 'tool_deferred' : 'yielded'
        return turn.end
      case 'end':
        // Calls that are not going to be run need a result too: the API refuses every later request without one.
        if (situation?.after === 'answer') input.history.addUser(turn.calls.map(notRun))
        return endTurn(turn, step.reason)
    }
  }
}

/** A budget that earlier turns spent stays spent. */
function firstStep({ input: { beginning, maxTurns }, calls, ports }: Turn): NextTurnStep {
  if (beginning?.at === 'calls') return { go: 'run-tools' }
  if (beginning?.at === 'answer') {
    const { stopReason } = beginning
    const answer = { ok: true as const, stopReason, toolUses: calls.length, empty: false }
    const counts = { recoveries: 0, requests: 0, maxTurns, overBudget: false }
    return decideNextTurnStep({ after: 'answer', aborted: false, answer, fallbackAvailable: false, ...counts })
  }
  return ports.overBudget() ? { go: 'end', reason: 'budget_exhausted' } : { go: 'request' }
}

function textIn(beginning: TurnBeginning | undefined): string {
  return beginning && 'text' in beginning ? beginning.text : ''
}

function beginningOf(beginning: TurnBeginning | undefined): Pick<Turn, 'calls' | 'left'> {
  const left = beginning && 'calls' in beginning ? beginning.calls : []
  return { left, calls: left.map(({ use }) => ({ call: toEngineCall(use) })) }
}

async function fallBack(turn: Turn): Promise<TurnSituation> {
  const from = modelOf(turn)
  const reason = turn.answer && reasonIn(turn.answer)
  const next = nextFallbackIndexForReason(turn.input.fallbacks ?? [], turn.fallbackAt, reason)
  if (next !== undefined && reason !== undefined) {
    turn.fallbackAt = next
    await turn.ports.emit({ type: 'fallback', from, to: modelOf(turn), reason })
  }
  return request(turn)
}

async function recover(turn: Turn): Promise<TurnSituation> {
  turn.recoveries += 1
  turn.isContinued = true
  await emitSynthetic(turn, CUT_OFF, 'max_output_tokens')
  await say(turn, GO_ON, 'hidden')
  return request(turn)
}

async function urge(turn: Turn): Promise<TurnSituation> {
  turn.urged = true
  await say(turn, NO_ANSWER, 'hidden')
  return request(turn)
}

async function request(turn: Turn): Promise<TurnSituation> {
  const { input, ports, signal, end } = turn
  // Before the first request of a turn the prompt is not part of what may be summed up: whoever adds it sees to that.
  if (turn.requests > 0) await ports.makeRoom?.('near', signal)
  const { fallbacks = [] } = input
  const waiting = laterFallbackReasons(fallbacks, turn.fallbackAt)
  const ask = () => requestModelResponse(input, modelOf(turn), waiting, ports, signal)
  let answer = await ask()
  if (isTooLong(answer) && (await ports.makeRoom?.('too-long', signal))) answer = await ask()
  turn.answer = answer
  turn.calls = answer.ok ? answer.calls : []
  const fallbackAvailable = nextFallbackIndexForReason(fallbacks, turn.fallbackAt, reasonIn(answer)) !== undefined
  // What is refused by one model and asked of another isn't part of the conversation.
  if (answer.ok && !fallbackAvailable) {
    turn.requests += 1
    input.history.addAssistant(answer.message)
    const text = lastText(answer.message)
    end.text = text === undefined ? end.text : turn.isContinued ? end.text + text : text
    turn.isContinued = false
    end.stopReason = answer.streamed ? null : answer.message.stop_reason
  }
  return {
    after: 'answer',
    aborted: signal.aborted,
    overBudget: ports.overBudget(),
    answer: describeAnswer(answer),
    fallbackAvailable,
    yielding: ports.yields?.() === true,
    recoveries: turn.recoveries,
    urged: turn.urged,
    requests: turn.requests,
    maxTurns: input.maxTurns,
  }
}

async function runTools(turn: Turn): Promise<TurnSituation> {
  const { ports, signal } = turn
  // Calls of another turn are looked at once.
  const { run, lost } =
    turn.left.length > 0 ? await separateRerunnableCalls(turn.left, ports) : { run: turn.calls, lost: [] }
  turn.left = []
  const { results, ...rest } = await runToolCalls(run, ports, signal)
  const outcome: CallResults = { results: [...lost, ...results], ...rest }
  turn.waits = outcome.parked === true
  if (outcome.deferred) turn.end.deferred = outcome.deferred
  // Hooks hear of the calls of an answer when all of them are done.
  const isOver = !signal.aborted && !outcome.open
  return afterTools(turn, outcome, isOver ? await ports.hooks.postBatch(outcome.results, signal) : { context: [] })
}

async function refuseCutTools(turn: Turn): Promise<TurnSituation> {
  turn.recoveries += 1
  const reason = turn.answer?.ok ? turn.answer.message.stop_reason : null
  const text =
    reason === 'max_tokens' ? CUT_OFF_CALL : `${NOT_FINISHED} (${reason ?? 'no reason was given'}). It was not run.`
  const results = turn.calls.map(({ call }) => failedCallResult(call, text))
  for (const { call, block, output } of results) await turn.ports.emit({ type: 'tool-result', call, block, output })
  return afterTools(turn, { results }, { context: [] })
}

async function afterTools(turn: Turn, outcome: CallResults, afterAll: PostToolVerdict): Promise<TurnSituation> {
  const { input, ports, signal, end } = turn
  const { results, stop, open } = outcome
  end.userMessages += results.length + results.filter(({ follow }) => follow !== undefined).length
  const situation: TurnSituation = {
    after: 'tools',
    parked: open !== undefined,
    notSaved: outcome.notSaved,
    aborted: signal.aborted,
    interrupted: stop === 'permission',
    nobodyToAsk: stop === 'nobody-to-ask',
    hookStopped: stop === 'hook' || afterAll.stop !== undefined,
    ...afterWork(turn),
  }
  // Stored first: after a crash, a result that the model has read must not be reported as unknown.
  if (decideNextTurnStep(situation).go === 'request') situation.notSaved = await ports.saved?.()
  const { notSaved } = situation
  // Only where a request follows: a turn that ends here leaves waiting messages for turns of their own.
  const folded = decideNextTurnStep(situation).go === 'request' ? await ports.takeFolded(signal) : []
  const beside = [...results.flatMap((result) => result.context), ...afterAll.context].map(reminderText)
  addResults(input.history, toolResultBlocks(results, beside, folded))
  if (notSaved) input.history.addUser((open ?? []).map((call) => notRun({ call })))
  if (beside.length > 0) await ports.emit({ type: 'context', texts: beside })
  return situation
}

async function runStopHooks(turn: Turn): Promise<TurnSituation> {
  const { ports, signal, end } = turn
  const verdict = await ports.hooks.stop(turn.stopHookActive, end.text, signal)
  if (verdict.block !== undefined && !verdict.prevent) {
    turn.stopHookActive = true
    await say(turn, `Stop hook feedback:\n${verdict.block}`, 'feedback')
  }
  return {
    after: 'stop-hooks',
    aborted: signal.aborted,
    prevented: verdict.prevent === true,
    blocked: verdict.block !== undefined,
    ...afterWork(turn),
  }
}

/**
 * Puts results first, in the order of their calls, and the user's words behind them. A resumed session then sends the same bytes,
 * which the provider has cached.
 */
function addResults(history: History, blocks: ContentBlockParam[]): void {
  const answer = history.messages.findLast(({ role }) => role === 'assistant')?.content ?? []
  const places = new Map<string, number>()
  for (const block of typeof answer === 'string' ? [] : answer)
    if (block.type === 'tool_use') places.set(block.id, places.size)
  const placeOf = (block: ContentBlockParam) =>
    block.type === 'tool_result' ? (places.get(block.tool_use_id) ?? places.size) : places.size + 1
  const inOrder = (all: readonly ContentBlockParam[]) => [...all].sort((one, other) => placeOf(one) - placeOf(other))
  history.addUser(inOrder(blocks))
  const last = history.messages.at(-1)
  if (!last || typeof last.content === 'string') return
  const sorted = inOrder(last.content)
  if (sorted.every((block, at) => block === last.content[at])) return
  history.replace([...history.messages.slice(0, -1), { role: last.role, content: sorted }])
}

/** What tools and stop hooks may have changed, and what limits the turn. */
function afterWork({ input, ports, requests }: Turn) {
  return {
    yielding: ports.yields?.() === true,
    gaveUp: ports.gaveUp(),
    overBudget: ports.overBudget(),
    requests,
    maxTurns: input.maxTurns,
  }
}

async function endTurn(turn: Turn, reason: TerminalReason): Promise<TurnEnd> {
  const { answer, end } = turn
  end.reason = reason
  switch (reason) {
    case 'api_error':
      if (!answer || answer.ok) break
      end.failure = answer.failure
      await emitSynthetic(turn, answer.failure.text, answer.failure.kind)
      break
    case 'aborted_streaming':
      await say(turn, INTERRUPTED_TEXT, 'interrupted')
      break
    case 'aborted_tools':
    case 'interrupted_by_permission':
      await say(turn, INTERRUPTED_IN_TOOL, 'interrupted')
      break
    case 'max_output_tokens':
      end.text = await emitSynthetic(turn, CUT_OFF, 'max_output_tokens')
      break
    case 'refusal':
      end.text = await emitSynthetic(turn, REFUSED, 'invalid_request')
      break
    case 'hook_stopped':
      end.text = ''
      break
  }
  return end
}

function describeAnswer(answer: ModelResponse): Extract<TurnSituation, { after: 'answer' }>['answer'] {
  if (!answer.ok) {
    const { code } = answer.failure
    return { ok: false, budgetSpent: code === BUDGET_SPENT }
  }
  const { content, stop_reason: stopReason } = answer.message
  const thoughtOnly =
    content.length > 0 && content.every(({ type }) => type === 'thinking' || type === 'redacted_thinking')
  return { ok: true, stopReason, toolUses: answer.calls.length, empty: content.length === 0, thoughtOnly }
}

function modelOf({ input, fallbackAt }: Turn): string {
  return input.fallbacks?.[fallbackAt]?.model ?? input.model()
}

/** Why another model might be asked. */
function reasonIn(answer: ModelResponse): FallbackReason | undefined {
  if (!answer.ok) return fallbackReason(answer.failure)
  return answer.message.stop_reason === 'refusal' ? 'refused' : undefined
}

function isTooLong(answer: ModelResponse): boolean {
  return !answer.ok && answer.failure.code === 'prompt_too_long'
}

function notRun({ call }: ParsedCall): ContentBlockParam {
  return failedCallResult(call, 'The turn ended before this call was run.').block
}

function lastText(message: AssistantMessage): string | undefined {
  return message.content.findLast((block) => block.type === 'text')?.text
}

/** A text of ours that enters the conversation as the user's. */
async function say(turn: Turn, text: string, kind: 'interrupted' | 'feedback' | 'hidden'): Promise<void> {
  turn.input.history.addUser([{ type: 'text', text }])
  if (kind !== 'hidden') turn.end.userMessages += 1
  await turn.ports.emit({ type: 'user-text', text, kind })
}

async function emitSynthetic(
  { ports }: Turn,
  text: string,
  error: ModelFailure['kind'] | 'max_output_tokens',
): Promise<string> {
  await ports.emit({ type: 'assistant', message: syntheticMessage(ports.uuid(), text), requestId: null, error })
  return text
}
