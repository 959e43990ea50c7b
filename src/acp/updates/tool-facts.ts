/** How a tool call is shown: a title, its kind, the files it is about. Pure. */
import type { ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk/unstable'
import { isObject } from '../../protocol/json.js'
import { foldedLine, withMarks } from '../../protocol/shown/unseen-text.js'

export type ShownToolFacts = { title: string; kind: ToolKind; locations: ToolCallLocation[] }

const KINDS: Readonly<Record<string, ToolKind>> = {
  Bash: 'execute',
  Edit: 'edit',
  EnterPlanMode: 'switch_mode',
  ExitPlanMode: 'switch_mode',
  Glob: 'search',
  Grep: 'search',
  KillShell: 'execute',
  ListMcpResourcesTool: 'read',
  NotebookEdit: 'edit',
  Read: 'read',
  ReadMcpResourceTool: 'read',
  Skill: 'read',
  Task: 'think',
  TaskOutput: 'read',
  TaskStop: 'execute',
  TodoWrite: 'think',
  ToolSearch: 'search',
  WebFetch: 'fetch',
  WebSearch: 'fetch',
  Write: 'edit',
}

const MAX_TITLE = 200

/** `input` may be incomplete, while the model writes it. */
export function shownToolFacts(name: string, input: unknown, cwd: string): ShownToolFacts {
  const given = isObject(input) ? input : {}
  const path = textOf(given, 'file_path') ?? textOf(given, 'notebook_path')
  return {
    title: shownTitle(titleOf(name, given, path === undefined ? undefined : shortPath(path, cwd))),
    kind: KINDS[name] ?? 'other',
    locations: path === undefined ? [] : [{ path: absolute(path, cwd), ...lineOf(given) }],
  }
}

/** The end of a long one is in sight, too: a command does what its last words say. */
function shownTitle(text: string): string {
  return foldedLine(withMarks(text), MAX_TITLE)
}

function titleOf(name: string, input: Record<string, unknown>, path: string | undefined): string {
  const text = (key: string) => textOf(input, key)
  switch (name) {
    case 'Bash':
      return text('command') ?? 'Run a command'
    case 'Read':
      return `Read ${path ?? 'a file'}${linesOf(input)}`
    case 'Write':
      return `Write ${path ?? 'a file'}`
    case 'Edit':
    case 'NotebookEdit':
      return `Edit ${path ?? 'a file'}`
    case 'Glob':
      return `Find ${text('pattern') ?? 'files'}${within(text('path'))}`
    case 'Grep':
      return `Search for ${text('pattern') ?? 'text'}${within(text('path'))}`
    case 'WebFetch':
      return `Fetch ${text('url') ?? 'a page'}`
    case 'WebSearch':
      return `Search the web for ${text('query') ?? 'something'}`
    case 'Task':
      return text('description') ?? 'Work of a sub-agent'
    case 'TaskOutput':
      return `Look at task ${text('task_id') ?? ''}`.trim()
    case 'TaskStop':
      return `Stop task ${text('task_id') ?? ''}`.trim()
    case 'Skill':
      return `Skill ${text('skill') ?? ''}`.trim()
    case 'AskUserQuestion':
      return 'Ask you'
    case 'EnterPlanMode':
      return 'Plan first'
    case 'ExitPlanMode':
      return 'Ready to start?'
    default:
      return mcpTitle(name) ?? name
  }
}

/** `mcp__server__tool` as people say it. */
function mcpTitle(name: string): string | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? []
  return server && tool ? `${server}: ${tool}` : undefined
}

function within(path: string | undefined): string {
  return path === undefined ? '' : ` in ${path}`
}

function linesOf({ offset, limit }: Record<string, unknown>): string {
  if (typeof offset !== 'number' && typeof limit !== 'number') return ''
  const first = typeof offset === 'number' ? offset : 1
  return typeof limit === 'number' ? ` (lines ${first} to ${first + limit - 1})` : ` (from line ${first})`
}

function lineOf({ offset }: Record<string, unknown>): { line?: number } {
  return typeof offset === 'number' && Number.isInteger(offset) && offset >= 1 ? { line: offset } : {}
}

function shortPath(path: string, cwd: string): string {
  return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path
}

export function absolute(path: string, cwd: string): string {
  return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) ? path : `${cwd}/${path}`
}

function textOf(input: Record<string, unknown>, key: string): string | undefined {
  const value = input[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}
