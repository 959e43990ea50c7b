/** Why a call is decided as it is, in plain words for people. */
import type { PermissionFacts } from '../engine/ports.js'
import type { PermissionMode } from '../protocol/permission-types.js'
import { modeName } from '../protocol/shown/vocabulary.js'
import type { ExplainedDecision } from './permission-engine.js'
import type { RuleSource } from './rule-set.js'

const ORIGIN: Record<RuleSource, string> = {
  cliArg: 'of the options or flags',
  command: 'of the command that runs',
  flagSettings: 'of --settings',
  localSettings: 'of the local settings',
  managedSettings: 'of the managed settings',
  projectSettings: 'of the project settings',
  session: 'of this session',
  userSettings: 'of the user settings',
}

export function decisionReason(answer: ExplainedDecision, mode: PermissionMode, kind: PermissionFacts['kind']): string {
  const { decision, layer, rule } = answer
  const named = rule ? `the rule ${rule.text} ${ORIGIN[rule.source]}` : ''
  if (decision.behavior === 'deny')
    return layer === 'deny' ? `Denied by ${named}.` : sentence(decision.message, decision.reason)
  if (decision.behavior === 'allow') return layer === 'allow' ? `Allowed by ${named}.` : freely(layer, mode, kind)
  const why = decision.decisionReason
  if (layer === 'ask')
    return sentence(`Needs approval because of ${named}`, why?.startsWith('The rule ') ? undefined : why)
  if (layer === 'safety') return sentence(why ?? 'Only a user can answer this')
  if (layer === 'hook') return 'A PreToolUse hook requires approval.'
  const unapproved =
    mode === 'plan'
      ? 'In the permission mode Plan only, everything except reading needs approval'
      : `No rule allows this, and the permission mode is ${modeName(mode)}`
  return sentence(unapproved, why === undefined || why === decision.message ? answer.detail : why)
}

function freely(layer: ExplainedDecision['layer'], mode: PermissionMode, kind: PermissionFacts['kind']): string {
  if (layer === 'hook') return 'A PreToolUse hook allows it.'
  if (layer === 'sandbox') return 'It runs inside the sandbox, so it needs no approval.'
  if (layer === 'mode') return `The permission mode ${modeName(mode)} allows it.`
  if (kind === 'read') return 'It only reads, inside the working directories.'
  return kind === 'command'
    ? 'It only reads, and stays inside the working directories.'
    : 'This tool needs no approval.'
}

function sentence(text: string, more?: string): string {
  const end = (part: string) => (/[.?!]$/.test(part) ? part : `${part}.`)
  return more === undefined || more === text ? end(text) : `${end(text)} ${end(more)}`
}
