/** Names that models know from other versions and other programs: some still lead to a tool, others to a hint which one is meant. */
import type { EngineTool, ParsedInput, ToolPort } from '../engine/tool-port.js'
import { isObject, type JsonObject } from '../protocol/json.js'

type OldName = {
  tool: string
  /** The input as the tool takes it. A string: why there is none. */
  toInput(input: JsonObject): JsonObject | string
}

/** The field of a task's id had another name, and looking never waited. */
const looksAt = (field: string, more: JsonObject = {}): OldName => ({
  tool: 'TaskOutput',
  toInput: ({ [field]: id, task_id = id, block, timeout }) => ({
    task_id,
    ...more,
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
  return 'There is no MultiEdit here. Did you mean Edit? Call it once for each change; the calls of one message run in order.'
}

type Offer = { readonly offered: readonly { name: string }[]; readonly deferred: readonly { name: string }[] }

/** Finds tools by their old names too, and says of other names which tool may be meant. */
export function withOldToolNames(port: ToolPort, offer: () => Offer): ToolPort {
  return {
    ...port,
    find: (name) => port.find(name) ?? findOld(name, port),
    async explainMissing(name) {
      const { offered, deferred } = offer()
      if (deferred.some((tool) => tool.name === name)) return `Find it with ToolSearch first: "select:${name}".`
      const { suggestToolNames } = await import('./suggest-tool-names.js')
      return suggestToolNames(
        name,
        offered.map((tool) => tool.name),
      )
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
