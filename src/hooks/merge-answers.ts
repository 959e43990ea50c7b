/** Folds the answers of several hooks into one verdict. Pure: the strictest answer wins, texts are kept in order. */
import type { PostToolVerdict, PreToolVerdict, StopVerdict } from '../engine/ports.js'
import type {
  ElicitationHookSpecificOutput,
  PermissionRequestHookSpecificOutput,
  SyncHookJSONOutput,
} from '../protocol/hooks.js'
import { truncateHookText } from './bounded.js'
import { type HookOutcome, hookCrashed, syncHookOutputOf, syncHookOutputsOf } from './hook-outcome.js'

type PermissionRequestDecision = PermissionRequestHookSpecificOutput['decision']

export function mergePreTool(outcomes: readonly HookOutcome[]): PreToolVerdict {
  const verdict: PreToolVerdict = { context: [] }
  const changing = outcomes.findLast((outcome) => preToolOf(outcome)?.updatedInput)
  if (changing) verdict.input = preToolOf(changing)?.updatedInput ?? undefined
  for (const outcome of outcomes) {
    const { decision, reason } = decisionOf(outcome)
    // What a hook allowed is what it was shown, or its own change of it; not what another hook made of it.
    const isOther = decision === 'allow' && changing !== undefined && changing !== outcome
    if (decision && !isOther && strictness(decision) > strictness(verdict.decision)) {
      verdict.decision = decision
      verdict.reason = reason
      // As observed: what an answer denies, the model is told beside the result as well.
      if (decision === 'deny' && syncHookOutputOf(outcome) && !('byExitCode' in outcome)) verdict.repeatReason = true
    }
    const output = syncHookOutputOf(outcome)
    if (output?.continue === false) verdict.stop ??= stopOf(output)
    const context = output && contextOf(output)
    if (context) verdict.context.push(context)
  }
  return verdict
}

/** `about`: what hooks speak of, such as "Write a.txt". */
export function mergePostTool(
  outcomes: readonly HookOutcome[],
  { isMcpTool = false, about = 'this' }: { isMcpTool?: boolean; about?: string } = {},
): PostToolVerdict {
  const verdict: PostToolVerdict = { context: [] }
  for (const output of syncHookOutputsOf(outcomes)) {
    if (output.continue === false) verdict.stop ??= stopOf(output)
    const context = contextOf(output)
    if (context) verdict.context.push(context)
    if (output.decision === 'block') verdict.context.push(objection(output.reason, about))
    const specific = output.hookSpecificOutput?.hookEventName === 'PostToolUse' ? output.hookSpecificOutput : undefined
    const changed = specific?.updatedToolOutput ?? (isMcpTool ? specific?.updatedMCPToolOutput : undefined)
    if (changed !== undefined && changed !== null) verdict.output = changed
  }
  return verdict
}

function objection(reason: string | undefined, about: string): string {
  const what = `A hook objects to ${about}`
  return reason ? `${what}: ${truncateHookText(reason)}` : `${what}.`
}

export function mergeStop(outcomes: readonly HookOutcome[]): StopVerdict {
  const verdict: StopVerdict = {}
  const feedback: string[] = []
  for (const output of syncHookOutputsOf(outcomes)) {
    if (output.continue === false) verdict.prevent = true
    if (output.decision === 'block') feedback.push(truncateHookText(output.reason || 'A stop hook asked to go on.'))
    const context = contextOf(output)
    if (context) feedback.push(context)
  }
  if (feedback.length > 0) verdict.block = feedback.join('\n')
  return verdict
}

/** What Kedge says about a block never repeats the prompt, so `suppressOriginalPrompt` changes nothing. */
export type PromptVerdict = { context: string[]; blocked?: { reason: string | undefined; stopped: boolean } }

export function mergePrompt(outcomes: readonly HookOutcome[]): PromptVerdict {
  const verdict: PromptVerdict = { context: listAddedContext(outcomes, 'with printed') }
  for (const output of syncHookOutputsOf(outcomes)) {
    if (output.decision === 'block') verdict.blocked ??= { reason: shortened(output.reason), stopped: false }
    if (output.continue === false) verdict.blocked ??= { reason: shortened(output.stopReason), stopped: true }
  }
  return verdict
}

/** Why the model may not change; undefined if nobody objects. Nobody can be asked, and a crash is no approval. */
export function mergeModelSwitch(outcomes: readonly HookOutcome[]): string | undefined {
  for (const outcome of outcomes) {
    if (hookCrashed(outcome) && 'failure' in outcome) return `Hook ${outcome.name} failed: ${outcome.failure}`
    const output = syncHookOutputOf(outcome)
    const specific = output?.hookSpecificOutput
    const decision = specific?.hookEventName === 'PreModelSwitch' ? specific : undefined
    const objects = decision?.permissionDecision !== undefined && decision.permissionDecision !== 'allow'
    if (objects && decision.permissionDecision !== null)
      return shortened(decision.permissionDecisionReason || output?.reason) ?? 'A hook objects to it.'
    if (output?.decision === 'block') return shortened(output.reason) ?? 'A hook objects to it.'
  }
  return undefined
}

/** What hooks say before the first prompt in the user's place. */
export function listInitialMessages(outcomes: readonly HookOutcome[]): string[] {
  return syncHookOutputsOf(outcomes).flatMap(({ hookSpecificOutput: specific }) =>
    specific?.hookEventName === 'SessionStart' ? (shortened(specific.initialUserMessage) ?? []) : [],
  )
}

/** What hooks add to the conversation; `with printed` also what commands print that isn't JSON. */
export function listAddedContext(outcomes: readonly HookOutcome[], which?: 'with printed'): string[] {
  return outcomes.flatMap((outcome) => {
    const output = syncHookOutputOf(outcome)
    if (!output) return []
    const printed = which && 'printed' in outcome ? outcome.printed : undefined
    return contextOf(output) ?? printed ?? []
  })
}

/**
 * The first decision of a PermissionRequest hook; a deny beats an allow. Where a hook crashed nobody knows whether it
 * would have denied: the others' yes does not count then.
 */
export function mergePermissionRequest(outcomes: readonly HookOutcome[]): PermissionRequestDecision | undefined {
  const decisions = syncHookOutputsOf(outcomes).flatMap((output) => requestDecision(output) ?? [])
  const denials = decisions.filter(({ behavior }) => behavior === 'deny')
  const denied = denials.find((decision) => decision.behavior === 'deny' && decision.interrupt) ?? denials[0]
  return denied ?? (outcomes.some(hookCrashed) ? undefined : decisions[0])
}

function requestDecision(output: SyncHookJSONOutput): PermissionRequestDecision | undefined {
  // The ways to object that other events have must not go unheard here.
  if (output.continue === false) return deny(output.stopReason, true)
  if (output.decision === 'block') return deny(output.reason)
  const { hookSpecificOutput: specific } = output
  if (specific?.hookEventName !== 'PermissionRequest' || !isDecision(specific.decision)) return undefined
  const { decision } = specific
  return decision.behavior === 'allow' ? decision : deny(decision.message, decision.interrupt === true)
}

function deny(message: string | null | undefined, interrupt = false): PermissionRequestDecision {
  const text = shortened(message)
  return { behavior: 'deny', ...(text === undefined ? {} : { message: text }), ...(interrupt ? { interrupt } : {}) }
}

export function mergeBlock(outcomes: readonly HookOutcome[]): { block?: string } {
  const blocking = syncHookOutputsOf(outcomes).find(({ decision }) => decision === 'block')
  return blocking ? { block: truncateHookText(blocking.reason || 'Blocked by a hook.') } : {}
}

/** `stop`: not just this, but everything ends here. */
export type BlockVerdict = { block?: string; stop?: { reason?: string } }

export function mergeBlockOrStop(outcomes: readonly HookOutcome[]): BlockVerdict {
  const stopping = syncHookOutputsOf(outcomes).find((output) => output.continue === false)
  return { ...mergeBlock(outcomes), ...(stopping ? { stop: stopOf(stopping) } : {}) }
}

/** All that was said, for events whose answers are merged elsewhere. */
export type MergedOutputs = BlockVerdict & {
  answers: SyncHookJSONOutput[]
  /** Somebody could not say what they would have said. */
  hasCrashed: boolean
}

export function mergeOutputs(outcomes: readonly HookOutcome[]): MergedOutputs {
  return { answers: syncHookOutputsOf(outcomes), hasCrashed: outcomes.some(hookCrashed), ...mergeBlockOrStop(outcomes) }
}

/**
 * What PreCompact hooks answered. `instructions`: what they printed, which the summary follows. `completed`: the hooks
 * that ran, as users see them; a callback has no name.
 */
export type CompactVerdict = BlockVerdict & { instructions: string[]; completed: string[] }

export function mergeCompact(outcomes: readonly HookOutcome[]): CompactVerdict {
  return {
    ...mergeBlockOrStop(outcomes),
    instructions: outcomes.flatMap((outcome) => ('printed' in outcome ? (outcome.printed ?? []) : [])),
    completed: outcomes.flatMap((outcome) => {
      if ('failure' in outcome) return []
      return outcome.name.startsWith('[') ? outcome.name : '[callback]'
    }),
  }
}

export type HookElicitationAnswer = Pick<ElicitationHookSpecificOutput, 'content'> & {
  action: 'accept' | 'decline' | 'cancel'
}

/** The first answer given in the user's place; one that declines beats one that accepts, a block declines. */
export function mergeElicitation(outcomes: readonly HookOutcome[]): HookElicitationAnswer | undefined {
  if (mergeBlock(outcomes).block !== undefined) return { action: 'decline' }
  const given = syncHookOutputsOf(outcomes).flatMap(({ hookSpecificOutput: specific }): HookElicitationAnswer[] => {
    const isOne = specific?.hookEventName === 'Elicitation' || specific?.hookEventName === 'ElicitationResult'
    if (!isOne || !specific.action) return []
    return [{ action: specific.action, ...(specific.content ? { content: specific.content } : {}) }]
  })
  const refused = given.find(({ action }) => action !== 'accept')
  return refused ?? (outcomes.some(hookCrashed) ? undefined : given[0])
}

/** Where a hook made the worktree: named in JSON, or printed by a command. */
export function mergeWorktree(outcomes: readonly HookOutcome[]): { path?: string; block?: string } {
  const path = outcomes.flatMap((outcome) => {
    const specific = syncHookOutputOf(outcome)?.hookSpecificOutput
    const named = specific?.hookEventName === 'WorktreeCreate' ? specific.worktreePath : undefined
    return named || ('printed' in outcome ? outcome.printed : undefined) || []
  })[0]
  return { ...mergeBlock(outcomes), ...(path === undefined ? {} : { path }) }
}

function decisionOf(outcome: HookOutcome): Pick<PreToolVerdict, 'decision' | 'reason'> {
  if ('failure' in outcome) {
    if (outcome.open) return {}
    return { decision: 'deny', reason: `PreToolUse hook ${outcome.name} failed: ${outcome.failure}` }
  }
  const output = syncHookOutputOf(outcome)
  if (!output) return {}
  const specific = preToolOf(outcome)
  // Empty counts as none: the API refuses an error result without a text.
  const reason = shortened(specific?.permissionDecisionReason || output.reason)
  return { decision: specific?.permissionDecision ?? legacyDecision(output), reason }
}

function preToolOf(outcome: HookOutcome) {
  const specific = syncHookOutputOf(outcome)?.hookSpecificOutput
  return specific?.hookEventName === 'PreToolUse' ? specific : undefined
}

function stopOf({ stopReason }: SyncHookJSONOutput): { reason: string | undefined } {
  return { reason: shortened(stopReason) }
}

function isDecision(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'behavior' in value &&
    (value.behavior === 'allow' || value.behavior === 'deny')
  )
}

function legacyDecision(output: SyncHookJSONOutput): PreToolVerdict['decision'] {
  if (output.decision === 'block') return 'deny'
  return output.decision === 'approve' ? 'allow' : undefined
}

function strictness(decision: PreToolVerdict['decision']): number {
  return decision === undefined ? 0 : ['allow', 'ask', 'defer', 'deny'].indexOf(decision) + 1
}

function contextOf({ hookSpecificOutput: specific }: SyncHookJSONOutput): string | undefined {
  return specific && 'additionalContext' in specific && specific.additionalContext
    ? truncateHookText(specific.additionalContext)
    : undefined
}

function shortened(text: string | null | undefined): string | undefined {
  return text ? truncateHookText(text) : undefined
}
