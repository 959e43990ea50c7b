/** Which settings a session would go by, and where each comes from, without starting one. */
import { ConfigurationError } from '../errors.js'
import { homeFolder } from '../platform/home.js'
import { nodePlatform } from '../platform/node-platform.js'
import type {
  ProvenanceEntry,
  ResolvedSettings,
  ResolveSettingsOptions,
  Settings,
} from '../protocol/folder-settings-types.js'
import { checkOptions } from '../protocol/option-table/check-options.js'
import { configFolder } from '../sessions/transcript-paths.js'
import { isSettingsFileOfUser, loadSettings } from '../settings/settings-parts.js'
import { managedSettingsPath, SETTINGS_SOURCE_OF_OPTION } from '../settings/settings-paths.js'
import { permissionRulePort } from './settings-files.js'

const MANAGED = { source: 'managed', policyOrigin: 'file' } as const
const NAMES = Object.fromEntries(Object.entries(SETTINGS_SOURCE_OF_OPTION).map(([name, source]) => [source, name]))

export async function resolveSettingsFiles(
  { serverManagedSettings: ofServer = {}, ...options }: ResolveSettingsOptions & { cwd: string },
  env: { readonly [name: string]: string | undefined },
): Promise<ResolvedSettings> {
  checkOptions(options)
  if (Object.keys(ofServer).length > 0) {
    const text = 'serverManagedSettings is not supported by this version of Kedge: no server gives it settings.'
    throw new ConfigurationError('serverManagedSettings', text, 'unsupported_option')
  }
  const { files, identity } = nodePlatform()
  const home = homeFolder(env)
  const configDir = configFolder(env, home)
  const { layers, merged, problems } = await loadSettings({
    cwd: options.cwd,
    home,
    configDir,
    files,
    rules: permissionRulePort,
    trusted: true,
    sources: options.settingSources ?? ['user', 'project', 'local'],
    managed: [managedSettingsPath(identity.os)],
    isOwnFile: (path, text) => isSettingsFileOfUser(path, text, { configDir, files, uid: identity.uid }),
  })
  const refused = problems.find(({ severity }) => severity === 'refuse')
  if (refused) throw new ConfigurationError('settings', refused.message)
  const sources = layers.toReversed().map(({ source, file: path, settings }) => {
    const origin = source === 'managedSettings' ? MANAGED : { source: NAMES[source] as 'user' } // One of the table's own keys.
    return { ...origin, settings: { ...settings } as Settings, path } // Checked settings are an object of JSON.
  })
  return {
    effective: { ...merged },
    provenance: Object.fromEntries(Object.keys(merged).map((key) => [key, originOf(key, sources)])),
    sources,
    machinePolicy: { didNotLoad: false },
  }
}

function originOf(key: string, sources: ResolvedSettings['sources']): ProvenanceEntry | undefined {
  const highest = sources.findLast(({ settings }) => settings[key] !== undefined)
  if (!highest) return undefined
  const { settings: _, ...origin } = highest
  return origin
}
