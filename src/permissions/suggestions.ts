/** The updates a host can hand back so that a question does not come again. */
import { dirname } from '../platform/paths.js'
import type { PermissionUpdate } from '../protocol/permission-types.js'
import type { Gap } from './bash/cover.js'
import { escapeFilePattern } from './file-pattern.js'
import { checkRule } from './rule.js'
import { escapeWildcard } from './wildcard.js'

const ACCEPT_EDITS: PermissionUpdate = { type: 'setMode', mode: 'acceptEdits', destination: 'session' }
const MOST_RULES = 5

export function forEdit(path: string, inside: boolean): PermissionUpdate[] {
  return inside
    ? [ACCEPT_EDITS]
    : [ACCEPT_EDITS, { type: 'addDirectories', directories: [dirname(path)], destination: 'session' }]
}

export function forRead(path: string, isFolder: boolean): PermissionUpdate[] {
  const folder = isFolder ? path : dirname(path)
  // Two slashes: from the root of the disk.
  const ruleContent = `/${folder === '/' ? '' : escapeFilePattern(folder)}/**`
  return [{ type: 'addRules', rules: [{ toolName: 'Read', ruleContent }], behavior: 'allow', destination: 'session' }]
}

export function forHost(host: string): PermissionUpdate[] {
  return [allowRules([{ toolName: 'WebFetch', ruleContent: `domain:${host}` }])]
}

export function forTool(toolName: string): PermissionUpdate[] {
  return [allowRules([{ toolName }])]
}

/** The skill alone, or with whatever it is given. */
export function forSkill(skill: string): PermissionUpdate[] {
  return [skill, `${skill}:*`].map((ruleContent) => allowRules([{ toolName: 'Skill', ruleContent }]))
}

/** One rule per part that needs approval; nothing when the parts are too many to be told apart by a reader, or can't be a rule. */
export function forCommands(texts: readonly string[]): PermissionUpdate[] | undefined {
  const unique = [...new Set(texts)]
  if (unique.length === 0 || unique.length > MOST_RULES) return undefined
  const rules = unique.map((text) => ({ toolName: 'Bash', ruleContent: escapeWildcard(text) }))
  return rules.every((rule) => checkRule(rule, 'allow').ok) ? [allowRules(rules)] : undefined
}

/** A command that would only create or change files. */
export function forCommandWrite(gap: Gap, cwd: string): PermissionUpdate[] {
  const directory = gap.inside || gap.path === undefined ? cwd : dirname(gap.path)
  return [{ type: 'addDirectories', directories: [directory], destination: 'session' }, ACCEPT_EDITS]
}

function allowRules(rules: { toolName: string; ruleContent?: string }[]): PermissionUpdate {
  return { type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' }
}
