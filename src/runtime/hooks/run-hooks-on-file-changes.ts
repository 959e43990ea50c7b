/** Tells hooks of files that change while a session runs: settings files, and files of its folder. Watches only what a hook waits for. */
import type { SessionHooks } from '../../hooks/session-hooks.js'
import { basename, dirname } from '../../platform/paths.js'
import type { Platform } from '../../platform/platform.js'
import type { ConfigChangeHookInput } from '../../protocol/hooks.js'
import type { ConfigurationSourceSettings } from '../../protocol/option-table/start-settings.js'
import { SETTINGS_SOURCE_OF_OPTION, settingsPath } from '../../settings/settings-paths.js'
import type { Frozen, SessionLocation } from '../configuration.js'

const CONFIG_SOURCES: Record<ConfigurationSourceSettings['sources'][number], ConfigChangeHookInput['source']> = {
  user: 'user_settings',
  project: 'project_settings',
  local: 'local_settings',
}

/** Until `signal` aborts. */
export function runHooksOnFileChanges(
  settings: SessionLocation & Frozen<Pick<ConfigurationSourceSettings, 'sources'>>,
  { files }: Platform,
  hooks: SessionHooks,
  signal: AbortSignal,
): void {
  if (signal.aborted) return
  const watch: typeof files.watch = (...watched) => {
    const stop = files.watch(...watched)
    signal.addEventListener('abort', stop, { once: true })
    return stop
  }
  if (hooks.has('FileChanged')) {
    const tell = (path: string, event: 'add' | 'change' | 'unlink') =>
      void hooks.fileChanged({ file_path: path, event }, signal)
    // Which of them a hook waits for is for its matcher to say.
    watch(settings.cwd, () => true, tell)
  }
  if (!hooks.has('ConfigChange')) return
  for (const source of settings.sources) {
    const path = settingsPath(SETTINGS_SOURCE_OF_OPTION[source], settings)
    const isIt = (name: string) => name === basename(path)
    // A session keeps what it read at its start: a hook can note the change, and there is nothing to hold back.
    watch(dirname(path), isIt, () => {
      void hooks.configChange({ source: CONFIG_SOURCES[source], file_path: path }, signal)
    })
  }
}
