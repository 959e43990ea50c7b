/** The answer of the engine before it becomes a decision: what, by which layer, because of which rule. */
import type { PermissionDecision } from '../engine/ports.js'
import type { PermissionLayer as Layer, PermissionUpdate } from '../protocol/permission-types.js'
import type { Rule } from './rule-set.js'

export type Verdict = {
  decision: PermissionDecision
  layer: Layer
  rule?: Rule
  /** Why nothing allows it, as far as that can be said. */
  detail?: string
}

type AskExtra = {
  suggestions?: PermissionUpdate[]
  blockedPath?: string
  decisionReason?: string
  /** Only the user can answer; a hook on the request can't. */
  onlyAPerson?: true
}

export function allowVerdict(layer: Layer, rule?: Rule): Verdict {
  return { decision: { behavior: 'allow' }, layer, ...(rule ? { rule } : {}) }
}

export function denyByRule(rule: Rule, message: string, reasonType = 'rule'): Verdict {
  return {
    decision: { behavior: 'deny', message, reasonType, reason: `Denied by the rule ${rule.text}` },
    layer: 'deny',
    rule,
  }
}

export function denyByMode(message: string, reasonType = 'mode', reason?: string): Verdict {
  return {
    decision: { behavior: 'deny', message, reasonType, ...(reason === undefined ? {} : { reason }) },
    layer: 'mode',
  }
}

export function askByRule(rule: Rule, message: string, extra: AskExtra = {}): Verdict {
  const reason = { decisionReason: `The rule ${rule.text} asks for approval` }
  return { decision: { behavior: 'ask', message, reasonType: 'rule', ...reason, ...extra }, layer: 'ask', rule }
}

/** Only a person may say yes: no rule, mode or hook does. */
export function askForSafety(message: string, extra: AskExtra = {}): Verdict {
  return { decision: { behavior: 'ask', message, reasonType: 'user_interaction', ...extra }, layer: 'safety' }
}

/** Nothing else would have asked. What the hook said goes to the host beside it. */
export function askByHook(message: string): Verdict {
  return { decision: { behavior: 'ask', message, reasonType: 'hook' }, layer: 'hook' }
}

export function askByDefault(message: string, reasonType: string, extra: AskExtra = {}): Verdict {
  return { decision: { behavior: 'ask', message, reasonType, ...extra }, layer: 'default' }
}
