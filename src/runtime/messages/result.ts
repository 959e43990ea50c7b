/** Builds the one `result` that ends a user turn. Which subtype each ending has, and whether it is an error, is a table. */

import type { Ledger } from '../../model/ledger.js'
import type { NonNullableUsage, UUID } from '../../protocol/content.js'
import type {
  ModelUsage,
  SDKMessageOrigin,
  SDKResultError,
  SDKResultMessage,
  TerminalReason,
} from '../../protocol/messages.js'
import type { SDKPermissionDenial } from '../../protocol/permission-types.js'
import { cacheHitRate } from './cache-rate.js'

export type TurnResultFields = {
  reason: TerminalReason
  /** The last text of the model, or of ours in its place. */
  text: string
  /** Stop reason of the last response, if hosts receive it. */
  stopReason?: string | null
  errors: string[]
  errorCode?: string
  errorFix?: string
  numTurns: number
  durationMs: number
  usage: NonNullableUsage
  denials: SDKPermissionDenial[]
  /** The answer as data, where it was wanted and given. */
  structured?: { value: unknown }
  /** The host's stamp on the message that began the turn. */
  origin?: SDKMessageOrigin
  /** The id that the host gave the message that began the turn. */
  userMessage?: UUID
  /** What still runs in the background. */
  pending?: NonNullable<SDKResultMessage['pending_tasks']>
}

/** Sums over the life of the agent: hosts that resume for every message add them up. `session`: with what was before. */
export type SessionTotals = {
  apiMs: number
  costUsd: number
  modelUsage: Record<string, ModelUsage>
  session?: { costUsd: number; modelUsage: Record<string, ModelUsage> }
  /** Cache hit rate of the whole session. */
  cacheHitRate?: number | undefined
  unpriced: string[]
}

export function totalsOf(ledger: Ledger): SessionTotals {
  const { apiMs, costUsd, modelUsage } = ledger.own()
  const unpriced = ledger.unpricedModels()
  const all = ledger.all()
  const cacheRate = cacheHitRate(all.modelUsage)
  return {
    apiMs,
    costUsd,
    modelUsage,
    cacheHitRate: cacheRate,
    unpriced,
    ...(ledger.isResumed() ? { session: all } : {}),
  }
}

type Ending = { subtype: 'success' | SDKResultError['subtype']; isError: boolean; synthetic?: boolean }

const ENDINGS: Record<TerminalReason, Ending> = {
  completed: { subtype: 'success', isError: false },
  stop_hook_prevented: { subtype: 'success', isError: false },
  hook_stopped: { subtype: 'success', isError: false },
  prompt_blocked: { subtype: 'success', isError: false },
  api_error: { subtype: 'success', isError: true, synthetic: true },
  not_authenticated: { subtype: 'success', isError: true, synthetic: true },
  max_output_tokens: { subtype: 'success', isError: true, synthetic: true },
  refusal: { subtype: 'success', isError: true, synthetic: true },
  max_turns: { subtype: 'error_max_turns', isError: false },
  budget_exhausted: { subtype: 'error_max_budget_usd', isError: false },
  max_tokens: { subtype: 'error_during_execution', isError: true },
  max_tool_calls: { subtype: 'error_during_execution', isError: true },
  permission_required: { subtype: 'error_during_execution', isError: true },
  mcp_required: { subtype: 'error_during_execution', isError: true },
  aborted_streaming: { subtype: 'error_during_execution', isError: false },
  aborted_tools: { subtype: 'error_during_execution', isError: false },
  interrupted_by_permission: { subtype: 'error_during_execution', isError: false },
  empty_response: { subtype: 'error_during_execution', isError: false },
  timeout: { subtype: 'error_during_execution', isError: true },
  internal_error: { subtype: 'error_during_execution', isError: true },
  invalid_input: { subtype: 'error_during_execution', isError: true },
  resume_failed: { subtype: 'error_during_execution', isError: true },
  root_refused: { subtype: 'error_during_execution', isError: true },
  background_cancelled: { subtype: 'error_during_execution', isError: true },
  waiting: { subtype: 'error_during_execution', isError: false },
  yielded: { subtype: 'error_during_execution', isError: false },
  session_taken_over: { subtype: 'error_during_execution', isError: true },
  session_store_failed: { subtype: 'error_during_execution', isError: true },
  structured_output_retries_exhausted: { subtype: 'error_max_structured_output_retries', isError: true },
}

export function createResultMessage(
  facts: TurnResultFields,
  totals: SessionTotals,
  sessionId: string,
  uuid: UUID,
): SDKResultMessage {
  const { subtype, isError, synthetic } = ENDINGS[facts.reason]
  const common = {
    duration_ms: Math.round(facts.durationMs),
    duration_api_ms: Math.round(totals.apiMs),
    num_turns: facts.numTurns,
  }
  const rest = {
    stop_reason: synthetic ? 'stop_sequence' : (facts.stopReason ?? null),
    session_id: sessionId,
    total_cost_usd: totals.costUsd,
    usage: facts.usage,
    modelUsage: totals.modelUsage,
    permission_denials: facts.denials,
    ...(facts.structured && subtype === 'success' ? { structured_output: facts.structured.value } : {}),
    uuid,
    terminal_reason: facts.reason,
    ...(facts.pending && facts.pending.length > 0 ? { pending_tasks: facts.pending } : {}),
    ...(facts.origin ? { origin: facts.origin } : {}),
    ...(facts.userMessage ? { user_message_uuid: facts.userMessage } : {}),
    ...(facts.errorCode ? { error_code: facts.errorCode } : {}),
    ...(facts.errorFix ? { error_fix: facts.errorFix } : {}),
    ...(totals.session
      ? { session_total_cost_usd: totals.session.costUsd, session_model_usage: totals.session.modelUsage }
      : {}),
    ...(totals.cacheHitRate === undefined ? {} : { cache_hit_rate: totals.cacheHitRate }),
    ...(totals.unpriced.length > 0 ? { unpriced_models: totals.unpriced } : {}),
  }
  return subtype === 'success'
    ? { type: 'result', subtype, is_error: isError, ...common, result: facts.text, ...rest }
    : { type: 'result', subtype, ...common, is_error: isError, ...rest, errors: facts.errors }
}
