/** What changed settings files mean for a running session: rules, folders, and variables hold at once, the rest at the next start. */
import type { RuleLayer } from '../../permissions/permission-engine.js'
import { parseRule } from '../../permissions/rule.js'
import type { PermissionRuleValue, PermissionUpdate } from '../../protocol/permission-types.js'
import type { DiscoveredConfiguration, SessionLocation } from '../configuration.js'
import type { Conversation } from '../conversation.js'

const FILES = ['userSettings', 'projectSettings', 'localSettings'] as const
/** What denies comes before what allows: at no time is more allowed than either version of the files allows. */
const BEHAVIORS = ['deny', 'ask', 'allow'] as const

/** Applies what can change while the session runs. Returns what changed, in words. */
export async function useSettings(
  { shared, permissions }: Conversation,
  next: Pick<DiscoveredConfiguration, 'layers'> & Pick<SessionLocation, 'env'> & { directories: readonly string[] },
  note: (text: string) => void,
): Promise<string[]> {
  const { settings, live } = shared
  const changes: string[] = []
  const before = JSON.stringify(permissions.rules())
  const { updates, problems } = ruleUpdates(next.layers)
  for (const problem of [...problems, ...(await permissions.apply(updates))]) note(problem)
  if (JSON.stringify(permissions.rules()) !== before) changes.push(changedSettings('Permission rules'))
  const directories = next.directories.filter((path) => !permissions.directories().includes(path))
  const added = directories.filter((path) => !settings.directories.includes(path))
  if (added.length > 0) {
    for (const problem of await permissions.apply([
      { type: 'addDirectories', directories: [...added], destination: 'session' },
    ]))
      note(problem)
    changes.push(`Folders that came: ${added.join(', ')}.`)
  }
  const variables = Object.entries(next.env).filter(([name, value]) => live.env[name] !== value)
  const ofFiles = variables.filter(([name, value]) => settings.env[name] !== value)
  if (ofFiles.length > 0) {
    live.addVariables(Object.fromEntries(ofFiles))
    changes.push(`Environment variables: ${ofFiles.map(([name]) => name).join(', ')}.`)
  }
  if (ofManaged(next.layers) !== ofManaged(settings.layers))
    note("The administrator's settings have changed. They hold from the next session on.")
  return changes
}

export function changedSettings(what: string): string {
  return `${what} have changed.`
}

function ofManaged(layers: readonly RuleLayer[]): string {
  return JSON.stringify(layers.filter(({ source }) => source === 'managedSettings'))
}

function ruleUpdates(layers: readonly RuleLayer[]): { updates: PermissionUpdate[]; problems: string[] } {
  const problems: string[] = []
  const updates = BEHAVIORS.flatMap((behavior) =>
    FILES.map((destination): PermissionUpdate => {
      const texts = layers.filter(({ source }) => source === destination).flatMap((layer) => layer[behavior] ?? [])
      const rules: PermissionRuleValue[] = []
      for (const text of texts) {
        const parsed = parseRule(text, behavior)
        if (parsed.ok) rules.push(parsed.rule)
        else problems.push(parsed.reason)
      }
      return { type: 'replaceRules', rules, behavior, destination }
    }),
  )
  return { updates, problems }
}
