/** `resolveSettings()`: which settings a query in a folder would go by, and where each comes from, without starting an agent. */
import { resolve } from '../platform/paths.js'
import type { ResolvedSettings, ResolveSettingsOptions, Settings } from '../protocol/folder-settings-types.js'

/** Rejects with a `ConfigurationError` for options that mean nothing, and where a query would refuse to start because of a file. */
export async function resolveSettings(given: ResolveSettingsOptions = {}): Promise<ResolvedSettings> {
  // Loaded here, so that importing the library stays cheap.
  const { resolveSettingsFiles: read } = await import('../runtime/resolve-settings-files.js')
  return read({ ...given, cwd: resolve(process.cwd(), given.cwd ?? '.') }, process.env)
}

/** What is effective, without a mode that asks less and comes from a file of the repository. */
export function filterEscalatingDefaultMode({ effective, sources }: ResolvedSettings): Settings {
  const highest = sources.findLast(({ settings }) => modeOf(settings) !== undefined)
  if (highest?.source !== 'project' || !/^(bypassPermissions|auto|acceptEdits)$/.test(String(modeOf(effective))))
    return effective
  const { defaultMode: _, ...permissions } = effective['permissions'] as Settings // It has a mode.
  return { ...effective, permissions }
}

function modeOf(settings: Settings): unknown {
  return (settings['permissions'] as Settings | undefined)?.['defaultMode'] // Settings were checked when they were read.
}
