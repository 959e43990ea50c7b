/** What a user, a project and plugins bring along, once read: instructions, commands, skills, agents, output styles. */
import type { BasicFiles } from '../platform/files/files.js'
import type { AgentDefinition, SettingSource } from '../protocol/options.js'
import type { FrontMatterHooks } from './frontmatter.js'

export type ProjectFileAccess = Pick<BasicFiles, 'entries' | 'lstat' | 'open' | 'realpath'>

export type ProjectOptions = {
  /** Absolute, as `home` and `configDir` are. */
  cwd: string
  home: string
  /** The user's own folder, `~/.claude` unless told otherwise. */
  configDir: string
  sources: readonly SettingSource[]
  /** Folders the user named as plugins. */
  pluginDirs: readonly string[]
  /** Where the administrator's CLAUDE.md may be; read whatever the sources are. */
  managedInstructions: readonly string[]
  /** Folders the user added and whose CLAUDE.md is wanted too. */
  addedFolders?: readonly string[]
  /** Names of built-in slash commands: a file can't take their place. */
  builtInCommands: readonly string[]
  /** Names of built-in agents: only a trusted file can take their place. */
  builtInAgents?: readonly string[]
  files: ProjectFileAccess
  /** Is this file one the user lets be read? Asked for files that instructions import; by default all are. */
  mayRead?(path: string): boolean | Promise<boolean>
  /** Does the user trust this folder? Asked for the working directory, and for repositories inside it. Without trust
   *  only texts of the folder are used, marked as such. */
  isTrusted(folder: string): boolean | Promise<boolean>
}

/** Where something came from. A plugin's things carry its name: `plugin:thing`. */
export type DefinitionOrigin = 'user' | 'project' | 'plugin'

/** A text the model is to follow: CLAUDE.md, or AGENTS.md where there is none, or a file one of them imports. */
export type Instruction = {
  path: string
  /** As it stands in the file, without block comments. What it imports follows as instructions of their own. */
  text: string
  kind: 'User' | 'Project' | 'Local' | 'Managed'
  reason: 'session_start' | 'nested_traversal' | 'path_glob_match' | 'include'
  /** The file that imports this one. */
  importedBy?: string
  /** It came with a folder that the user doesn't trust. */
  untrusted?: true
}

/** A file of a folder that the user doesn't trust, and what of it isn't used: fields such as `model`. */
export type UntrustedMark = { untrusted?: true; withheld?: string[] }

/** `/name arguments`, from `.claude/commands/**.md`. Its body is read when it is used. */
export type CommandFile = UntrustedMark & {
  /** As `system/init` lists it and as rules name it, such as `deploy`, `team:deploy` or `plugin:deploy`. */
  name: string
  /** As the answer to `initialize` lists it: what the file itself calls it, if that differs. Works as well. */
  shownName: string
  description: string
  argumentHint: string
  path: string
  /** Links may not lead out of this folder; absent for the user's own files. */
  within?: string
  origin: DefinitionOrigin
  /** The folder of the plugin it belongs to. */
  pluginRoot?: string
  /** Rules that hold while the turn of this command runs, as they stood when the session began. */
  allowedTools?: string[]
  model?: string
  /** Hooks while the turn of this command runs. */
  hooks?: FrontMatterHooks
  /** The model can not run it by itself. */
  disableModelInvocation?: boolean
}

/** `.claude/skills/<name>/SKILL.md`: name and description are always known, the rest is read on use. */
export type SkillFile = CommandFile & {
  /** Its folder. */
  folder: string
  /** False: only the model uses it, `/name` does not. */
  userInvocable: boolean
}

export type AgentFile = UntrustedMark & {
  name: string
  path: string
  origin: DefinitionOrigin
  definition: AgentDefinition
  /** Hooks of this agent alone. */
  hooks?: FrontMatterHooks
}

export type OutputStyle = {
  name: string
  description: string
  /** Empty for the default style. */
  prompt: string
  /** The usual coding instructions stay in the system prompt. */
  keepCodingInstructions: boolean
  path?: string
}

export type Plugin = {
  name: string
  path: string
  /** As they stand in its hooks file and manifest; to be checked like the hooks of settings. Their commands find the
   *  folder of the plugin in the variable CLAUDE_PLUGIN_ROOT. */
  hooks: { file: string; value: unknown }[]
  /** Servers by name, as they stand in its manifest and `.mcp.json`, with `${CLAUDE_PLUGIN_ROOT}` put in; to be checked like
   *  those of options. */
  mcpServers: Record<string, unknown>
}

export type Project = {
  /** In the order the model reads them: the administrator's, the user's, those of the folders from the outermost in. */
  instructions: Instruction[]
  /** The first of a name is the one that counts; there are no doubles. */
  commands: CommandFile[]
  skills: SkillFile[]
  /** Those of plugins, of the user, of the project; what a host describes under the same name outdoes them. */
  agents: AgentFile[]
  outputStyles: OutputStyle[]
  plugins: Plugin[]
  /** For people: what could not be used, by file, line and reason. */
  problems: string[]
  /** CLAUDE.md files that apply to `path`, which was read or changed, and that the model has not been given yet. */
  nestedInstructions(path: string): Promise<{ instructions: Instruction[]; problems: string[] }>
  /** The conversation was compacted: nested instructions are due again. */
  forgetNestedInstructions(): void
}

/** What `/name arguments` or a call of a skill becomes. */
export type ExpandedCommand = {
  /** The body in order. `command` is a shell command whose output stands in its place; it has yet to be judged and run. */
  parts: ExpansionPart[]
  /** What stands before the body in a message of its own: `<command-message>…`. */
  marks: string
  /** Paths mentioned as `@path` in the body, as written there. */
  mentions: string[]
}
export type ExpansionPart = { kind: 'text'; text: string } | { kind: 'command'; command: string }
