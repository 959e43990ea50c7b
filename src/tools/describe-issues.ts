/** What is wrong with a tool's input, in words for the model and as data for hosts. */
import type { JsonSchema } from './tool.js'
import type { InputIssue, IssuePath } from './validate-input.js'

/** A list of a thousand bad items needs no thousand complaints. */
const MAX_ISSUES = 20
const MAX_NAME = 200

/** With the `schema` the model also reads which parameters there are. */
export function describeIssues(
  tool: string,
  issues: readonly InputIssue[],
  schema: JsonSchema = {},
): { error: string; output: string } {
  const lines = order.flatMap((belongs) => issues.filter(belongs).flatMap(describe))
  const shown = lines.slice(0, MAX_ISSUES)
  if (lines.length > shown.length) shown.push(`and ${lines.length - shown.length} more`)
  const head = `InputValidationError: ${tool} failed due to the following issue${lines.length === 1 ? '' : 's'}:`
  const data = issues.slice(0, MAX_ISSUES).map(toJson)
  const error = [head, ...shown, ...parametersOf(tool, schema)].join('\n')
  return { error, output: `InputValidationError: ${JSON.stringify(data, null, 2)}` }
}

function parametersOf(tool: string, { properties, required }: JsonSchema): string[] {
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  const listed = names.map((name) => (isRequired(name) ? `${name} (required)` : name))
  return listed.length === 0 ? [] : [`${tool} takes: ${listed.join(', ')}.`]
}

/** What is missing comes first, then what is too much, then wrong types, then the rest. */
const isMissing = (issue: InputIssue) => issue.code === 'invalid_type' && issue.received === 'undefined'
const isUnexpected = (issue: InputIssue) => issue.code === 'unrecognized_keys'
const isWrongType = (issue: InputIssue) => issue.code === 'invalid_type' && !isMissing(issue)
const isOther = (issue: InputIssue) => !isUnexpected(issue) && issue.code !== 'invalid_type'
const order = [isMissing, isUnexpected, isWrongType, isOther]

function describe(issue: InputIssue): string[] {
  const name = nameOf(issue.path)
  switch (issue.code) {
    case 'invalid_type':
      if (isMissing(issue)) return [`The required parameter \`${name}\` is missing`]
      return [
        `The parameter \`${name}\` type is expected as \`${issue.expected}\` but provided as \`${issue.received}\``,
      ]
    case 'unrecognized_keys':
      return issue.keys.map((key) => `An unexpected parameter \`${nameOf([...issue.path, key])}\` was provided`)
    case 'invalid_value':
      return [`The parameter \`${name}\` must be one of ${issue.values.map((v) => `\`${v}\``).join(', ')}`]
    case 'too_small':
      return [`The parameter \`${name}\` must ${atLeast(issue.origin, issue.minimum, issue.inclusive)}`]
    case 'too_big':
      return [`The parameter \`${name}\` must ${atMost(issue.origin, issue.maximum)}`]
    case 'invalid_union':
      return [`The parameter \`${name}\` has none of the forms it may have`]
  }
}

function atLeast(origin: string, minimum: number, inclusive: boolean): string {
  if (origin === 'number') return `be ${inclusive ? 'at least' : 'greater than'} ${minimum}`
  if (minimum === 1) return 'not be empty'
  return `have at least ${minimum} ${origin === 'string' ? 'characters' : 'items'}`
}

function atMost(origin: string, maximum: number): string {
  if (origin === 'number') return `be at most ${maximum}`
  return `have at most ${maximum} ${origin === 'string' ? 'characters' : 'items'}`
}

/** `todos[0].content`; the input itself is called `input`. */
function nameOf(path: IssuePath): string {
  const name = path.map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`)).join('')
  return name === '' ? 'input' : shorten(name)
}

/** Type issues don't carry what was received: the message says it. */
function toJson(issue: InputIssue): Record<string, unknown> {
  const { path, message, ...rest } = issue
  if (rest.code === 'unrecognized_keys') {
    const keys = rest.keys.slice(0, MAX_ISSUES).map(shorten)
    return { code: rest.code, keys, path, message: shorten(message) }
  }
  if (rest.code !== 'invalid_type') return { ...rest, path, message }
  return { expected: rest.expected, code: rest.code, path, message }
}

function shorten(text: string): string {
  return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text
}
