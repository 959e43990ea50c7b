/** Where settings files are. */
import { isAbsolute, join, resolve } from '../platform/paths.js'
import type { SettingSource } from '../protocol/options.js'
import type { PermissionUpdateDestination } from '../protocol/permissions.js'
import type { SettingsSource } from './problems.js'

export type Folders = {
  /** Absolute. */
  cwd: string
  /** The user's own settings folder, `~/.claude` unless told otherwise. */
  configDir: string
  home: string
}

export const SOURCE_OF = {
  user: 'userSettings',
  project: 'projectSettings',
  local: 'localSettings',
} as const satisfies Record<SettingSource, SettingsSource>

export type FileSource = (typeof SOURCE_OF)[SettingSource]

export function settingsPath(source: FileSource, { cwd, configDir }: Folders): string {
  if (source === 'userSettings') return join(configDir, 'settings.json')
  return join(cwd, '.claude', source === 'localSettings' ? 'settings.local.json' : 'settings.json')
}

/** Where a file pattern `/x` in a rule of this source starts. */
export function rootOf(source: FileSource, { cwd, configDir }: Folders): string {
  return source === 'userSettings' ? configDir : cwd
}

/** Settings of the administrator, as publicly documented for the original. */
export function managedSettingsPath(os: string): string {
  if (os === 'darwin') return '/Library/Application Support/ClaudeCode/managed-settings.json'
  if (os === 'win32') return 'C:\\Program Files\\ClaudeCode\\managed-settings.json'
  return '/etc/claude-code/managed-settings.json'
}

export function isFileSource(destination: PermissionUpdateDestination): destination is FileSource {
  return destination !== 'session' && destination !== 'cliArg'
}

/** `~/x` starts at home, what is not absolute at the working directory. */
export function absolutePath(path: string, { cwd, home }: Folders): string {
  if (path === '~' || path.startsWith('~/')) return join(home, path.slice(1))
  return isAbsolute(path) ? resolve(path) : resolve(cwd, path)
}
