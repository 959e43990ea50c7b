/** Which settings apply to a session, and where each comes from: files, the server's own start, what was chosen in the session. */
import type { SessionInfo } from '../../hub/session-types.js'
import { nodeFiles } from '../../platform/files/files.js'
import { homeFolder } from '../../platform/home.js'
import { createPlatformIdentity } from '../../platform/identity.js'
import type { FolderTrust } from '../../protocol/folder-settings-types.js'
import { isObject, type JsonObject } from '../../protocol/json.js'
import type { Options } from '../../protocol/options.js'
import { permissionRulePort } from '../../runtime/settings-files.js'
import { configFolder } from '../../sessions/transcript-paths.js'
import { isSettingsFileOfUser, loadSettings } from '../../settings/settings-parts.js'
import { managedSettingsPath } from '../../settings/settings-paths.js'

type Origin = { source: string; file?: string }
type Layer = Origin & { settings: JsonObject }
export type EffectiveSetting = { key: string; value: unknown; from: Origin[] }

/** Their values may be keys. */
const HIDDEN = 'env'
/** Objects whose parts come from different places. */
const PARTED = ['permissions', 'sandbox', 'hooks', HIDDEN]

export async function effectiveSettings(
  { cwd, mode, model, effort }: Pick<SessionInfo, 'cwd' | 'mode' | 'model' | 'effort'>,
  options: Options,
  folderTrust: (cwd: string) => Promise<FolderTrust>,
) {
  const { settingSources: sources = [], settings: flag, untrusted, env = process.env } = options
  const home = homeFolder(env)
  const configDir = configFolder(env, home)
  const { os, uid } = createPlatformIdentity()
  const trust = await folderTrust(cwd)
  const trusted = untrusted === undefined ? trust.isTrusted || trust.brings.length === 0 : !untrusted
  const loaded = await loadSettings({
    cwd,
    configDir,
    home,
    sources,
    files: nodeFiles,
    rules: permissionRulePort,
    trusted,
    managed: [managedSettingsPath(os)],
    ...(flag === undefined ? {} : { flag: typeof flag === 'string' ? flag : JSON.stringify(flag) }),
    isOwnFile: (path, text) => isSettingsFileOfUser(path, text, { configDir, files: nodeFiles, uid }),
  })
  const layers: Layer[] = [
    { source: 'session', settings: chosen(model, effort, mode) },
    { source: 'server', settings: chosen(options.model, options.effort, options.permissionMode) },
    ...loaded.layers.map(({ source, file, settings }) => ({ source, file, settings: { ...settings } })),
  ].filter(({ settings }) => Object.keys(settings).length > 0)
  const problems = loaded.problems.map(({ severity, message, file }) => ({ severity, message, file }))
  return {
    settings: mergeEffectiveSettings(layers, { ...loaded.merged }),
    layers: layers.map(({ settings, ...origin }) => ({ ...origin, keys: parted(settings).map(([key]) => key) })),
    problems,
    isTrusted: trusted,
  }
}

/** What a layer says counts as a whole, except lists, which are joined: `merged` has them. */
export function mergeEffectiveSettings(layers: readonly Layer[], merged: JsonObject): EffectiveSetting[] {
  const values = new Map(parted(merged))
  const found = new Map<string, EffectiveSetting>()
  for (const { settings, ...origin } of layers) {
    for (const [key, value] of parted(settings)) {
      const known = found.get(key)
      if (known) known.from.push(origin)
      else found.set(key, { key, value: Array.isArray(value) ? (values.get(key) ?? value) : value, from: [origin] })
    }
  }
  return [...found.values()].sort((a, b) => a.key.localeCompare(b.key))
}

function parted(settings: JsonObject): [string, unknown][] {
  return Object.entries(settings).flatMap(([key, value]): [string, unknown][] => {
    if (value === undefined) return []
    if (!PARTED.includes(key) || !isObject(value)) return [[key, value]]
    return Object.entries(value).map(([part, inner]) => [`${key}.${part}`, key === HIDDEN ? '(hidden)' : inner])
  })
}

/** As the settings files would say it. */
function chosen(model: string | undefined, effortLevel: string | undefined, defaultMode: string | undefined) {
  return {
    ...(model === undefined ? {} : { model }),
    ...(effortLevel === undefined ? {} : { effortLevel }),
    ...(defaultMode === undefined ? {} : { permissions: { defaultMode } }),
  }
}
