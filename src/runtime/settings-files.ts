/** Settings files, as far as this version honors them: rules, directories, mode, model, variables. Loaded only where one may count. */
import type { Fallback } from '../engine/fallbacks.js'
import { type SettingsHook, toSettingsHooks } from '../hooks/settings-hook.js'
import { modelNamedByEnvironment } from '../model/messages-api/messages-provider.js'
import { formatRule, parseRule } from '../permissions/rule.js'
import type { Platform } from '../platform/platform.js'
import { printableText } from '../platform/visible-text.js'
import type { PermissionUpdate } from '../protocol/permission-types.js'
import { knownToolNames } from '../protocol/tool-names.js'
import type { PermissionRulePort } from '../settings/check-settings-rule.js'
import type { KnownSettings } from '../settings/keys/known-keys.js'
import {
  isSavedInFile,
  managedSettingsPath,
  SETTINGS_SOURCE_OF_OPTION,
  settingsPath,
} from '../settings/settings-paths.js'
import type { Configuration, SessionLocation, StartRefusal } from './configuration.js'
import { checkBypassMode, readSwitchVariables, toThinkingConfig } from './configuration-from-flags.js'

export const permissionRulePort: PermissionRulePort = {
  check(text, behavior) {
    const parsed = parseRule(text, behavior)
    return parsed.ok ? { ok: true, text: formatRule(parsed.rule) } : parsed
  },
  format: formatRule,
  toolNames: knownToolNames(),
}

export type ConfigurationOrRefusal = { settings: Configuration } | { refusal: StartRefusal }

/** The settings with what files say; what the host chose stays. Or why the session must not start. */
export async function applySettingsFiles(
  settings: Configuration,
  { files, identity }: Platform,
  stderr: (text: string) => void,
): Promise<ConfigurationOrRefusal> {
  const { cwd, configDir, home, sources, settingsFlag } = settings
  const managed = managedSettingsPath(identity.os)
  const places = [managed, ...sources.map((source) => settingsPath(SETTINGS_SOURCE_OF_OPTION[source], settings))]
  const found = await Promise.all(places.map((path) => files.lstat(path).catch(() => true)))
  if (settingsFlag === undefined && !found.some(Boolean)) return { settings }
  const { loadSettings, isSettingsFileOfUser, permissionRulesOfLayers } = await import('../settings/settings-parts.js')
  const { layers, merged, problems } = await loadSettings({
    cwd,
    configDir,
    home,
    sources,
    files,
    rules: permissionRulePort,
    ...(settingsFlag === undefined ? {} : { flag: settingsFlag }),
    managed: [managed],
    trusted: settings.trusted,
    isOwnFile: (path, text) => isSettingsFileOfUser(path, text, { configDir, files, uid: identity.uid }),
  })
  const refused = problems.find(({ severity }) => severity === 'refuse')
  if (refused) return { refusal: invalidSettings(refused.message) }
  for (const { severity, message, key } of problems) {
    if (severity === 'warning') stderr(`Warning: ${message}\n`)
    // About a whole file, such as an empty one; keys that are not known are not worth a line at every start.
    else if (key === undefined) stderr(`Note: ${message}\n`)
  }
  for (const line of unusedPlugins(merged)) stderr(line)
  const ofLayers = {
    layers: permissionRulesOfLayers(layers),
    hookLimits:
      merged.disableAllHooks === true
        ? undefined
        : { urls: merged.allowedHttpHookUrls, variables: merged.httpHookAllowedEnvVars },
    settingsHooks: layers.flatMap(({ file, settings: { hooks = {} } }) => toSettingsHooks(hooks, { source: file })),
  }
  const applied: Configuration = { ...settings, ...ofLayers, ...fromFiles(settings, merged) }
  const refusal = checkMode(applied, merged, identity.uid)
  return refusal ? { refusal } : { settings: applied }
}

/** Never lost in silence: a plugin may be somebody's guard. */
function unusedPlugins({ enabledPlugins = {} }: KnownSettings): string[] {
  const names = Object.keys(enabledPlugins).filter((name) => enabledPlugins[name])
  if (names.length === 0) return []
  const list = names.slice(0, 20).map((name) => printableText(name, 100))
  const more = names.length > list.length ? ` and ${names.length - list.length} more` : ''
  return [
    `Warning: plugins that settings enable are not used: ${list.join(', ')}${more}. Name their folders with --plugin-dir (option plugins).\n`,
  ]
}

/** What the merged files say, where flags do not. */
function fromFiles(settings: Configuration, merged: KnownSettings): Partial<Configuration> {
  const {
    permissions = {},
    env,
    model,
    outputStyle,
    language,
    effortLevel,
    fastMode,
    maxThinkingTokens,
    alwaysThinkingEnabled,
  } = merged
  const { enableAllProjectMcpServers, enabledMcpjsonServers, disabledMcpjsonServers = [] } = merged
  const { defaultMode, additionalDirectories = [], disableBypassPermissionsMode } = permissions
  const unthinking = alwaysThinkingEnabled === false ? ({ type: 'disabled' } as const) : undefined
  return {
    env: { ...settings.env, ...env },
    ...readSwitchVariables(env ?? {}, settings),
    model: settings.model ?? modelNamedByEnvironment(env ?? {}) ?? model,
    outputStyle,
    language,
    tellsGit: merged.includeGitInstructions,
    modelPrices: merged.modelPrices,
    modelProviders: merged.modelProviders,
    modelFallbacks: fallbacksOf(settings.fallbackModel, merged),
    modelLimits: merged.modelLimits,
    modelOverrides: merged.modelOverrides,
    projectServers: {
      enabled: enableAllProjectMcpServers ? undefined : enabledMcpjsonServers,
      disabled: disabledMcpjsonServers,
    },
    serverLists: { allowed: merged.allowedMcpServers, denied: merged.deniedMcpServers ?? [] },
    sandbox: merged.sandbox,
    effort: settings.effort ?? effortLevel,
    fast: fastMode === true,
    thinking: settings.thinking ?? toThinkingConfig(maxThinkingTokens ?? null) ?? unthinking,
    directories: [...settings.directories, ...additionalDirectories],
    ...(disableBypassPermissionsMode === 'disable' ? { allowBypass: false } : {}),
    ...(!settings.choseMode && defaultMode ? { mode: defaultMode } : {}),
  }
}

/** As the original does it by itself; ours say more. */
const USUAL = ['overloaded', 'down'] as const
const ALL_THREE = ['overloaded', 'rate_limited', 'down'] as const

/** Named on the command line, or else by files; what files say in detail comes behind. */
function fallbacksOf(named: string | undefined, merged: KnownSettings): Fallback[] {
  const names = named === undefined ? (merged.fallbackModel ?? []) : []
  const { modelFallbacks = [] } = merged
  return [
    ...names.map((model) => ({ model, on: USUAL })),
    ...modelFallbacks.map(({ model, on }) => ({ model, on: on ?? ALL_THREE, leaveAlone: true as const })),
  ]
}

function checkMode({ mode, allowBypass, env }: Configuration, merged: KnownSettings, uid: number | null) {
  const isOff = mode === 'bypassPermissions' && merged.permissions?.disableBypassPermissionsMode === 'disable'
  if (isOff) {
    const message = 'permissionMode bypassPermissions is turned off by settings (disableBypassPermissionsMode).'
    return {
      stderr: `Error: ${message}`,
      message,
      code: 'bypass_disabled',
      reason: 'invalid_input',
    } satisfies StartRefusal
  }
  return checkBypassMode(mode, allowBypass, { uid, env })
}

/** Saves what "always allow" is to outlast the session; returns what went wrong, for people. */
export async function savePermissionUpdates(
  updates: readonly PermissionUpdate[],
  { cwd, configDir, home }: SessionLocation,
  { files, clock, identity }: Platform,
): Promise<string[]> {
  const problems: string[] = []
  for (const update of updates) {
    const { destination } = update
    if (!isSavedInFile(destination)) continue
    const { updateSettingsFile } = await import('../settings/settings-parts.js')
    const saved = await updateSettingsFile(destination, [update], {
      files,
      clock,
      rules: permissionRulePort,
      uid: identity.uid,
      folders: { cwd, configDir, home },
    })
    if (!saved.ok) problems.push(saved.message)
    else if (saved.warning) problems.push(saved.warning)
  }
  return problems
}

export function invalidSettings(message: string): StartRefusal {
  return { stderr: `Error: ${message}`, message, code: 'invalid_settings', reason: 'invalid_input' }
}
