/** Settings files, as far as this version honours them: rules, directories, mode, model, variables. Loaded only where one may count. */
import { toCommandHooks } from '../hooks/command-hook.js'
import { formatRule, parseRule } from '../permissions/rule.js'
import type { Platform } from '../platform/platform.js'
import type { Plugin } from '../project/project.js'
import type { PermissionUpdate } from '../protocol/permission-types.js'
import { knownToolNames } from '../protocol/tool-names.js'
import type { Settings } from '../settings/known-keys.js'
import { isFileSource, managedSettingsPath, SOURCE_OF, settingsPath } from '../settings/places.js'
import type { RulePort } from '../settings/rule-text.js'
import { checkBypass, type Refusal, type SessionSettings, thinkingBudget } from './settings.js'

export const rules: RulePort = {
  check(text, behavior) {
    const parsed = parseRule(text, behavior)
    return parsed.ok ? { ok: true, text: formatRule(parsed.rule) } : parsed
  },
  format: formatRule,
  toolNames: knownToolNames(),
}

/** Adds to `settings` what files say; what the host chose stays. Returns why the session must not start, if it must not. */
export async function applySettingsFiles(
  settings: SessionSettings,
  { files, identity }: Platform,
  stderr: (text: string) => void,
): Promise<Refusal | undefined> {
  const { cwd, configDir, home, sources, settingsFlag } = settings
  const managed = managedSettingsPath(identity.os)
  const places = [managed, ...sources.map((source) => settingsPath(SOURCE_OF[source], settings))]
  const found = await Promise.all(places.map((path) => files.lstat(path).catch(() => true)))
  if (settingsFlag === undefined && !found.some(Boolean)) return undefined
  const { loadSettings, isOwnFile, ruleLayers } = await import('../settings/settings-parts.js')
  const { layers, merged, problems } = await loadSettings({
    ...{ cwd, configDir, home, sources, files, rules },
    ...(settingsFlag === undefined ? {} : { flag: settingsFlag }),
    managed: [managed],
    trusted: settings.trusted,
    isOwnFile: (path) => isOwnFile(path, { files, uid: identity.uid }),
  })
  const refused = problems.find(({ severity }) => severity === 'refuse')
  if (refused) return invalidSettings(refused.message)
  for (const { severity, message, key } of problems) {
    if (severity === 'warning') stderr(`Warning: ${message}\n`)
    // About a whole file, such as an empty one; keys that are not known are not worth a line at every start.
    else if (key === undefined) stderr(`Note: ${message}\n`)
  }
  settings.layers = ruleLayers(layers)
  settings.runsCommandHooks = merged.disableAllHooks !== true
  settings.commandHooks = layers.flatMap(({ file, settings: { hooks = {} } }) =>
    toCommandHooks(hooks, { source: file }),
  )
  return applyMerged(settings, merged, identity.uid)
}

function applyMerged(settings: SessionSettings, merged: Settings, uid: number | null): Refusal | undefined {
  const { permissions = {}, env, model, outputStyle, effortLevel, maxThinkingTokens, alwaysThinkingEnabled } = merged
  settings.env = { ...settings.env, ...env }
  settings.model ??= model
  settings.outputStyle = outputStyle
  settings.modelPrices = merged.modelPrices
  const { enableAllProjectMcpServers, enabledMcpjsonServers, disabledMcpjsonServers = [] } = merged
  settings.projectServers = {
    enabled: enableAllProjectMcpServers ? undefined : enabledMcpjsonServers,
    disabled: disabledMcpjsonServers,
  }
  settings.sandbox = merged.sandbox
  settings.effort ??= effortLevel
  settings.thinking ??= thinkingBudget(maxThinkingTokens ?? null)
  if (alwaysThinkingEnabled === false) settings.thinking ??= { type: 'disabled' }
  settings.directories.push(...(permissions.additionalDirectories ?? []))
  if (permissions.disableBypassPermissionsMode === 'disable') settings.allowBypass = false
  if (!settings.choseMode && permissions.defaultMode) settings.mode = permissions.defaultMode
  const isOff = settings.mode === 'bypassPermissions' && permissions.disableBypassPermissionsMode === 'disable'
  if (isOff) {
    const message = 'permissionMode bypassPermissions is turned off by settings (disableBypassPermissionsMode).'
    return { stderr: `Error: ${message}`, message, code: 'bypass_disabled', reason: 'invalid_input' }
  }
  return checkBypass(settings.mode, settings.allowBypass, { uid, env: settings.env })
}

/** Saves what "always allow" is to outlast the session; returns what went wrong, for people. */
export async function saveUpdates(
  updates: readonly PermissionUpdate[],
  { cwd, configDir, home }: SessionSettings,
  { files, clock }: Platform,
): Promise<string[]> {
  const problems: string[] = []
  for (const update of updates) {
    const { destination } = update
    if (!isFileSource(destination)) continue
    const { updateSettingsFile } = await import('../settings/settings-parts.js')
    const saved = await updateSettingsFile(destination, [update], {
      files,
      clock,
      rules,
      folders: { cwd, configDir, home },
    })
    if (!saved.ok) problems.push(saved.message)
    else if (saved.warning) problems.push(saved.warning)
  }
  return problems
}

/** Adds the hooks of plugins, checked like those of a settings file. Returns why the session must not start. */
export async function addPluginHooks(
  settings: SessionSettings,
  plugins: readonly Plugin[],
  stderr: (text: string) => void,
): Promise<Refusal | undefined> {
  const files = plugins.flatMap(({ name, path, hooks }) =>
    hooks.map(({ file, value }) => ({ name, path, file, value })),
  )
  for (const { name, path, file, value } of files) {
    const { parseSettings } = await import('../settings/settings-parts.js')
    const text = JSON.stringify({ hooks: value })
    const { settings: read, problems } = parseSettings({ source: 'userSettings', file, text, rules })
    const refused = problems.find(({ severity }) => severity === 'refuse')
    if (refused) return invalidSettings(refused.message)
    for (const { message } of problems) stderr(`Warning: ${message}\n`)
    settings.commandHooks.push(...toCommandHooks(read.hooks ?? {}, { source: `plugin ${name}`, pluginRoot: path }))
  }
  return undefined
}

function invalidSettings(message: string): Refusal {
  return { stderr: `Error: ${message}`, message, code: 'invalid_settings', reason: 'invalid_input' }
}
