/** Reads the input of a tool's calls: mended where that is safe, then checked, and completed with its defaults. */
import { repairInput } from '../engine/repair-input.js'
import type { ParsedInput } from '../engine/tool-port.js'
import { isObject, type JsonObject } from '../protocol/json.js'
import { describeIssues } from './describe-issues.js'
import { schemaForModel } from './schema-for-model.js'
import type { Tool } from './tool.js'
import { type InputIssue, validateInput } from './validate-input.js'

export function createInputParser(tool: Pick<Tool, 'name' | 'inputSchema' | 'hidden'>) {
  const { name, inputSchema } = tool
  const schema = { type: 'object', ...inputSchema }
  const shown = schemaForModel(tool)
  return (given: unknown): ParsedInput => {
    const { input, mended } = isObject(given) ? repairInput(schema, given) : { input: given, mended: false }
    const result = validateInput(schema, input)
    if (result.ok) return { ok: true, ...taken(result.value), ...(mended ? { mended } : {}) }
    const ignored = ignorable(result.issues)
    const rest = ignored && isObject(input) ? validateInput(schema, without(input, ignored)) : undefined
    if (!ignored || !rest?.ok) return { ok: false, ...describeIssues(name, result.issues, shown) }
    return { ok: true, ...taken(rest.value), mended: true, note: ignoredNote(name, ignored, shown) }
  }
}

/** The schema, or its default above, says that it is an object. */
function taken(value: unknown): { input: JsonObject } {
  return { input: value as JsonObject }
}

/** Fields that no tool has, if nothing else is wrong and the call means the same without them. */
function ignorable(issues: readonly InputIssue[]): string[] | undefined {
  const keys = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [],
  )
  const isAll = issues.every((issue) => issue.code === 'unrecognized_keys')
  return isAll && keys.length > 0 && !keys.some(changesMeaning) ? keys : undefined
}

/** Whether a key changes where a call acts, or whether it acts at all. Such a key must never be ignored. */
function changesMeaning(key: string): boolean {
  const words = key
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
  return words.some((word) => MEANINGFUL.has(word))
}

const MEANINGFUL = new Set(
  'cwd dir directory folder workdir path paths file files filename root target dry dryrun preview simulate env host user shell command cmd args'.split(
    ' ',
  ),
)

function without(input: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([key]) => !keys.includes(key)))
}

const MAX_NAMED = 5
const MAX_NAME = 60

function ignoredNote(tool: string, keys: readonly string[], { properties }: Tool['inputSchema']): string {
  const named = keys.slice(0, MAX_NAMED).map((key) => `\`${key.slice(0, MAX_NAME)}\``)
  const all = [...named, ...(keys.length > MAX_NAMED ? [`${keys.length - MAX_NAMED} more`] : [])].join(', ')
  const known = isObject(properties) ? Object.keys(properties).join(', ') : ''
  return `(Ignored: ${all}. ${tool} takes ${known === '' ? 'no parameters' : known}.)`
}
