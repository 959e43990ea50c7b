/** Names that models know from other versions and other programs: some still lead to a tool, others to a hint which one is meant. */
import type { EngineTool, ParsedInput, ToolPort } from '../engine/tool-port.js'
import { isObject, type JsonObject } from '../protocol/json.js'
import { isClose } from './close-words.js'

type OldName = {
  tool: string
  /** The input as the tool takes it. A string: why there is none. */
  toInput(input: JsonObject): JsonObject | string
}

/** The field of a task's id had another name, and looking never waited. */
const looksAt = (field: string, more: JsonObject = {}): OldName => ({
  tool: 'TaskOutput',
  toInput: ({ [field]: id, task_id = id, block, timeout }) => ({
    ...{ task_id, ...more },
    ...(block === undefined ? {} : { block }),
    ...(timeout === undefined ? {} : { timeout }),
  }),
})
const stops: OldName = { tool: 'TaskStop', toInput: ({ shell_id, task_id = shell_id }) => ({ task_id }) }

const OLD_NAMES: ReadonlyMap<string, OldName> = new Map([
  ['BashOutput', looksAt('bash_id', { block: false })],
  ['AgentOutputTool', looksAt('agentId')],
  ['KillShell', stops],
  ['KillBash', stops],
  ['MultiEdit', { tool: 'Edit', toInput: toSingleEdit }],
])

function toSingleEdit({ file_path, edits }: JsonObject): JsonObject | string {
  const [edit, ...more] = Array.isArray(edits) ? edits : []
  if (isObject(edit) && more.length === 0) return { file_path, ...edit }
  return 'There is no MultiEdit here. Call Edit once for each change; several calls fit into one message and run in order.'
}

type Offer = { readonly offered: readonly { name: string }[]; readonly deferred: readonly { name: string }[] }

/** Finds tools by their old names too, and says of other names which tool may be meant. */
export function withOldNames(port: ToolPort, offer: () => Offer): ToolPort {
  return {
    ...port,
    find: (name) => port.find(name) ?? findOld(name, port),
    explainMissing(name) {
      const { offered, deferred } = offer()
      if (deferred.some((tool) => tool.name === name)) return `Find it with ToolSearch first: "select:${name}".`
      const names = offered.map((tool) => tool.name)
      const meant = guess(name, names)
      return `${meant === undefined ? '' : `Did you mean ${meant}? `}Tools: ${listed(names)}.`
    },
  }
}

function findOld(name: string, port: ToolPort): EngineTool | undefined {
  const old = OLD_NAMES.get(name)
  const tool = old && port.find(old.tool)
  if (!old || !tool) return undefined
  const parse = (given: unknown): ParsedInput => {
    const input = old.toInput(isObject(given) ? given : {})
    if (typeof input === 'string') return { ok: false, error: input, output: `InputValidationError: ${input}` }
    const parsed = tool.parse(input)
    return parsed.ok ? { ...parsed, name: tool.name } : parsed
  }
  return { ...tool, parse }
}

const MAX_NAMES = 40

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ')
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more` : shown
}

/** What other programs call it, in small letters and without anything between the words. */
const GUESSES: Readonly<Record<string, string>> = {
  Read: 'readfile viewfile openfile view cat readmanyfiles notebookread',
  Write: 'writefile createfile writetofile savefile newfile',
  Edit: 'editfile strreplace strreplaceeditor strreplacebasededittool replace replaceinfile searchreplace applypatch applydiff patch multiedit',
  NotebookEdit: 'editnotebook',
  Bash: 'shell sh exec execute run runcommand runshell runshellcommand runterminalcmd executecommand terminal localshell powershell cmd',
  Glob: 'ls listdir listdirectory listfiles findfiles filesearch find searchfiles findfile',
  Grep: 'search searchtext searchfilecontent grepsearch codebasesearch codesearch ripgrep rg searchcode',
  WebFetch: 'fetch fetchurl webfetch readurl browser openurl httpget urlfetch',
  WebSearch: 'searchweb google googlesearch googlewebsearch internetsearch',
  TodoWrite: 'todo todos updateplan writetodos updatetodos todoread',
  Task: 'agent subagent dispatchagent delegate spawnagent newtask',
  TaskOutput: 'getoutput readoutput bashoutput taskresult',
  TaskStop: 'kill killtask stoptask killprocess killshell',
  AskUserQuestion: 'askuser ask askfollowupquestion question',
}

function guess(name: string, names: readonly string[]): string | undefined {
  const plain = bare(name)
  if (plain === '') return undefined
  const known = Object.entries(GUESSES).find(([, words]) => words.split(' ').includes(plain))?.[0]
  if (known !== undefined && names.includes(known)) return known
  return (
    names.find((one) => bare(one) === plain) ??
    names.find((one) => one.startsWith('mcp__') && bare(one.slice(one.lastIndexOf('__'))) === plain) ??
    names.find((one) => isClose(bare(one), plain))
  )
}

function bare(name: string): string {
  return name
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^a-z\d]/g, '')
}
