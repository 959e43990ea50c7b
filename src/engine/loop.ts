/** The agent loop: one user turn, from the prompt in the history to the reason it ended. A function of its ports. */
import type { AssistantMessage, ContentBlockParam, ToolUseBlock } from '../protocol/content.js'
import type { TerminalReason } from '../protocol/messages.js'
import type { History } from './history.js'
import { type Answer, requestAnswer } from './model-request.js'
import { nextStep, type Situation, type Step } from './next-step.js'
import {
  BUDGET_SPENT,
  type EnginePorts,
  type FoldedMessage,
  type ModelFailure,
  type PostToolVerdict,
  type ToolDefinition,
} from './ports.js'
import { type CallResults, failed, INTERRUPTED_IN_TOOL, runToolCalls, toCall } from './tool-calls.js'

export type TurnInput = {
  history: History
  /** Read before each request: the host may change the model while a turn runs. */
  model(): string
  fallbackModel?: string
  system: readonly string[]
  tools(): readonly ToolDefinition[]
  partial: boolean
  maxTurns: number | null
}

export type TurnEnd = {
  reason: TerminalReason
  /** The last text the model wrote in this turn. */
  text: string
  /** As observed: known only of an answer that was not streamed. */
  stopReason: string | null
  failure?: ModelFailure
  /** Tool results and texts of ours that entered the conversation: `num_turns` counts them. */
  userMessages: number
}

export const INTERRUPTED = '[Request interrupted by user]'
const CUT_OFF_CALL = 'The answer was cut off at the output limit before this call was complete. It was not run.'
const GO_ON = 'Your answer was cut off at the output limit. Go on exactly where it stopped, without repeating anything.'
const CUT_OFF =
  "API Error: The model's answer exceeded the output token limit. Set CLAUDE_CODE_MAX_OUTPUT_TOKENS to raise it."

export async function runTurn(input: TurnInput, ports: EnginePorts, signal: AbortSignal): Promise<TurnEnd> {
  const { history } = input
  const end: TurnEnd = { reason: 'completed', text: '', stopReason: null, userMessages: 0 }
  let requests = 0
  let recoveries = 0
  let stopHookActive = false
  let fallback: string | undefined
  let answer: Answer | undefined
  let situation: Situation | undefined

  const say = async (text: string, kind: 'interrupted' | 'feedback' | 'hidden') => {
    history.addUser([{ type: 'text', text }])
    if (kind !== 'hidden') end.userMessages += 1
    await ports.emit({ type: 'user-text', text, kind })
  }

  for (;;) {
    const step = situation ? nextStep(situation) : firstStep(ports)
    switch (step.go) {
      case 'fall-back':
      case 'request':
      case 'recover': {
        if (step.go === 'fall-back') {
          fallback = input.fallbackModel
          await ports.emit({ type: 'fallback', from: input.model(), to: fallback ?? '' })
        }
        if (step.go === 'recover') {
          recoveries += 1
          await emitSynthetic(ports, CUT_OFF, 'max_output_tokens')
          await say(GO_ON, 'hidden')
        }
        // Before the first request of a turn the prompt is not part of what may be summed up: whoever adds it sees to that.
        if (requests > 0) await ports.makeRoom?.('near', signal)
        const fallbackAvailable = input.fallbackModel !== undefined && fallback === undefined
        const ask = () => requestAnswer(input, fallback ?? input.model(), fallbackAvailable, ports, signal)
        answer = await ask()
        if (isTooLong(answer) && (await ports.makeRoom?.('too-long', signal))) answer = await ask()
        if (answer.ok) {
          requests += 1
          history.addAssistant(answer.message)
          end.text = lastText(answer.message) ?? end.text
          end.stopReason = answer.streamed ? null : answer.message.stop_reason
        }
        const counts = { recoveries, requests, maxTurns: input.maxTurns }
        situation = afterAnswer(answer, counts, fallbackAvailable, ports, signal)
        break
      }
      case 'refuse-cut-tools':
      case 'run-tools': {
        const uses = answer?.ok ? toolUses(answer.message) : []
        let outcome: CallResults
        let afterAll: PostToolVerdict = { context: [] }
        if (step.go === 'run-tools') {
          outcome = await runToolCalls(uses, ports, signal)
          if (!signal.aborted) afterAll = await ports.hooks.postBatch(outcome.results, signal)
        } else {
          recoveries += 1
          outcome = { results: uses.map((use) => failed(toCall(use), CUT_OFF_CALL)) }
          for (const { call, block, output } of outcome.results)
            await ports.emit({ type: 'tool-result', call, block, output })
        }
        end.userMessages += uses.length + outcome.results.filter(({ follow }) => follow !== undefined).length
        situation = {
          after: 'tools',
          aborted: signal.aborted,
          interrupted: outcome.stop === 'permission',
          unasked: outcome.stop === 'unasked',
          hookStopped: outcome.stop === 'hook' || afterAll.stop !== undefined,
          gaveUp: ports.gaveUp(),
          overBudget: ports.overBudget(),
          requests,
          maxTurns: input.maxTurns,
        }
        // Only where a request follows: a turn that ends here leaves waiting messages for turns of their own.
        const folded = nextStep(situation).go === 'request' ? await ports.takeFolded(signal) : []
        const beside = [...outcome.results.flatMap((result) => result.context), ...afterAll.context].map(reminder)
        history.addUser(toolResultBlocks(outcome, beside, folded))
        if (beside.length > 0) await ports.emit({ type: 'context', texts: beside })
        break
      }
      case 'stop-hooks': {
        const verdict = await ports.hooks.stop(stopHookActive, end.text, signal)
        if (verdict.block !== undefined && !verdict.prevent) {
          stopHookActive = true
          await say(`Stop hook feedback:\n${verdict.block}`, 'feedback')
        }
        situation = {
          after: 'stop-hooks',
          aborted: signal.aborted,
          prevented: verdict.prevent === true,
          blocked: verdict.block !== undefined,
          gaveUp: ports.gaveUp(),
          overBudget: ports.overBudget(),
          requests,
          maxTurns: input.maxTurns,
        }
        break
      }
      case 'end': {
        end.reason = step.reason
        // Calls that are not going to be run need a result too: the API refuses every later request without one.
        if (situation?.after === 'answer' && answer?.ok) history.addUser(toolUses(answer.message).map(notRun))
        if (answer && !answer.ok && step.reason === 'api_error') {
          end.failure = answer.failure
          await emitSynthetic(ports, answer.failure.text, answer.failure.kind)
        }
        if (step.reason === 'aborted_streaming') await say(INTERRUPTED, 'interrupted')
        if (step.reason === 'aborted_tools' || step.reason === 'interrupted_by_permission') {
          await say(INTERRUPTED_IN_TOOL, 'interrupted')
        }
        if (step.reason === 'max_output_tokens') end.text = await emitSynthetic(ports, CUT_OFF, 'max_output_tokens')
        if (step.reason === 'refusal') {
          end.text = await emitSynthetic(
            ports,
            'API Error: The model refused to answer this request.',
            'invalid_request',
          )
        }
        if (step.reason === 'hook_stopped') end.text = ''
        return end
      }
    }
  }
}

/** A budget that earlier turns spent stays spent. */
function firstStep(ports: EnginePorts): Step {
  return ports.overBudget() ? { go: 'end', reason: 'budget_exhausted' } : { go: 'request' }
}

function afterAnswer(
  answer: Answer,
  counts: { recoveries: number; requests: number; maxTurns: number | null },
  fallbackAvailable: boolean,
  ports: EnginePorts,
  signal: AbortSignal,
): Situation {
  return {
    after: 'answer',
    aborted: signal.aborted,
    overBudget: ports.overBudget(),
    answer: answer.ok
      ? {
          ok: true,
          stopReason: answer.message.stop_reason,
          toolUses: toolUses(answer.message).length,
          empty: answer.message.content.length === 0,
        }
      : {
          ok: false,
          overloaded: answer.failure.code === 'overloaded',
          unpaid: answer.failure.code === BUDGET_SPENT,
        },
    fallbackAvailable,
    ...counts,
  }
}

function isTooLong(answer: Answer): boolean {
  return !answer.ok && answer.failure.code === 'prompt_too_long'
}

function toolUses(message: AssistantMessage): ToolUseBlock[] {
  return message.content.filter((block) => block.type === 'tool_use')
}

function notRun(use: ToolUseBlock): ContentBlockParam {
  return failed(toCall(use), 'The turn ended before this call was run.').block
}

function lastText(message: AssistantMessage): string | undefined {
  return message.content.findLast((block) => block.type === 'text')?.text
}

/** One user message: all results, then what tools say after them, then what hooks added, with waiting user messages folded in as reminders. */
function toolResultBlocks(
  { results }: CallResults,
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

/** A line of ours in the model's place, so that hosts can show what went wrong. Not part of the conversation. */
async function emitSynthetic(
  ports: EnginePorts,
  text: string,
  error: ModelFailure['kind'] | 'max_output_tokens',
): Promise<string> {
  await ports.emit({ type: 'assistant', message: syntheticMessage(ports.uuid(), text), requestId: null, error })
  return text
}

export function syntheticMessage(id: string, text: string): AssistantMessage {
  return {
    id,
    container: null,
    model: '<synthetic>',
    role: 'assistant',
    stop_reason: 'stop_sequence',
    stop_sequence: '',
    type: 'message',
    usage: {
      input_tokens: 0,
      output_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
      service_tier: null,
      cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
      inference_geo: null,
      iterations: null,
      speed: null,
    },
    content: [{ type: 'text', text }],
    context_management: null,
  }
}
