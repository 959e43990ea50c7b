/** What is odd about a session that is about to start: it continues, and whoever started it is told. */
import type { Platform } from '../platform/platform.js'
import type { PermissionSettings } from '../protocol/option-table/start-settings.js'
import { knownToolNames } from '../protocol/tool-names.js'
import type { Frozen, SessionLocation } from './configuration.js'

type Settings = Frozen<Pick<PermissionSettings, 'allow' | 'deny' | 'directories'>> & Pick<SessionLocation, 'configDir'>

export async function findStartWarnings(
  settings: Settings,
  platform: Pick<Platform, 'files' | 'identity' | 'workspace'>,
): Promise<string[]> {
  const given = [...new Set(settings.directories)]
  const folders = await Promise.all(given.map((folder) => missingFolder(folder, platform.workspace)))
  const rules = [
    ...settings.allow.flatMap((rule) => unknownTool(rule, '--allowedTools')),
    ...settings.deny.flatMap((rule) => unknownTool(rule, '--disallowedTools')),
  ]
  return [...bounded(folders.flat()), ...bounded(rules), ...(await openToOthers(settings.configDir, platform))]
}

/** Nobody reads more of a kind. */
const MAX_ALIKE = 20

function bounded(warnings: readonly string[]): string[] {
  const different = [...new Set(warnings)]
  const left = different.length - MAX_ALIKE
  return left > 0 ? [...different.slice(0, MAX_ALIKE), `${left} more of the same kind.`] : different
}

async function missingFolder(folder: string, { files }: Platform['workspace']): Promise<string[]> {
  const found = await files.stat(folder).catch(() => undefined)
  if (found?.kind === 'directory') return []
  return [`${folder} (--add-dir) ${found ? 'is no folder' : 'does not exist'}.`]
}

/** A rule for it does nothing: it lets nothing run, or keeps nothing from running. */
function unknownTool(rule: string, flag: string): string[] {
  const name = /^[^(]*/.exec(rule)?.[0].trim() ?? ''
  if (name.startsWith('mcp__') || name.includes('*') || knownToolNames().includes(name)) return []
  return [`the rule ${rule} (${flag}) is for a tool that does not exist.`]
}

/** Warns about a folder that others can write to: they could choose the hooks and helpers that run for this user. */
async function openToOthers(
  folder: string,
  { files, identity }: Pick<Platform, 'files' | 'identity'>,
): Promise<string[]> {
  const found = identity.uid === null ? undefined : await files.stat(folder).catch(() => undefined)
  if (found?.kind !== 'directory') return []
  const others = found.mode & 0o022
  const stranger = found.uid !== identity.uid && found.uid !== 0
  if (others === 0 && !stranger) return []
  const why = stranger ? `belongs to another user (${found.uid})` : 'can be written to by other users'
  return [
    `the configuration folder ${folder} ${why}, who could have Kedge run what they like. Fix: chmod go-w ${folder}`,
  ]
}
