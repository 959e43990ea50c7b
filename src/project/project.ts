/** What a user, a project and plugins bring along, once read: instructions, commands, skills, agents, output styles. */
import type { AgentDefinition } from '../protocol/options.js'

/** Where something came from. A plugin's things carry its name: `plugin:thing`. */
export type Origin = 'user' | 'project' | 'plugin'

/** A text the model is to follow: CLAUDE.md, or AGENTS.md where there is none. */
export type Instruction = {
  path: string
  /** With imports put in. */
  text: string
  kind: 'User' | 'Project' | 'Local' | 'Managed'
  reason: 'session_start' | 'nested_traversal' | 'include'
}

/** `/name arguments`, from `.claude/commands/**.md`. Its body is read when it is used. */
export type CommandFile = {
  name: string
  description: string
  argumentHint: string
  path: string
  origin: Origin
  /** Rules that hold while the turn of this command runs. */
  allowedTools?: string[]
  model?: string
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

export type AgentFile = { name: string; path: string; origin: Origin; definition: AgentDefinition }

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
  /** As it stands in its hooks file; checked like the hooks of settings. */
  hooks?: unknown
  /** As it stands in its manifest or `.mcp.json`. */
  mcpServers?: unknown
}

export type Project = {
  instructions: Instruction[]
  commands: CommandFile[]
  skills: SkillFile[]
  agents: AgentFile[]
  outputStyles: OutputStyle[]
  plugins: Plugin[]
  /** For people: what could not be used, by file, line and reason. */
  problems: string[]
}
