/** Permission updates as changes of the text of a settings file. */
import type { PermissionUpdate } from '../protocol/permission-types.js'
import type { PermissionRulePort } from './check-settings-rule.js'
import { changeJsonList, type EditResult, setJsonString } from './edit-json.js'
import { lineAndColumnAt, scanJson } from './json-tree.js'
import { settingsShape } from './keys/known-keys.js'
import { expandSettingPath, type SettingsFolders } from './settings-paths.js'

export type SettingsTextUpdatePorts = { rules: PermissionRulePort; folders: SettingsFolders }
/** A setting that is text, by its name. */
export type SettingTextUpdate = { type: 'setText'; key: string; value: string }
export type SettingsTextUpdateResult = { ok: true; text: string } | { ok: false; reason: string }

/** All of the updates, or none. An update may come from a host and be anything. */
export function applyPermissionUpdatesToText(
  text: string,
  updates: readonly (PermissionUpdate | SettingTextUpdate)[],
  ports: SettingsTextUpdatePorts,
): SettingsTextUpdateResult {
  let changed = text
  for (const update of updates) {
    if (!isWellFormed(update)) return { ok: false, reason: 'the update is not of a known form' }
    const edited = updateOnce(changed, update, ports)
    if (!edited.ok) {
      if (!('offset' in edited)) return edited
      const { line, column } = lineAndColumnAt(changed, edited.offset)
      return { ok: false, reason: `in line ${line}, column ${column}: ${edited.reason}` }
    }
    changed = edited.text
  }
  return { ok: true, text: changed }
}

/** Written all right, but the file will not be read like that; says why. */
export function describeUnreadableJson(text: string): string | undefined {
  const [flaw] = scanJson(text).slack
  return flaw && `line ${lineAndColumnAt(text, flaw.offset).line}: ${flaw.reason}`
}

function updateOnce(
  text: string,
  update: PermissionUpdate | SettingTextUpdate,
  { rules, folders }: SettingsTextUpdatePorts,
): EditResult | { ok: false; reason: string } {
  switch (update.type) {
    case 'setText':
      return setJsonString(text, [update.key], update.value)
    case 'setMode': {
      const known: readonly string[] = settingsShape.keys.permissions.keys.defaultMode.values
      if (!known.includes(update.mode)) return { ok: false, reason: 'the permission mode is not known' }
      return setJsonString(text, ['permissions', 'defaultMode'], update.mode)
    }
    case 'addDirectories':
    case 'removeDirectories': {
      const wanted = new Set(update.directories.map((path) => expandSettingPath(path, folders)))
      const same = (path: string) => wanted.has(expandSettingPath(path, folders))
      const path = ['permissions', 'additionalDirectories']
      if (update.type === 'removeDirectories') return changeJsonList(text, path, { remove: same, add: [] })
      const there = new Set(listAt(text, path).map((known) => expandSettingPath(known, folders)))
      return changeJsonList(text, path, { remove: () => false, add: [...wanted].filter((known) => !there.has(known)) })
    }
    case 'addRules':
    case 'replaceRules':
    case 'removeRules':
      return updateRules(text, update, rules)
  }
}

function isWellFormed(update: unknown): update is PermissionUpdate | SettingTextUpdate {
  const { type, rules, directories, mode, key, value } = Object(update)
  // Never any other: what a host calls a permission update must not set a program to run.
  if (type === 'setText') return (key === 'outputStyle' || key === 'effortLevel') && typeof value === 'string'
  if (type === 'setMode') return typeof mode === 'string'
  if (type === 'addDirectories' || type === 'removeDirectories') {
    return Array.isArray(directories) && directories.every((path) => typeof path === 'string' && path !== '')
  }
  if (type !== 'addRules' && type !== 'replaceRules' && type !== 'removeRules') return false
  return Array.isArray(rules) && rules.every((rule) => isRule(Object(rule)))
}

function isRule({ toolName, ruleContent }: Record<string, unknown>): boolean {
  return typeof toolName === 'string' && (ruleContent === undefined || typeof ruleContent === 'string')
}

function updateRules(
  text: string,
  update: Extract<PermissionUpdate, { type: 'addRules' | 'replaceRules' | 'removeRules' }>,
  port: PermissionRulePort,
): EditResult | { ok: false; reason: string } {
  const { behavior, type } = update
  if (!['allow', 'deny', 'ask'].includes(behavior)) return { ok: false, reason: 'the behavior of a rule is not known' }
  const path = ['permissions', behavior]
  // `Bash(*)` in the file is the rule `Bash`; what isn't a rule is compared as it stands.
  const oneForm = (rule: string) => {
    const checked = port.check(rule, behavior)
    return checked.ok ? checked.text : rule
  }
  const wanted = new Set<string>()
  for (const value of update.rules) {
    const checked = port.check(port.format(value), behavior)
    if (!checked.ok && type !== 'removeRules') return { ok: false, reason: checked.reason }
    wanted.add(checked.ok ? checked.text : port.format(value))
  }
  if (type === 'removeRules')
    return changeJsonList(text, path, { remove: (rule) => wanted.has(oneForm(rule)), add: [] })
  const there = new Set(listAt(text, path).map(oneForm))
  const add = [...wanted].filter((rule) => !there.has(rule))
  const remove = (rule: string) => type === 'replaceRules' && !wanted.has(oneForm(rule))
  return changeJsonList(text, path, { remove, add })
}

/** The texts in a list; empty when there is no such list. */
function listAt(text: string, path: readonly string[]): string[] {
  let node = scanJson(text).root
  for (const key of path)
    node = node?.kind === 'object' ? node.members.find((one) => one.key === key)?.value : undefined
  if (node?.kind !== 'array') return []
  return node.items.flatMap((item) => (item.kind === 'scalar' && typeof item.value === 'string' ? [item.value] : []))
}
