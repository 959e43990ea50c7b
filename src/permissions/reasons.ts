/** Why a call is decided as it is, in plain words for people. */
import type { PermissionFacts } from '../engine/ports.js'
import type { PermissionMode } from '../protocol/permission-types.js'
import type { Explanation } from './permission-engine.js'
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

export function decisionReason(answer: Explanation, mode: PermissionMode, kind: PermissionFacts['kind']): string {
  const { decision, layer, rule } = answer
  const named = rule ? `the rule ${rule.text} ${ORIGIN[rule.source]}` : ''
  if (decision.behavior === 'deny')
    return layer === 'deny' ? `Denied by ${named}.` : sentence(decision.message, decision.reason)
  if (decision.behavior === 'allow') return layer === 'allow' ? `Allowed by ${named}.` : freely(layer, mode, kind)
  const why = decision.decisionReason
  if (layer === 'ask') return sentence(`Asks because of ${named}`, why?.startsWith('The rule ') ? undefined : why)
  if (layer === 'safety') return sentence(why ?? 'Only a person can answer this')
  if (layer === 'hook') return 'A PreToolUse hook wants you to be asked.'
  const nobody =
    mode === 'plan' ? 'In plan mode everything but reading asks' : `No rule allows it, and the mode ${mode} asks`
  return sentence(nobody, why === undefined || why === decision.message ? answer.detail : why)
}

function freely(layer: Explanation['layer'], mode: PermissionMode, kind: PermissionFacts['kind']): string {
  if (layer === 'hook') return 'A PreToolUse hook approves it.'
  if (layer === 'sandbox') return 'It runs inside the sandbox, which stands in for the question.'
  if (layer === 'mode') return `The mode ${mode} runs it without a question.`
  if (kind === 'read') return 'It reads inside the working directories.'
  return kind === 'command'
    ? 'It only looks, and stays inside the working directories.'
    : 'This tool needs no permission.'
}

function sentence(text: string, more?: string): string {
  const end = (part: string) => (/[.?!]$/.test(part) ? part : `${part}.`)
  return more === undefined || more === text ? end(text) : `${end(text)} ${end(more)}`
}
