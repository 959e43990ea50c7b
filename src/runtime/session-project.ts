/** What the user, the project and plugins bring into one session. Nothing is loaded where nothing can be brought. */
import type { Permissions } from '../permissions/permission-engine.js'
import { dirname, join } from '../platform/paths.js'
import type { Platform } from '../platform/platform.js'
import { isVariableOn } from '../platform/switch.js'
import type {
  AgentFile,
  CommandFile,
  ExpandedCommand,
  Instruction,
  OutputStyle,
  Plugin,
  SkillFile,
} from '../project/project.js'
import { BUILT_IN_AGENTS } from '../prompts/built-in-agents.js'
import type { ConfigurationSourceSettings, ToolSettings } from '../protocol/option-table/start-settings.js'
import type { SlashCommand } from '../protocol/options.js'
import { managedSettingsPath } from '../settings/settings-paths.js'
import type { DiscoveredConfiguration, Frozen } from './configuration.js'
import type { PermissionConfiguration } from './permission/permission-configuration.js'
import { createSessionPermissions } from './permission/permission-port.js'
import { BUILT_IN_SLASH_COMMANDS } from './turn/built-in-slash-command-list.js'

/** What hosts are shown in `system/init` and in the answer to `initialize`. */
export type ProjectLists = {
  commands: SlashCommand[]
  commandNames: string[]
  skills: string[]
  plugins: { name: string; path: string }[]
  outputStyles: string[]
}

export interface SessionProject {
  readonly lists: ProjectLists
  readonly instructions: readonly Instruction[]
  readonly agents: readonly AgentFile[]
  readonly plugins: readonly Plugin[]
  /** The style the settings chose; undefined: the usual one. */
  readonly style: OutputStyle | undefined
  /** What the model is told of skills and commands, '' if there are none. */
  readonly skillListing: string
  /** All instructions as one text, '' if there are none. */
  instructionsText(instructions: readonly Instruction[]): string
  find(name: string): CommandFile | SkillFile | undefined
  /** From now on the model knows of these only; the user may still start any. By name, or the last part of one. */
  chooseSkills(names: readonly string[]): void
  isChosen(name: string): boolean
  /** What the Skill tool may load. */
  forModel(): readonly (CommandFile | SkillFile)[]
  expand(
    command: CommandFile | SkillFile,
    args: string,
    sessionId: string,
  ): Promise<ExpandedCommand | { problem: string }>
  join(parts: ExpandedCommand['parts'], outputs: readonly string[]): string
  nestedInstructions(path: string): Promise<Instruction[]>
  /** The conversation was compacted: those are due again. */
  forgetNested(): void
}

const STYLES = ['default', 'Explanatory', 'Learning']

const NOTHING: SessionProject = {
  lists: {
    commands: [...BUILT_IN_SLASH_COMMANDS],
    commandNames: BUILT_IN_SLASH_COMMANDS.map(({ name }) => name),
    skills: [],
    plugins: [],
    outputStyles: STYLES,
  },
  instructions: [],
  agents: [],
  plugins: [],
  style: undefined,
  skillListing: '',
  instructionsText: () => '',
  find: () => undefined,
  chooseSkills: () => {},
  isChosen: () => true,
  forModel: () => [],
  expand: async () => ({ problem: 'there is none' }),
  join: () => '',
  nestedInstructions: async () => [],
  forgetNested: () => {},
}

/** What decides what is read. */
type ProjectSources = Frozen<ConfigurationSourceSettings> & Pick<DiscoveredConfiguration, 'outputStyle'>

export async function loadSessionProject(
  settings: PermissionConfiguration & ProjectSources & Pick<ToolSettings, 'slashCommands'>,
  platform: Platform,
  stderr: (text: string) => void,
): Promise<SessionProject> {
  const project = await readProject(settings, platform, stderr)
  return settings.slashCommands ? project : withoutCommands(project)
}

/** Neither the user nor the model has any. */
function withoutCommands(project: SessionProject): SessionProject {
  const lists = { ...project.lists, commands: [], commandNames: [], skills: [] }
  return { ...project, lists, skillListing: '', find: () => undefined, forModel: () => [] }
}

async function readProject(
  settings: PermissionConfiguration & ProjectSources,
  platform: Platform,
  stderr: (text: string) => void,
): Promise<SessionProject> {
  const { files, identity } = platform
  const { cwd, home, configDir, sources, pluginFolders, outputStyle, directories } = settings
  const wantsAdded =
    isVariableOn(settings.env.CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD) && sources.includes('project')
  const managed = join(dirname(managedSettingsPath(identity.os)), 'CLAUDE.md')
  const managedInstructions = files.existsSync(managed) ? [managed] : []
  const wantsStyle = outputStyle !== undefined && outputStyle !== 'default'
  if (sources.length + pluginFolders.length + managedInstructions.length === 0 && !wantsStyle) return NOTHING
  const isRemembered = async (folder: string) => {
    const { isTrustedFolder } = await import('../settings/settings-parts.js')
    return isTrustedFolder(folder, { configDir, home, files, uid: identity.uid })
  }
  const parts = await import('../project/project-parts.js')
  const project = await parts.loadProject({
    cwd,
    home,
    configDir,
    files,
    managedInstructions,
    sources,
    pluginDirs: pluginFolders,
    addedFolders: wantsAdded ? directories : [],
    builtInCommands: BUILT_IN_SLASH_COMMANDS.map(({ name }) => name),
    builtInAgents: Object.keys(BUILT_IN_AGENTS),
    // A repository inside the folder is not covered by the trust in it.
    isTrusted: async (folder) => (folder === cwd ? settings.trusted : isRemembered(folder)),
    mayRead: readRules(settings, platform),
  })
  for (const problem of project.problems) stderr(`Warning: ${problem}\n`)
  const style = wantsStyle ? parts.findOutputStyle(project, outputStyle) : undefined
  if (wantsStyle && !style) stderr(`Warning: there is no output style '${outputStyle}': the default is used.\n`)
  let chosen: readonly string[] | undefined
  const isChosen = (name: string) => !chosen || chosen.some((one) => name === one || name.endsWith(`:${one}`))
  const chosenOf = <Kind extends { name: string }>(all: readonly Kind[]) => all.filter(({ name }) => isChosen(name))
  return {
    lists: {
      commands: parts.slashCommands(project, [...BUILT_IN_SLASH_COMMANDS]),
      commandNames: parts.slashCommandNames(project, [...BUILT_IN_SLASH_COMMANDS]),
      skills: parts.skillNames(project),
      plugins: parts.pluginsForInit(project),
      outputStyles: project.outputStyles.map(({ name }) => name),
    },
    instructions: project.instructions,
    agents: project.agents,
    plugins: project.plugins,
    style,
    get skillListing() {
      const [skills, commands] = [chosenOf(project.skills), chosenOf(project.commands)]
      return parts.skillListing({ ...project, skills, commands })
    },
    chooseSkills(names) {
      chosen = names
    },
    isChosen,
    instructionsText: parts.instructionsText,
    find: (name) => parts.findCommandOrSkill(project, name),
    forModel: () =>
      chosenOf([...project.skills, ...project.commands]).filter((command) => !command.disableModelInvocation),
    expand: (command, args, sessionId) => parts.expandCommand(command, args, files, { CLAUDE_SESSION_ID: sessionId }),
    join: parts.joinExpansionParts,
    async nestedInstructions(path) {
      const { instructions, problems } = await project.nestedInstructions(path)
      for (const problem of problems) stderr(`Warning: ${problem}\n`)
      return instructions
    },
    forgetNested: project.forgetNestedInstructions,
  }
}

/** What a deny rule keeps from being read is not imported either. */
function readRules(settings: PermissionConfiguration, platform: Platform): (path: string) => Promise<boolean> {
  let permissions: Permissions | undefined
  return async (path) => {
    permissions ??= createSessionPermissions(settings, platform, {})
    const call = { id: 'import', name: 'Read', input: { file_path: path } }
    return (await permissions.decide(call, { kind: 'read', paths: [path] })).behavior !== 'deny'
  }
}
