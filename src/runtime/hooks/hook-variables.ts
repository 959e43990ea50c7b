/** Variables that hooks at the start of a session want commands to have: they write `export` lines to the file CLAUDE_ENV_FILE names. */
import { join } from '../../platform/paths.js'
import type { Platform } from '../../platform/platform.js'
import { commandEnvironment } from '../../tools/bash/command-environment.js'
import type { DiscoveredConfiguration, SessionLocation } from '../configuration.js'
import type { LiveSettings } from '../live-settings.js'

/** What a shell sets by itself. */
const SHELLS_OWN = /^(?:_|PWD|OLDPWD|SHLVL|BASH.*|KEDGE_.*)$/
const TIMEOUT_MS = 10_000

export type HookExportedVariables = ReturnType<typeof createHookExportedVariables>

export function createHookExportedVariables(
  settings: SessionLocation & DiscoveredConfiguration,
  live: LiveSettings,
  sessionId: string,
  { files, workspace }: Platform,
) {
  const folder = join(settings.configDir, 'session-env', sessionId)
  const file = join(folder, 'hooks.sh')
  const isWanted =
    settings.hookLimits !== undefined &&
    settings.settingsHooks.some(({ event }) => event === 'SessionStart' || event === 'Setup')
  return {
    /** For the environment of such hooks. */
    forHooks: () => (isWanted ? { CLAUDE_ENV_FILE: file } : {}),
    async prepare(): Promise<void> {
      // Without the folder a hook that writes there fails and says so; the session continues.
      if (isWanted) await files.makeDirectory(folder, 0o700).catch(() => undefined)
    },
    /** After the hooks: reads the file as a shell does, and takes over what it exports. */
    async adopt(): Promise<void> {
      if (!isWanted || !files.existsSync(file)) return
      const before = commandEnvironment(live.env, settings.cwd)
      const script = '. "$1" >/dev/null 2>&1 </dev/null; exec env -0'
      const args = ['--noprofile', '--norc', '-c', script, 'bash', file]
      const end = await workspace.processes
        .run({ command: 'bash', args, cwd: settings.cwd, env: before, timeoutMs: TIMEOUT_MS })
        .catch(() => undefined)
      if (end?.exitCode !== 0) return
      const set = end.stdout.split('\0').flatMap((line): [string, string][] => {
        const at = line.indexOf('=')
        const name = line.slice(0, at)
        const value = line.slice(at + 1)
        return at <= 0 || SHELLS_OWN.test(name) || before[name] === value ? [] : [[name, value]]
      })
      live.addVariables(Object.fromEntries(set))
    },
  }
}
