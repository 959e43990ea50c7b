/** Reads what a user, a project and plugins bring along. Never throws for what stands in the files. */
import { dirname, isInside, join } from '../platform/paths.js'
import { loadAgents } from './agent-files.js'
import { BUILT_IN_OUTPUT_STYLES } from './built-in-styles.js'
import { loadCommands, loadSkills } from './command-files.js'
import { createProblemCollector, type ProblemCollector } from './file-problems.js'
import { findProjectConfigFolder, findProjectRoot, foldersDownTo, realPath } from './folders.js'
import { loadInstructions } from './load-instructions.js'
import { loadOutputStyles } from './output-styles.js'
import { loadPlugin, type PluginParts } from './plugins.js'
import type { AgentFile, CommandFile, OutputStyle, Project, ProjectOptions, SkillFile } from './project.js'
import type { DefinitionFolder, ReadingContext } from './reader.js'

const STYLE_NAMES = BUILT_IN_OUTPUT_STYLES.map(({ name }) => name)

export async function loadProject(options: ProjectOptions): Promise<Project> {
  const { cwd, configDir, sources, pluginDirs, files, builtInCommands } = options
  const problems = createProblemCollector()
  const reading: ReadingContext = { files, problems }
  const wantsFolder = sources.includes('project') || sources.includes('local')
  const root = wantsFolder ? await findProjectRoot(options) : undefined
  const untrusted = root !== undefined && !(await options.isTrusted(cwd))
  const users: DefinitionFolder[] = sources.includes('user') ? [{ folder: configDir, origin: 'user' }] : []
  const projects = root !== undefined && sources.includes('project') ? await projectHomes(root, options, untrusted) : []
  const [instructions, ofUser, ofProject, named] = await Promise.all([
    loadInstructions(options, root === undefined ? undefined : { root, untrusted }, reading),
    Promise.all(users.map((home) => loadHome(home, reading))),
    Promise.all(projects.map((home) => loadHome(home, reading))),
    Promise.all(pluginDirs.map((folder) => loadPlugin(folder, cwd, reading))),
  ])
  const plugins = withoutRepeated(named, problems)
  const parts = [...ofUser, ...ofProject, ...plugins]
  // What the user doesn't trust takes the place of nothing.
  const projectFirst = untrusted ? parts : [...ofProject, ...ofUser, ...plugins]
  const allSkills = parts.flatMap((one) => one.skills)
  const allCommands = parts.flatMap((one) => one.commands)
  const allAgents = projectFirst.flatMap((one) => one.agents)
  const allStyles = projectFirst.flatMap((one) => one.outputStyles)
  const skills = distinct(allSkills, builtInCommands, problems)
  const taken = [...builtInCommands, ...skills.map(({ name }) => name)]
  const commands = distinct(withoutPluginNames(allCommands, plugins, problems), taken, problems)
  return {
    ...instructions,
    skills: withShownNames(skills, [...taken, ...commands.map(({ name }) => name)]),
    commands,
    agents: inOrder(distinct(allAgents, untrusted ? (options.builtInAgents ?? []) : [], problems)),
    outputStyles: [...BUILT_IN_OUTPUT_STYLES, ...usersFirst(distinct(allStyles, STYLE_NAMES, problems), ofUser)],
    plugins: plugins.map(({ plugin }) => plugin),
    problems: problems.take(),
  }
}

/** `.claude` of the working directory and of the folders above it, up to the project's root. */
async function projectHomes(root: string, options: ProjectOptions, untrusted: boolean): Promise<DefinitionFolder[]> {
  const { cwd, files } = options
  const within = await realPath(root, files)
  if (within === undefined) return []
  const folders = foldersDownTo(cwd).filter((folder) => isInside(folder, root))
  const own = await Promise.all(folders.reverse().map((folder) => findProjectConfigFolder(folder, options)))
  return own.flatMap((folder) => (folder === undefined ? [] : [{ folder, origin: 'project', within, untrusted }]))
}

type Parts = Omit<PluginParts, 'plugin'>

/** As hosts have always seen them; which of two with the same name counts is decided before. */
function usersFirst(styles: readonly OutputStyle[], ofUser: readonly Parts[]): OutputStyle[] {
  const users = new Set(ofUser.flatMap((one) => one.outputStyles))
  return [...styles.filter((style) => users.has(style)), ...styles.filter((style) => !users.has(style))]
}

async function loadHome(home: DefinitionFolder, reading: ReadingContext): Promise<Parts> {
  const below = (name: string): DefinitionFolder => ({ ...home, folder: join(home.folder, name) })
  const [commands, skills, agents, outputStyles] = await Promise.all([
    loadCommands(below('commands'), reading),
    loadSkills(below('skills'), reading),
    loadAgents(below('agents'), reading),
    home.untrusted ? [] : loadOutputStyles(below('output-styles'), reading),
  ])
  return { commands, skills, agents, outputStyles }
}

function withoutRepeated(plugins: readonly (PluginParts | undefined)[], problems: ProblemCollector): PluginParts[] {
  const names = new Set<string>()
  return plugins.flatMap((one) => {
    if (!one) return []
    if (!names.has(one.plugin.name)) {
      names.add(one.plugin.name)
      return [one]
    }
    problems.add(one.plugin.path, `there is another plugin named ${one.plugin.name}. This one is not used.`)
    return []
  })
}

/** What is called `plugin:x` is the plugin's: a file `plugin/x.md` of somebody else can't pretend to be. */
function withoutPluginNames(
  commands: readonly CommandFile[],
  plugins: readonly PluginParts[],
  problems: ProblemCollector,
): CommandFile[] {
  const names = new Set(plugins.map(({ plugin }) => plugin.name))
  return commands.filter(({ name, path, origin }) => {
    const [first = ''] = name.split(':')
    if (origin === 'plugin' || first === name || !names.has(first)) return true
    problems.add(path, `is not used: names that begin with ${first}: are those of the plugin ${first}.`)
    return false
  })
}

/** The first of each name. That one outdoes another is how it is meant; what can't be meant is told. */
function distinct<T extends { name: string; path?: string }>(
  all: readonly T[],
  taken: readonly string[],
  problems: ProblemCollector,
): T[] {
  const folders = new Map(taken.map((name): [string, string] => [name, '']))
  return all.filter(({ name, path = '' }) => {
    const other = folders.get(name)
    if (other === undefined) return folders.set(name, dirname(path))
    if (other === '' || other === dirname(path)) problems.add(path, `is not used: the name ${name} is taken.`)
    return false
  })
}

/** As `system/init` lists them. */
function inOrder(agents: readonly AgentFile[]): AgentFile[] {
  return (['plugin', 'user', 'project'] as const).flatMap((origin) => agents.filter((agent) => agent.origin === origin))
}

/** What a skill calls itself is shown where nothing else has that name. */
function withShownNames(skills: readonly SkillFile[], names: readonly string[]): SkillFile[] {
  const taken = new Set(names)
  return skills.map((skill) => {
    if (skill.shownName === skill.name) return skill
    const isFree = !taken.has(skill.shownName)
    taken.add(skill.shownName)
    return isFree ? skill : { ...skill, shownName: skill.name }
  })
}

/** By name, or by what it calls itself. */
export function findCommandOrSkill(project: Project, name: string): CommandFile | SkillFile | undefined {
  const all: (CommandFile | SkillFile)[] = [...project.skills, ...project.commands]
  return all.find((one) => one.name === name) ?? all.find((one) => one.shownName === name)
}

export function findOutputStyle(project: Project, name: string): OutputStyle | undefined {
  return project.outputStyles.find((style) => style.name === name)
}
