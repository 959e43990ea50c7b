/** The tools this version has, in the order they are listed, and which of them a session gets. */
import type { Permissions } from '../permissions/permissions.js'
import { createBashTool } from '../tools/bash/bash.js'
import { editTool } from '../tools/edit/edit.js'
import { globTool } from '../tools/glob/glob.js'
import { grepTool } from '../tools/grep/grep.js'
import { readTool } from '../tools/read/read.js'
import { todoWriteTool } from '../tools/todo-write/todo-write.js'
import type { Tool } from '../tools/tool.js'
import { writeTool } from '../tools/write/write.js'
import type { SessionSettings } from './settings.js'

const PLAIN_TOOLS: readonly Tool[] = [globTool, grepTool, readTool, editTool, writeTool, todoWriteTool]

export function builtInTools(settings: SessionSettings, permissions: Permissions): Tool[] {
  const all: Tool[] = [createBashTool({ isReadOnlyCommand: permissions.isReadOnlyCommand }), ...PLAIN_TOOLS]
  const wanted = settings.tools
  const existing = wanted ? all.filter(({ name }) => wanted.includes(name)) : all
  const removed = permissions.removedTools(existing.map(({ name }) => name))
  return existing.filter(({ name }) => !removed.includes(name))
}

/** Names in the `tools` option that are no tool of this version. */
export function missingTools({ tools = [] }: SessionSettings): string[] {
  return tools.filter((wanted) => wanted !== 'Bash' && !PLAIN_TOOLS.some(({ name }) => name === wanted))
}
