/** How people see the calls of a tool, in every interface. Each tool has its display in its own folder. Pure and without Node. */
import { isObject } from '../protocol/json.js'
import type { AskPreview } from '../protocol/permission-types.js'

export type CallKind = 'read' | 'edit' | 'search' | 'execute' | 'fetch' | 'think' | 'switch_mode' | 'other'

/** What of a call is worth drawing. Each interface draws these in its own way. */
export type CallBodyKind =
  | 'command'
  | 'change'
  | 'lines'
  | 'matches'
  | 'page'
  | 'todos'
  | 'agent'
  | 'answers'
  | 'plan'
  | 'input'
  | 'data'

/** `input` may be incomplete while the model writes it. Paths below `cwd` are shown without it; '' shows them whole. */
export type DisplayedCall = { input: Record<string, unknown>; cwd: string }

export type DisplayedContent =
  /** `before` is null for a new file. */
  { type: 'diff'; path: string; before: string | null; after: string } | { type: 'text'; text: string }

export type DisplayedResult = { text: string; isError: boolean; output: unknown }

export type ToolDisplay<Name extends string = string> = {
  /** The name in the protocol. */
  readonly name: Name
  /** Other names of the same tool, in old sessions or from old models. */
  readonly aliases: readonly string[]
  readonly kind: CallKind
  readonly body: CallBodyKind
  /** When the body is shown without a click. Absent: never. */
  readonly opens?: 'while-running' | 'when-done' | 'always'
  /** What shows the call in place of an entry of its own. */
  readonly shownAs?: 'todo-list' | 'request'
  /** The input field that a user edits before allowing the call. Absent: the whole input, as JSON. */
  readonly editedField?: string
  /** What the call does, in a word or two: `Edit`. */
  label(call: DisplayedCall): string
  /** What it does it to: `src/config.js`, or ''. */
  subject(call: DisplayedCall): string
  /** Both as one phrase. */
  title(call: DisplayedCall): string
  /** What a permission request asks: `Edit src/config.js?` */
  question(call: DisplayedCall, preview?: AskPreview): string
  /** The file that the call is about, and the line it begins at. */
  file(call: DisplayedCall): { path: string; line?: number } | undefined
  /** What the call is about to do, from its input. */
  planned(call: DisplayedCall): DisplayedContent | undefined
  /** The change as it happened, from the output that hosts receive. */
  changed(output: unknown): DisplayedContent | undefined
  /** What came of it in a few words: `12 lines`. Undefined: nothing shorter than its output. */
  outcome(result: DisplayedResult, call: DisplayedCall): string | undefined
}

type Given<Name extends string> = Partial<ToolDisplay<Name>> & {
  name: Name
  kind: CallKind
}

/** Fills in what a tool leaves out. */
export function defineDisplay<const Name extends string>(given: Given<Name>): ToolDisplay<Name> {
  const display: ToolDisplay<Name> = {
    aliases: [],
    body: 'data',
    label: () => given.name,
    subject: ({ input }) => firstText(input),
    title: (call) => `${display.label(call)} ${display.subject(call)}`.trim(),
    question: (call) => `Use ${display.label(call)}?`,
    file: () => undefined,
    planned: () => undefined,
    changed: () => undefined,
    outcome: () => undefined,
    ...given,
  }
  return display
}

/** The display of a tool without one: a tool of an MCP server, or one that Kedge doesn't know. */
export function defaultDisplay(name: string): ToolDisplay {
  const mcp = splitMcpName(name)
  return defineDisplay({ name, kind: 'other', label: () => (mcp ? `${mcp.server}: ${mcp.tool}` : name) })
}

/** Splits `mcp__server__tool`. */
export function splitMcpName(name: string): { server: string; tool: string } | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? []
  return server === undefined || tool === undefined ? undefined : { server, tool }
}

/** Returns the field's text, or '' if it isn't text. */
export function inputText({ input }: Pick<DisplayedCall, 'input'>, field: string): string {
  const value = input[field]
  return typeof value === 'string' ? value : ''
}

/** Returns a path below `cwd` without it. */
export function shortPath(path: string, cwd: string): string {
  return cwd !== '' && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path
}

/** Returns the field's path, without `cwd` if it's below it. */
export function inputPath(call: DisplayedCall, field: string): string {
  return shortPath(inputText(call, field), call.cwd)
}

/** Returns the field's text as what the call is about to do. */
export function showPlannedFieldAsChange(call: DisplayedCall, field: string): DisplayedContent | undefined {
  const text = inputText(call, field)
  return text === '' ? undefined : { type: 'text', text }
}

/** Returns a field of an object, undefined if `value` isn't an object. */
export function fieldOf(value: unknown, field: string): unknown {
  return isObject(value) ? value[field] : undefined
}

export function countText(count: number, one: string, many: string): string {
  return count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${many}`
}

/** Counts the lines of a text. A newline at its end begins no further line. */
export function lineCount(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length
}

function firstText(input: Record<string, unknown>): string {
  const first = Object.values(input).find((value) => typeof value === 'string')
  if (typeof first === 'string') return first
  const all = JSON.stringify(input)
  return all === '{}' ? '' : all
}
