/** What holds in a session, for hosts that show it: permission rules and folders, hooks, settings. */
import { hookEventTraits } from '../../hooks/event-traits.js'
import { type SettingsHook, settingsHookName } from '../../hooks/settings-hook.js'
import { HOOK_EVENTS } from '../../protocol/hooks.js'
import type {
  SDKControlGetHooksListingResponse,
  SDKControlPermissionRulesState,
  SDKPermissionRuleEntry,
} from '../../protocol/requests/session-answers.js'
import type { Conversation } from '../conversation.js'
import { permissionRulePort } from '../settings-files.js'

/** Where rules are from, as hosts know it. */
const SOURCES = { managedSettings: 'policySettings' } as const
const SAVED: readonly string[] = ['userSettings', 'projectSettings', 'localSettings']

export function listPermissionRules({ permissions, shared }: Conversation): SDKControlPermissionRulesState {
  const { cwd, directories } = shared.settings
  const rules = permissions.rules().map(({ source, behavior, text }): SDKPermissionRuleEntry => {
    const name = source === 'managedSettings' ? SOURCES[source] : source
    const editability = SAVED.includes(name) ? 'persistent' : name === 'session' ? 'session' : 'readonly'
    return { behavior, source: name, rule: text, editability }
  })
  const sourceOf = (path: string) => (path === cwd ? 'cwd' : directories.includes(path) ? 'cliArg' : 'session')
  return {
    rules,
    workspaceDirectories: permissions.directories().map((path) => ({ path, source: sourceOf(path) })),
    originalCwd: cwd,
    managedOnly: false,
  }
}

export function listHooks({ shared }: Conversation): SDKControlGetHooksListingResponse {
  const { limits, list } = shared.live.hooks
  const catalog = HOOK_EVENTS.map((name) => ({
    name,
    summary: `Hooks of ${name}`,
    supportsMatcher: hookEventTraits(name).subject !== undefined,
  }))
  const isOff = limits === undefined
  return {
    events: catalog.flatMap((event) => {
      const hookCount = list.filter((hook) => hook.event === event.name).length
      return hookCount === 0 ? [] : [{ ...event, hookCount }]
    }),
    hooks: list.map((hook) => describeHook(hook, isOff)),
    eventCatalog: catalog,
    policy: {
      disabledByPolicy: false,
      managedOnly: false,
      pluginOnly: false,
      allDisabled: isOff,
      policyHookCount: 0,
    },
  }
}

function describeHook(hook: SettingsHook, isOff: boolean): SDKControlGetHooksListingResponse['hooks'][number] {
  const { event, matcher = '', source, timeout, statusMessage } = hook
  const plugin = source.startsWith('plugin ') ? source.slice('plugin '.length) : undefined
  const text = settingsHookName(hook).slice(1, -1)
  return {
    event,
    matcher,
    source,
    sourceLabel: plugin === undefined ? source : `Plugin ${plugin}`,
    ...(plugin === undefined ? {} : { pluginName: plugin }),
    type: hook.type,
    displayText: text,
    commandText: text,
    contentLabel: hook.type === 'command' ? 'Command' : 'Content',
    ...(hook.if === undefined ? {} : { condition: hook.if }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(statusMessage === undefined ? {} : { statusMessage }),
    ...(hook.once ? { runsOnce: true } : {}),
    ...(hook.async ? { runsInBackground: true } : {}),
    ...(isOff ? { disabled: true as const } : {}),
  }
}

/** The settings that hold by the files as they are now, the lowest file first. */
export async function listSettings({ shared }: Conversation): Promise<Record<string, unknown>> {
  const { settings, platform } = shared
  const { loadSettings, isSettingsFileOfUser } = await import('../../settings/settings-parts.js')
  const { managedSettingsPath } = await import('../../settings/settings-paths.js')
  const { files, identity } = platform
  const { cwd, home, configDir, sources, settingsFlag } = settings
  const { layers, merged } = await loadSettings({
    cwd,
    home,
    configDir,
    sources,
    files,
    rules: permissionRulePort,
    trusted: settings.trusted,
    managed: [managedSettingsPath(identity.os)],
    isOwnFile: (path, text) => isSettingsFileOfUser(path, text, { configDir, files, uid: identity.uid }),
    ...(settingsFlag === undefined ? {} : { flag: settingsFlag }),
  })
  return {
    effective: { ...merged },
    sources: layers.toReversed().map(({ source, file, settings: own }) => ({
      source: source === 'managedSettings' ? SOURCES[source] : source,
      path: file,
      settings: { ...own },
    })),
  }
}
