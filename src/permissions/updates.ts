/** Applies a permission update as a whole or not at all. Updates come from a host and may be anything. */
import { isAbsolute, resolve } from '../platform/posix-paths.js'
import type {
  PermissionRuleValue,
  PermissionUpdate,
  PermissionUpdateDestination,
} from '../protocol/permission-types.js'
import type { ModeChangeOutcome } from './modes.js'
import { normalizeRule } from './rule.js'
import type { RuleSet } from './rule-set.js'

export type PermissionUpdateTarget = {
  rules: RuleSet
  cwd: string
  /** Where `/x` in a rule of this destination starts. */
  rootOf(destination: PermissionUpdateDestination): string
  setMode(mode: string): ModeChangeOutcome
  addDirectories(directories: readonly string[]): void
  removeDirectories(directories: readonly string[]): void
}

const DESTINATIONS = ['userSettings', 'projectSettings', 'localSettings', 'session', 'cliArg']

/** Reasons why something was not done; empty when everything was. */
export function applyPermissionUpdate(update: PermissionUpdate, target: PermissionUpdateTarget): string[] {
  if (typeof update !== 'object' || update === null) return ['A permission update must be an object.']
  const { destination } = update
  if (!DESTINATIONS.includes(destination))
    return [`A permission update has an unknown destination: ${JSON.stringify(destination)}.`]
  return change(update, target)
}

function change(update: PermissionUpdate, target: PermissionUpdateTarget): string[] {
  switch (update.type) {
    case 'addRules':
    case 'replaceRules':
    case 'removeRules':
      return changeRules(update, target)
    case 'setMode': {
      const result = target.setMode(update.mode)
      return result.ok ? [] : [result.message]
    }
    case 'addDirectories':
    case 'removeDirectories': {
      const { directories } = update
      if (!Array.isArray(directories) || !directories.every(isUsableFolder)) {
        return [`A permission update needs its directories as a list of paths.`]
      }
      const paths = directories.map((path) => (isAbsolute(path) ? resolve(path) : resolve(target.cwd, path)))
      if (update.type === 'addDirectories') target.addDirectories(paths)
      else target.removeDirectories(paths)
      return []
    }
    default:
      return ['A permission update has an unknown type.']
  }
}

function changeRules(
  update: Extract<PermissionUpdate, { type: 'addRules' | 'replaceRules' | 'removeRules' }>,
  { rules, rootOf }: PermissionUpdateTarget,
): string[] {
  const { behavior, destination } = update
  if (!['allow', 'deny', 'ask'].includes(behavior))
    return [`A permission update has an unknown behavior: ${JSON.stringify(behavior)}.`]
  if (!Array.isArray(update.rules)) return ['A permission update needs its rules as a list.']
  const values: PermissionRuleValue[] = []
  const problems: string[] = []
  for (const value of update.rules) {
    const checked = normalizeRule(Object(value), behavior)
    if (checked.ok) values.push(checked.rule)
    else problems.push(checked.reason)
  }
  if (problems.length > 0) return problems
  if (update.type === 'addRules') rules.add(destination, behavior, values, rootOf(destination))
  else if (update.type === 'replaceRules') rules.replace(destination, behavior, values, rootOf(destination))
  else rules.remove(destination, behavior, values)
  return []
}

function isUsableFolder(path: unknown): boolean {
  return typeof path === 'string' && path !== '' && !path.includes('\u0000')
}
