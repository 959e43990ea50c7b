/** Folds the answers of several hooks into one verdict. Pure: the strictest answer wins, texts are kept in order. */
import type { PostToolVerdict, PreToolVerdict, StopVerdict } from '../engine/ports.js'
import type {
  AsyncHookJSONOutput,
  HookJSONOutput,
  PermissionRequestHookSpecificOutput,
  SyncHookJSONOutput,
} from '../protocol/hooks.js'

/** What became of one hook: its answer, or why there is none. */
export type HookOutcome = { name: string; output: HookJSONOutput } | { name: string; failure: string }

/** Longest text a hook may put before the model. */
const MAX_CONTEXT = 100_000

export function mergePreTool(outcomes: readonly HookOutcome[]): PreToolVerdict {
  const verdict: PreToolVerdict = { context: [] }
  for (const outcome of outcomes) {
    // A guard that crashed, timed out or answered garbage has not approved anything.
    if ('failure' in outcome) {
      verdict.decision = 'deny'
      verdict.reason = `PreToolUse hook ${outcome.name} failed: ${outcome.failure}`
      continue
    }
    const output = answered(outcome.output)
    if (!output) continue
    if (output.continue === false) verdict.stop ??= stopOf(output)
    const specific = output.hookSpecificOutput?.hookEventName === 'PreToolUse' ? output.hookSpecificOutput : undefined
    const decision = specific?.permissionDecision ?? legacyDecision(output)
    if (decision && strictness(decision) > strictness(verdict.decision)) {
      verdict.decision = decision
      // Empty counts as none: the API refuses an error result without a text.
      const reason = specific?.permissionDecisionReason || output.reason
      verdict.reason = reason ? bounded(reason) : undefined
    }
    if (specific?.updatedInput) verdict.input = specific.updatedInput
    if (specific?.additionalContext) verdict.context.push(bounded(specific.additionalContext))
  }
  return verdict
}

export function mergePostTool(outcomes: readonly HookOutcome[]): PostToolVerdict {
  const verdict: PostToolVerdict = { context: [] }
  for (const output of answers(outcomes)) {
    if (output.continue === false) verdict.stop ??= stopOf(output)
    const context = contextOf(output)
    if (context) verdict.context.push(context)
    if (output.decision === 'block' && output.reason) verdict.context.push(bounded(output.reason))
  }
  return verdict
}

export function mergeStop(outcomes: readonly HookOutcome[]): StopVerdict {
  const verdict: StopVerdict = {}
  for (const output of answers(outcomes)) {
    if (output.continue === false) verdict.prevent = true
    if (output.decision === 'block') verdict.block ??= bounded(output.reason || 'A stop hook asked to go on.')
  }
  return verdict
}

export type PromptVerdict = { context: string[]; blocked?: { reason: string | undefined; stopped: boolean } }

export function mergePrompt(outcomes: readonly HookOutcome[]): PromptVerdict {
  const verdict: PromptVerdict = { context: [] }
  for (const output of answers(outcomes)) {
    if (output.decision === 'block') verdict.blocked ??= { reason: output.reason, stopped: false }
    if (output.continue === false) verdict.blocked ??= { reason: output.stopReason, stopped: true }
    const context = contextOf(output)
    if (context) verdict.context.push(context)
  }
  return verdict
}

/** Context that SessionStart, Setup and SubagentStart hooks add to the conversation. */
export function mergeContext(outcomes: readonly HookOutcome[]): string[] {
  return answers(outcomes).flatMap((output) => contextOf(output) ?? [])
}

/** The first decision of a PermissionRequest hook; a deny beats an allow. */
export function mergePermissionRequest(
  outcomes: readonly HookOutcome[],
): PermissionRequestHookSpecificOutput['decision'] | undefined {
  const decisions = answers(outcomes).flatMap(({ hookSpecificOutput: specific }) =>
    specific?.hookEventName === 'PermissionRequest' && isDecision(specific.decision) ? short(specific.decision) : [],
  )
  return decisions.find(({ behavior }) => behavior === 'deny') ?? decisions[0]
}

function stopOf({ stopReason }: SyncHookJSONOutput): { reason: string | undefined } {
  return { reason: stopReason ? bounded(stopReason) : undefined }
}

function isDecision(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'behavior' in value &&
    (value.behavior === 'allow' || value.behavior === 'deny')
  )
}

function short(
  decision: PermissionRequestHookSpecificOutput['decision'],
): PermissionRequestHookSpecificOutput['decision'] {
  return decision.behavior === 'deny' && decision.message
    ? { ...decision, message: bounded(decision.message) }
    : decision
}

function legacyDecision(output: SyncHookJSONOutput): PreToolVerdict['decision'] {
  if (output.decision === 'block') return 'deny'
  return output.decision === 'approve' ? 'allow' : undefined
}

function strictness(decision: PreToolVerdict['decision']): number {
  return decision === undefined ? 0 : ['allow', 'ask', 'deny'].indexOf(decision) + 1
}

function answers(outcomes: readonly HookOutcome[]): SyncHookJSONOutput[] {
  return outcomes.flatMap((outcome) => ('failure' in outcome ? [] : (answered(outcome.output) ?? [])))
}

/** Undefined for `{async: true}`: that hook does not decide anything. */
function answered(output: HookJSONOutput): SyncHookJSONOutput | undefined {
  return isAsync(output) ? undefined : output
}

function isAsync(output: HookJSONOutput): output is AsyncHookJSONOutput {
  return 'async' in output && output.async === true
}

function contextOf({ hookSpecificOutput: specific }: SyncHookJSONOutput): string | undefined {
  return specific && 'additionalContext' in specific && specific.additionalContext
    ? bounded(specific.additionalContext)
    : undefined
}

/** Texts of hooks go to the model and to people: long ones are cut, and say so. */
export function bounded(text: string): string {
  if (text.length <= MAX_CONTEXT) return text
  return `${text.slice(0, MAX_CONTEXT)}\n[cut: the hook sent ${text.length} characters]`
}
