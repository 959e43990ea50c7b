/** Permission rules as they stand in settings. What a rule may be, the permission engine says through a port. */
import type { PermissionBehavior, PermissionRuleValue } from '../protocol/permission-types.js'
import { type ProblemSeverity, printableValue } from './setting-problems.js'

export interface PermissionRulePort {
  /** The one form of a rule (`Bash(*)` is `Bash`), or why it is none. */
  check(text: string, behavior: PermissionBehavior): { ok: true; text: string } | { ok: false; reason: string }
  /** As a user would write it. */
  format(rule: PermissionRuleValue): string
  /** The tools there are, without those of MCP servers; a rule for another one is probably a mistake. */
  readonly toolNames: readonly string[]
}

export type CheckedSettingsRule = {
  /** What holds; undefined when the rule is not used. */
  rule: string | undefined
  problem?: { severity: ProblemSeverity; text: string }
}

/** A deny or ask rule holds as what was obviously meant, or refuses the start; an allow rule must be right. */
export function checkSettingsRule(
  text: string,
  behavior: PermissionBehavior,
  port: PermissionRulePort,
): CheckedSettingsRule {
  const checked = port.check(text, behavior)
  if (checked.ok) {
    if (isKnown(checked.text, port)) return { rule: text }
    const unknown = `holds a rule for a tool that is not known: ${quote(text)}.`
    return { rule: text, problem: { severity: 'warning', text: unknown } }
  }
  const why = printableValue(checked.reason, 500)
  if (behavior === 'allow') return { rule: undefined, problem: { severity: 'warning', text: `is not used. ${why}` } }
  const meant = repaired(text, port)
  if (meant !== undefined && port.check(meant, behavior).ok) {
    return { rule: meant, problem: { severity: 'warning', text: `is read as ${quote(meant)}. ${why}` } }
  }
  return { rule: undefined, problem: { severity: 'refuse', text: `can't be used. ${why}` } }
}

function isKnown(rule: string, { toolNames }: PermissionRulePort): boolean {
  const name = rule.replace(/\(.*$/s, '')
  return name.startsWith('mcp__') || name.includes('*') || toolNames.includes(name)
}

/** `bash(rm *)`, `Bash (rm *)` and ` Bash(rm *) ` as `Bash(rm *)`; undefined when it is not as simple as that. */
function repaired(text: string, { toolNames }: PermissionRulePort): string | undefined {
  // Line breaks and blanks of other kinds are no slip of the hand.
  if (/[^\S ]/.test(text)) return undefined
  const rule = text.trim()
  const open = rule.indexOf('(')
  const name = (open < 0 ? rule : rule.slice(0, open)).trim().toLowerCase()
  const known = toolNames.find((tool) => tool.toLowerCase() === name)
  return known === undefined ? undefined : `${known}${open < 0 ? '' : rule.slice(open)}`
}

function quote(text: string): string {
  return JSON.stringify(printableValue(text, 200))
}

/** Whether a rule means something is not what trust is about. */
export const ACCEPT_ANY_RULE: PermissionRulePort = {
  check: (text) => ({ ok: true, text }),
  format: ({ toolName }) => toolName,
  toolNames: [],
}
