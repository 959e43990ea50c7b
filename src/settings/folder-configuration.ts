/** What a folder contains that trust is about: texts for the model, and what acts, which is used only with trust. */
import type { BasicFiles } from '../platform/files/files.js'
import { isInside, join, relative } from '../platform/paths.js'
import type { SettingSource } from '../protocol/options.js'
import { ACCEPT_ANY_RULE } from './check-settings-rule.js'
import { parseSettings } from './parse-file.js'
import { readSettingsText } from './read-file-text.js'
import { printableValue } from './setting-problems.js'
import {
  folderAndItsParents,
  INSTRUCTION_FILES,
  SETTINGS_SOURCE_OF_OPTION,
  type SettingsFolders,
  settingsPath,
} from './settings-paths.js'
import { findRepositoryRoot } from './trusted-folders.js'

export type FolderConfigurationSources = SettingsFolders & {
  sources: readonly SettingSource[]
  files: Pick<BasicFiles, 'lstat' | 'realpath' | 'snapshot'>
}

/** Styles replace a part of the system prompt, so they are no mere text. */
const STYLES = 'output-styles'
const IN_CLAUDE_FOLDER = ['agents', 'commands', 'skills', STYLES, 'rules', 'CLAUDE.md']

/**
 * Such as `.claude/settings.json (hooks, env)`; safe to print. `brings` is empty when there is nothing to trust or not;
 * `deeds` is the part of it that is not used without trust as a whole.
 */
export async function findFolderConfiguration(
  folders: FolderConfigurationSources,
): Promise<{ brings: string[]; deeds: string[] }> {
  const { cwd, sources, files } = folders
  const brings: string[] = []
  const deeds: string[] = []
  const add = (path: string, what?: string, isDeed = what !== undefined) => {
    const name = printableValue(relative(cwd, path), 200)
    for (const list of isDeed ? [brings, deeds] : [brings]) list.push(what === undefined ? name : `${name} (${what})`)
  }
  const addExisting = async (source: SettingSource, path: string, what?: string, isDeed?: boolean) => {
    if (sources.includes(source) && (await files.lstat(path).catch(() => undefined))) add(path, what, isDeed)
  }
  const own = await realOf(folders.configDir, files)
  /** In the home folder it is the user's, trusted or not. */
  const isProjects = async (folder: string) =>
    own === undefined || (await realOf(join(folder, '.claude'), files)) !== own
  for (const source of (await isProjects(cwd)) ? (['project', 'local'] as const) : (['local'] as const)) {
    const path = settingsPath(SETTINGS_SOURCE_OF_OPTION[source], folders)
    const keys = sources.includes(source) ? await withheldKeys(path, files) : []
    if (keys.length > 0) add(path, keys.join(', '))
  }
  await addExisting('project', join(cwd, '.mcp.json'), 'MCP servers')
  const root = (await findRepositoryRoot(cwd, folders.home, files)) ?? cwd
  for (const folder of folderAndItsParents(cwd)) {
    for (const [source, name] of INSTRUCTION_FILES) await addExisting(source, join(folder, name))
    const things = isInside(folder, root) && (await isProjects(folder)) ? IN_CLAUDE_FOLDER : []
    for (const name of things) {
      await addExisting('project', join(folder, '.claude', name), undefined, name === STYLES)
    }
  }
  return { brings, deeds }
}

/** The keys of a settings file that are not used before the folder is trusted. */
async function withheldKeys(path: string, files: FolderConfigurationSources['files']): Promise<string[]> {
  const read = await readSettingsText(path, files)
  if (read.kind !== 'text') return []
  const { problems } = parseSettings({
    source: 'projectSettings',
    file: path,
    text: read.text,
    rules: ACCEPT_ANY_RULE,
    repository: { trusted: false },
  })
  return problems.flatMap(({ withheld, key }) => (withheld && key !== undefined ? [key] : []))
}

async function realOf(path: string, files: FolderConfigurationSources['files']): Promise<string | undefined> {
  return files.realpath(path).catch(() => undefined)
}
