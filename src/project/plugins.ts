/** Plugins: folders the user named that bring commands, skills, agents, styles, hooks and servers under one name. */

import { basename, isAbsolute, join, resolve } from '../platform/paths.js'
import { isObject } from '../protocol/json.js'
import { loadAgentFile, loadAgents } from './agent-files.js'
import { loadCommand, loadCommands, loadSkill, loadSkills } from './command-files.js'
import { DEFINITION_NAME_RULE_TEXT, toDefinitionName } from './file-names.js'
import { realPath } from './folders.js'
import { loadOutputStyles } from './output-styles.js'
import type { AgentFile, CommandFile, OutputStyle, Plugin, SkillFile } from './project.js'
import { type DefinitionFolder, type ReadingContext, readTextReportingProblems } from './reader.js'

export type PluginParts = {
  plugin: Plugin
  commands: CommandFile[]
  skills: SkillFile[]
  agents: AgentFile[]
  outputStyles: OutputStyle[]
}

type JsonMap = Record<string, unknown>
const MAX_PATHS = 50

/**
 * Loads a plugin's commands, skills, agents, and hooks. Undefined when it can't be used: one whose hooks can't be
 * read is not used at all, as they may be its guard.
 */
export async function loadPlugin(
  folder: string,
  cwd: string,
  reading: ReadingContext,
): Promise<PluginParts | undefined> {
  const { files, problems } = reading
  const path = resolve(cwd, folder)
  const within = await realPath(path, files)
  if (within === undefined || (await files.lstat(within))?.kind !== 'directory') {
    problems.add(path, 'is no folder, so there is no plugin to load.')
    return undefined
  }
  const manifest = await readJson(join(path, '.claude-plugin', 'plugin.json'), within, reading)
  if (manifest === 'unusable') return undefined
  const name = toDefinitionName(typeof manifest?.name === 'string' ? manifest.name : basename(within))
  if (name === undefined) {
    problems.add(path, `the plugin is not used: ${DEFINITION_NAME_RULE_TEXT}.`)
    return undefined
  }
  const place: DefinitionFolder = { folder: path, origin: 'plugin', within, plugin: { name, path } }
  const hooks = await loadHooks(manifest, place, reading)
  const mcpServers = await loadServers(manifest, place, reading)
  if (!hooks || !mcpServers) return undefined
  const [commands, skills, agents, outputStyles] = await Promise.all([
    loadAll(manifest, 'commands', place, reading, { folder: loadCommands, file: commandOf }),
    loadAll(manifest, 'skills', place, reading, { folder: skillsOf }),
    loadAll(manifest, 'agents', place, reading, { folder: loadAgents, file: loadAgentFile }),
    loadAll(manifest, 'outputStyles', place, reading, { folder: loadOutputStyles }, 'output-styles'),
  ])
  return { plugin: { name, path, hooks, mcpServers }, commands, skills, agents, outputStyles }
}

function commandOf(path: string, place: DefinitionFolder, reading: ReadingContext) {
  return loadCommand(path, [basename(path, '.md')], place, reading)
}

/** A folder of skills, or of one. */
async function skillsOf(place: DefinitionFolder, reading: ReadingContext): Promise<SkillFile[]> {
  const skills = await loadSkills(place, reading)
  const one = await loadSkill(place.folder, basename(place.folder), place, reading)
  return one ? [...skills, one] : skills
}

type Loaders<T> = {
  folder(place: DefinitionFolder, reading: ReadingContext): Promise<T[]>
  file?(path: string, place: DefinitionFolder, reading: ReadingContext): Promise<T | undefined>
}

/** From the usual folder, then from where the manifest says. */
async function loadAll<T>(
  manifest: JsonMap | undefined,
  key: string,
  place: DefinitionFolder,
  reading: ReadingContext,
  loaders: Loaders<T>,
  usual = key,
): Promise<T[]> {
  const places = [join(place.folder, usual), ...pathsOf(manifest?.[key], key, place, reading)]
  const found = await Promise.all(
    [...new Set(places)].map(async (path) => {
      if (!path.endsWith('.md')) return loaders.folder({ ...place, folder: path }, reading)
      const one = await loaders.file?.(path, place, reading)
      return one ? [one] : []
    }),
  )
  return found.flat()
}

/** Paths in a manifest start at the plugin and stay in it. */
function pathsOf(value: unknown, key: string, { folder }: DefinitionFolder, { problems }: ReadingContext): string[] {
  if (value === undefined) return []
  const manifest = join(folder, '.claude-plugin', 'plugin.json')
  const paths = typeof value === 'string' ? [value] : value
  if (!Array.isArray(paths) || paths.length > MAX_PATHS) {
    problems.add(manifest, `'${key}' must be a path or a list of paths. It is not used.`)
    return []
  }
  return paths.flatMap((path) => {
    const inside = typeof path === 'string' ? insidePath(path) : undefined
    if (inside !== undefined) return [join(folder, inside)]
    problems.add(manifest, `'${key}' has a path that does not stay in the plugin. It is not used.`)
    return []
  })
}

function insidePath(path: string): string | undefined {
  const isOutside = isAbsolute(path) || path === '' || path.includes('\0') || path.split(/[\\/]/).includes('..')
  return isOutside ? undefined : path
}

type JsonFile = { file: string; value: JsonMap }

/** A file of the usual name and what the manifest says under `key`: the thing itself, or where it is. */
async function jsonOf(
  manifest: JsonMap | undefined,
  key: string,
  usual: string,
  place: DefinitionFolder,
  reading: ReadingContext,
): Promise<JsonFile[] | undefined> {
  const given = manifest?.[key]
  const inline = isObject(given) ? [{ file: join(place.folder, '.claude-plugin', 'plugin.json'), value: given }] : []
  const paths = isObject(given) ? [] : pathsOf(given, key, place, reading)
  const found = await Promise.all(
    [...new Set([join(place.folder, usual), ...paths])].map(async (file) => {
      const value = await readJson(file, place.within, reading)
      return value === 'unusable' ? value : value ? { file, value } : undefined
    }),
  )
  if (found.includes('unusable')) return undefined
  return [...found.flatMap((one) => (one && one !== 'unusable' ? [one] : [])), ...inline]
}

async function loadHooks(manifest: JsonMap | undefined, place: DefinitionFolder, reading: ReadingContext) {
  const found = await jsonOf(manifest, 'hooks', join('hooks', 'hooks.json'), place, reading)
  return found?.map(({ file, value }) => ({ file, value: 'hooks' in value ? value.hooks : value }))
}

async function loadServers(manifest: JsonMap | undefined, place: DefinitionFolder, reading: ReadingContext) {
  const found = await jsonOf(manifest, 'mcpServers', '.mcp.json', place, reading)
  if (!found) return undefined
  const servers = found.flatMap(({ value }) => {
    const inner = 'mcpServers' in value ? value.mcpServers : value
    return isObject(inner) ? Object.entries(inner) : []
  })
  const root = place.plugin?.path ?? place.folder
  return Object.fromEntries(servers.map(([name, server]) => [name, withRoot(server, root)]))
}

const ROOT_VARIABLE = /\$\{CLAUDE_PLUGIN_ROOT\}/g

/** Unlike hooks, servers have no shell that would put the variable in. */
function withRoot(value: unknown, root: string): unknown {
  if (typeof value === 'string') return value.replace(ROOT_VARIABLE, () => root)
  if (Array.isArray(value)) return value.map((item) => withRoot(item, root))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withRoot(item, root)]))
}

/** Undefined when there is none. */
async function readJson(
  path: string,
  within: string | undefined,
  reading: ReadingContext,
): Promise<JsonMap | undefined | 'unusable'> {
  const found = await readTextReportingProblems(path, within, reading)
  if (found.kind === 'absent') return undefined
  if (found.kind === 'unusable') return 'unusable'
  const value = parseJson(found.text)
  if (isObject(value) && !isDeeper(value, MAX_DEPTH)) return value
  reading.problems.add(path, "isn't a JSON object, or nested too deeply. The plugin is not used.")
  return 'unusable'
}

/** Deeper than anybody writes, and than those who use it can follow. */
const MAX_DEPTH = 30

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((item) => isDeeper(item, depth - 1))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
