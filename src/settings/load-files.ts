/** Reads all settings files of a session into layers and one merged whole. Never throws for what stands in them. */
import { dirname, isInside, resolve } from '../platform/paths.js'
import type { SettingSource } from '../protocol/options.js'
import type { PermissionRulePort } from './check-settings-rule.js'
import { applyManagedRestrictions, composeSettings, type SettingsLayer } from './compose-settings.js'
import type { KnownSettings } from './keys/known-keys.js'
import { type ParsedSettings, parseSettings } from './parse-file.js'
import { readSettingsText, type SettingsFileAccess } from './read-file-text.js'
import { fileProblem, printableValue, type SettingsProblem, type SettingsSource } from './setting-problems.js'
import {
  expandSettingPath,
  patternRoot,
  SETTINGS_SOURCE_OF_OPTION,
  type SettingsFolders,
  settingsPath,
} from './settings-paths.js'
import { findRepositoryRoot } from './trusted-folders.js'

export type LoadOptions = SettingsFolders & {
  sources: readonly SettingSource[]
  /** `--settings`: JSON, or the path of a file. */
  flag?: string
  /** Files of the administrator, the highest first; see `managedSettingsPath`. They hold whatever the sources are. */
  managed: readonly string[]
  files: SettingsFileAccess
  rules: PermissionRulePort
  /** The user trusts the folder. Without that, project and local settings only narrow. */
  trusted: boolean
  /** Is this local settings file the user's own with this text? Asked only when it makes a difference. */
  isOwnFile?(path: string, text: string): Promise<boolean>
}

export type LoadedSettings = {
  /** The highest first. */
  layers: SettingsLayer[]
  merged: KnownSettings
  /** With one of severity `refuse` the session must not start. */
  problems: SettingsProblem[]
}

/** Files that are read because of where they are, the highest first. */
const FOUND = ['localSettings', 'projectSettings', 'userSettings'] as const

/** What is known of a file before it is read. */
type Place = { source: SettingsSource; file: string; root: string }
type Loaded = Pick<ParsedSettings, 'problems'> & { layer?: SettingsLayer; real?: string }

export async function loadSettings(options: LoadOptions): Promise<LoadedSettings> {
  const { cwd, flag, managed, sources } = options
  const loading: Promise<Loaded>[] = managed.map((file) =>
    loadFile({ source: 'managedSettings', file, root: cwd }, options),
  )
  if (flag !== undefined) loading.push(loadFlag(flag, options))
  const wanted = sources.map((name) => SETTINGS_SOURCE_OF_OPTION[name])
  for (const source of FOUND.filter((name) => wanted.includes(name))) {
    loading.push(loadFile({ source, file: settingsPath(source, options), root: patternRoot(source, options) }, options))
  }
  const loaded = withoutRepeated(await Promise.all(loading))
  const layers = applyManagedRestrictions(loaded.flatMap(({ layer }) => (layer ? [layer] : [])))
  const problems = loaded.flatMap((one) => one.problems)
  return { layers, merged: composeSettings(layers), problems }
}

async function loadFlag(flag: string, options: LoadOptions): Promise<Loaded> {
  const { cwd, rules } = options
  if (flag.trimStart().startsWith('{')) {
    const place = { source: 'flagSettings', file: '--settings', root: cwd } as const
    return toLayer(place, parseSettings({ ...place, text: flag, rules }), false, options)
  }
  const file = resolve(cwd, flag)
  const place = { source: 'flagSettings', file, root: dirname(file) } as const
  const loaded = await loadFile(place, options)
  if (loaded.layer || loaded.problems.length > 0) return loaded
  return failed(place, 'does not exist. --settings needs JSON or the path of a file.')
}

async function loadFile(place: Place, options: LoadOptions): Promise<Loaded> {
  const { source, file } = place
  const { rules, trusted, isOwnFile } = options
  const found = await readSettingsText(file, options.files)
  if (found.kind === 'absent') return { problems: [] }
  if (found.kind === 'unreadable') return failed(place, `${found.reason}, so its deny and ask rules can't be known.`)
  const { text, real } = found
  const below = source === 'projectSettings' || source === 'localSettings'
  const repository = below ? { trusted } : undefined
  const parsed = parseSettings({ source, file, text, rules, repository })
  const held = parsed.problems.some(({ withheld }) => withheld)
  if (source === 'localSettings' && trusted && held && (await isOwnFile?.(file, text))) {
    const own = parseSettings({ source, file, text, rules, repository: { trusted, own: true } })
    return { ...toLayer(place, own, false, options), real }
  }
  const loaded = { ...toLayer(place, parsed, below, options), real }
  if (!below) return loaded
  const narrowed = await withoutLeaving(loaded, options)
  const isOwn = narrowed !== loaded && source === 'localSettings' && (await isOwnFile?.(file, text))
  return isOwn ? loaded : narrowed
}

/** A file that may have come with the folder opens nothing outside of it: what is there asks, as if it had not been named. */
async function withoutLeaving(loaded: Loaded, { cwd, home, files }: LoadOptions): Promise<Loaded> {
  const { layer, problems } = loaded
  const named = layer?.settings.permissions?.additionalDirectories
  if (!layer || !named) return loaded
  const realOf = (path: string) => files.realpath(path).catch(() => path)
  const here = await realOf(cwd)
  const root = (await findRepositoryRoot(here, await realOf(home), files)) ?? here
  const reals = await Promise.all(named.map(realOf))
  const inside = named.filter((_, index) => isInside(String(reals[index]), root))
  if (inside.length === named.length) return loaded
  const left = named.filter((path) => !inside.includes(path)).map((path) => printableValue(path, 200))
  const text = `permissions.additionalDirectories: ${left.join(', ')} is outside of the project and not used. Name it with --add-dir or in your user settings.`
  const permissions = { ...layer.settings.permissions, additionalDirectories: inside }
  return {
    ...loaded,
    layer: { ...layer, settings: { ...layer.settings, permissions } },
    problems: [...problems, fileProblem('warning', layer.source, layer.file, text)],
  }
}

const WHOLE_DISK =
  'permissions.additionalDirectories names the root of the disk: tools can read, and where edits are accepted change, every file without asking. Name the folders you need.'

function toLayer(place: Place, parsed: ParsedSettings, repository: boolean, folders: SettingsFolders): Loaded {
  const { settings, problems } = parsed
  const directories = settings.permissions?.additionalDirectories?.map((path) => expandSettingPath(path, folders))
  const absolute = directories && { permissions: { ...settings.permissions, additionalDirectories: directories } }
  const layer = { ...place, repository, settings: { ...settings, ...absolute } }
  // Project settings never open folders outside the project.
  const isAll = !repository && directories?.some((path) => dirname(path) === path)
  return {
    problems: isAll ? [...problems, fileProblem('warning', place.source, place.file, WHOLE_DISK)] : problems,
    layer,
  }
}

function failed({ source, file }: Place, text: string): Loaded {
  return { problems: [fileProblem('refuse', source, file, text)] }
}

/** In the home folder the user's file is the project's file too: then it is the user's. */
function withoutRepeated(loaded: readonly Loaded[]): Loaded[] {
  const user = loaded.find(({ layer }) => layer?.source === 'userSettings')
  return loaded.filter(({ layer, real }) => !layer?.repository || real !== user?.real)
}
