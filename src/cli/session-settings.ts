/** The settings a session in this folder would start with, for commands that speak of sessions without being one. */
import { homeFolder } from '../platform/home.js'
import type { Platform } from '../platform/platform.js'
import { createFlagReader, parseArgv } from '../protocol/option-table/parse-argv.js'
import type { Configuration } from '../runtime/configuration.js'
import { readConfigurationFromFlags } from '../runtime/configuration-from-flags.js'
import { applySettingsFiles } from '../runtime/settings-files.js'
import { configFolder } from '../sessions/transcript-paths.js'
import { printToStderr } from './terminal-output.js'

/** A text when it would not start. `complain` gets the warnings of files. */
export async function resolveSessionConfiguration(
  cwd: string,
  argv: readonly string[],
  platform: Platform,
  complain: (text: string) => void = (text) => printToStderr(text),
): Promise<Configuration | string> {
  const { env } = process
  const home = homeFolder(env)
  const parsed = parseArgv([...argv, ...((await isFolderTrusted(cwd, home, platform)) ? ['--trust'] : [])])
  if (!parsed.ok) return parsed.message.replace(/^error: /, '')
  const { files, identity } = platform
  const read = readConfigurationFromFlags(createFlagReader(parsed.values), { cwd, env, home, uid: identity.uid, files })
  if (!read.ok) return read.refusal.message ?? read.refusal.code
  const applied = await applySettingsFiles(read.settings, platform, complain)
  return 'refusal' in applied ? (applied.refusal.message ?? applied.refusal.code) : applied.settings
}

/** Returns whether a folder is trusted, as it was answered before; nobody is asked. */
export async function isFolderTrusted(cwd: string, home: string, { files, identity }: Platform): Promise<boolean> {
  const { isTrustedFolder } = await import('../settings/settings-parts.js')
  const places = { configDir: configFolder(process.env, home), home, files, uid: identity.uid }
  return isTrustedFolder(cwd, places).catch(() => false)
}
