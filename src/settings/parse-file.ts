/** The text of one settings file as settings and a list of what is wrong with it. Touches no file. */
import { checkSettings } from './check-settings.js'
import type { PermissionRulePort } from './check-settings-rule.js'
import { type JsonObjectNode, scanJson } from './json-tree.js'
import type { KnownSettings } from './keys/known-keys.js'
import { createProblemList, type ReportProblem, type SettingsProblem, type SettingsSource } from './setting-problems.js'
import type { SettingsFileTrust } from './withheld-settings.js'

export type SettingsText = {
  source: SettingsSource
  /** For messages. */
  file: string
  text: string
  rules: PermissionRulePort
  /** The file stands in the folder; undefined when it is outside. */
  repository?: SettingsFileTrust
}

export type ParsedSettings = { settings: KnownSettings; problems: SettingsProblem[] }

export function parseSettings({ source, file, text, rules, repository }: SettingsText): ParsedSettings {
  const { report, problems } = createProblemList(source, file, text)
  const { root, error, slack } = scanJson(text)
  const context = { text, rules, report, repository, managed: source === 'managedSettings' }
  const end = (settings: KnownSettings) => ({ settings, problems: problems() })
  const flaw = slack[0]
  if (!root && !error) {
    report('note', { text: 'is empty. Nothing is set by it.' })
    return end({})
  }
  // Deny rules may stand in the part that can't be read, whoever wrote them.
  if (error) {
    const text = `this is not JSON: ${error.reason}. Its deny and ask rules can't be known. Repair or remove the file.`
    report('refuse', { offset: error.offset, text })
    return end({})
  }
  if (root?.kind !== 'object') {
    if (root) report('refuse', { offset: root.start, text: NO_OBJECT })
    return end({})
  }
  if (flaw) {
    const text = `this is not JSON: ${flaw.reason}. The file is not used, except where it narrows: deny and ask rules, sandbox.`
    report(brokenSeverity(source), { offset: flaw.offset, text })
  }
  if (!flaw) return end(checkSettings(root, context))
  const trusted = repository?.trusted ?? true
  if (trusted) reportGuards(root, report)
  const refusals: ReportProblem = (severity, problem) => {
    if (severity === 'refuse') report(severity, problem)
  }
  return end(checkSettings(narrowingPart(root), { ...context, report: refusals, repository: { trusted } }))
}

const NO_OBJECT = 'settings are an object {…}.'

/** Keeps only what narrows permissions, and the sandbox settings. */
function narrowingPart(root: JsonObjectNode): JsonObjectNode {
  const keep = (node: JsonObjectNode, keys: readonly string[]): JsonObjectNode => {
    return { ...node, members: node.members.filter(({ key }) => keys.includes(key)) }
  }
  const members = keep(root, ['permissions', 'sandbox']).members.map((member) => {
    const { key, value } = member
    if (key !== 'permissions' || value.kind !== 'object') return member
    return { ...member, value: keep(value, ['deny', 'ask', 'disableBypassPermissionsMode']) }
  })
  return { ...root, members }
}

/** A hook of a file that is not used would not be run, but one before tools may be there to stop them. */
function reportGuards(root: JsonObjectNode, report: ReportProblem): void {
  for (const { key, value } of root.members) {
    if (key !== 'hooks' || value.kind !== 'object') continue
    const guard = value.members.find((member) => member.key === 'PreToolUse')
    const text = "can't be left out. Repair the file."
    if (guard) report('refuse', { offset: guard.start, key: 'hooks.PreToolUse', text })
  }
}

/** Nobody may lose what an administrator or the command line demands. */
function brokenSeverity(source: SettingsSource): 'refuse' | 'warning' {
  return source === 'managedSettings' || source === 'flagSettings' ? 'refuse' : 'warning'
}
