/** Where settings files are. */
import { dirname, isAbsolute, join, resolve } from '../platform/paths.js'
import type { SettingSource } from '../protocol/options.js'
import type { PermissionUpdateDestination } from '../protocol/permission-types.js'
import type { SettingsSource } from './setting-problems.js'

export type SettingsFolders = {
  /** Absolute. */
  cwd: string
  /** The user's own settings folder, `~/.claude` unless told otherwise. */
  configDir: string
  home: string
}

export const SETTINGS_SOURCE_OF_OPTION = {
  user: 'userSettings',
  project: 'projectSettings',
  local: 'localSettings',
} as const satisfies Record<SettingSource, SettingsSource>

export type SettingsFileSource = (typeof SETTINGS_SOURCE_OF_OPTION)[SettingSource]

export function settingsPath(source: SettingsFileSource, { cwd, configDir }: SettingsFolders): string {
  if (source === 'userSettings') return join(configDir, 'settings.json')
  return join(cwd, '.claude', source === 'localSettings' ? 'settings.local.json' : 'settings.json')
}

/** Where a file pattern `/x` in a rule of this source starts. */
export function patternRoot(source: SettingsFileSource, { cwd, configDir }: SettingsFolders): string {
  return source === 'userSettings' ? configDir : cwd
}

/** Settings of the administrator, as publicly documented for the original. */
export function managedSettingsPath(os: string): string {
  if (os === 'darwin') return '/Library/Application Support/ClaudeCode/managed-settings.json'
  if (os === 'win32') return 'C:\\Program Files\\ClaudeCode\\managed-settings.json'
  return '/etc/claude-code/managed-settings.json'
}

export function isSavedInFile(destination: PermissionUpdateDestination): destination is SettingsFileSource {
  return destination !== 'session' && destination !== 'cliArg'
}

/** `~/x` starts at home, what is not absolute at the working directory. */
export function expandSettingPath(path: string, { cwd, home }: SettingsFolders): string {
  if (path === '~' || path.startsWith('~/')) return join(home, path.slice(1))
  return isAbsolute(path) ? resolve(path) : resolve(cwd, path)
}

/** Returns the path of the file where the user's trust in folders is remembered. */
export function trustRecordPath(configDir: string): string {
  return join(configDir, 'kedge-trust.json')
}

/** Claude Code's own record: the user's servers, and folders they said yes to there. */
export function claudeCodeRecordPath({ configDir, home }: Pick<SettingsFolders, 'configDir' | 'home'>): string {
  return configDir === join(home, '.claude') ? join(home, '.claude.json') : join(configDir, '.claude.json')
}

/** Where it is remembered which local settings files are the user's own. */
export function ownSettingsListPath(configDir: string): string {
  return join(configDir, 'kedge-own-files.json')
}

/** Texts for the model, in the working directory and in every folder above it. */
export const INSTRUCTION_FILES: readonly (readonly [SettingSource, string])[] = [
  ['project', 'CLAUDE.md'],
  ['project', 'AGENTS.md'],
  ['local', 'CLAUDE.local.md'],
]

/** Without one of these a folder brings nothing that trust is about. */
export function listPathsThatNeedTrust({ cwd, configDir }: Pick<SettingsFolders, 'cwd' | 'configDir'>): string[] {
  const names = ['.claude', ...INSTRUCTION_FILES.map(([, name]) => name)]
  const above = folderAndItsParents(cwd).flatMap((folder) => names.map((name) => join(folder, name)))
  return [join(cwd, '.mcp.json'), ...above.filter((path) => path !== configDir)]
}

/** From the folder itself to the root. */
export function folderAndItsParents(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...folderAndItsParents(parent)]
}
