/** How a turn ended, in the client's words. Pure. */
import { type PromptResponse, RequestError, type StopReason } from '@agentclientprotocol/sdk/unstable'
import type { SDKResultMessage, TerminalReason } from '../../protocol/messages.js'
import { fixForInterface, userFailureText } from '../../protocol/shown/fix-words.js'
import { createAuthRequiredError } from '../request-errors.js'
import { usageOfResult } from '../updates/usage-meter.js'

const REASONS: Partial<Record<TerminalReason, StopReason>> = {
  max_turns: 'max_turn_requests',
  budget_exhausted: 'max_turn_requests',
  max_tool_calls: 'max_turn_requests',
  max_tokens: 'max_tokens',
  max_output_tokens: 'max_tokens',
  refusal: 'refusal',
  aborted_streaming: 'cancelled',
  aborted_tools: 'cancelled',
  interrupted_by_permission: 'cancelled',
}

/** Returns the end of a prompt as ACP has it. Throws the error that the client receives if the turn failed. */
export function promptResponseOrThrow(result: SDKResultMessage, message: string | undefined): PromptResponse {
  const {
    terminal_reason: reason = 'completed',
    total_cost_usd: turnCost,
    session_total_cost_usd: costUsd = turnCost,
  } = result
  const stopReason = REASONS[reason]
  if (result.is_error && stopReason === undefined) throw failure(result)
  const { usage, _meta } = usageOfResult(result)
  const own = {
    terminalReason: reason,
    costUsd,
    ...(message === undefined ? {} : { messageId: message }),
    ...(result.pending_tasks ? { pendingTasks: result.pending_tasks } : {}),
    ...(result.subtype === 'success' && result.structured_output !== undefined
      ? { structuredOutput: result.structured_output }
      : {}),
  }
  return { stopReason: stopReason ?? 'end_turn', ...(usage ? { usage } : {}), _meta: { ..._meta, kedge: own } }
}

/** Returns why no turn began, such as settings that can't be read; undefined if the result gives no such reason. */
export function createTurnStartError(result: SDKResultMessage | undefined): RequestError | undefined {
  return result?.is_error && result.terminal_reason === 'invalid_input' ? failure(result) : undefined
}

function failure(result: SDKResultMessage): RequestError {
  const { terminal_reason: reason, error_code: code = reason ?? 'internal_error', error_fix } = result
  const fix = error_fix === undefined ? undefined : fixForInterface(error_fix, 'app')
  const said = result.subtype === 'success' ? result.result : result.errors.join('\n')
  const text = userFailureText(said) || 'The turn failed.'
  if (reason === 'not_authenticated') return createAuthRequiredError(fix === undefined ? text : `${text} ${fix}`)
  const [INVALID_PARAMS, INTERNAL] = [-32602, -32603]
  return new RequestError(reason === 'invalid_input' ? INVALID_PARAMS : INTERNAL, text, {
    code,
    ...(fix === undefined ? {} : { fix }),
  })
}
