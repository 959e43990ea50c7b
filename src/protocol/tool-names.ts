/** The one catalog of tool names, with the few facts that rules, agents and settings need of a tool they do not have at hand. */

export type ToolTraits = {
  /** Another name that models, hosts and rules use for it. */
  alias?: string
  /** The field of its input that the plain content of a rule is about: in `Read(*.md)` the path. */
  field?: string
  /** That field is a name or a text, and neither a place nor a command. */
  fieldIsText?: true
  /** What it does to files; rules on paths cover it accordingly. */
  files?: 'read' | 'search' | 'edit'
  /** Not in every session, or in none: where it is missing, a call of it is judged like one of this tool. */
  judgedLike?: string
  /** Existing rules still apply, but a new one gets the error that there is no such tool. */
  gone?: true
  /** `never`: the main thread's alone. `on-request`: only for agents whose definition names it. */
  subAgents?: 'never' | 'on-request'
  /** Every teammate has it, whatever its definition says. */
  teammates?: true
}

const TOOLS = {
  AskUserQuestion: { subAgents: 'never' },
  Bash: { field: 'command' },
  Config: {},
  Edit: { field: 'file_path', files: 'edit' },
  EnterPlanMode: { subAgents: 'never' },
  ExitPlanMode: { subAgents: 'never' },
  Glob: { field: 'pattern', files: 'search' },
  Grep: { field: 'pattern', files: 'search' },
  LS: { files: 'search', judgedLike: 'Grep', gone: true },
  ListMcpResourcesTool: { judgedLike: 'TaskOutput' },
  MultiEdit: { field: 'file_path', files: 'edit', judgedLike: 'Edit' },
  NotebookEdit: { field: 'notebook_path', files: 'edit' },
  Read: { field: 'file_path', files: 'read' },
  ReadMcpResourceTool: { judgedLike: 'TaskOutput' },
  // Only a teammate has a team.
  SendMessage: { subAgents: 'never', teammates: true },
  Skill: { field: 'skill', fieldIsText: true },
  StructuredOutput: { judgedLike: 'TaskOutput', subAgents: 'never' },
  Task: { alias: 'Agent', field: 'subagent_type', fieldIsText: true, subAgents: 'on-request' },
  TaskCreate: { teammates: true },
  TaskGet: { teammates: true },
  TaskList: { teammates: true },
  TaskOutput: { subAgents: 'on-request' },
  TaskStop: { subAgents: 'on-request' },
  TaskUpdate: { teammates: true },
  TeamCreate: { subAgents: 'never' },
  TeamDelete: { subAgents: 'never' },
  TodoWrite: {},
  ToolSearch: { subAgents: 'on-request' },
  WebFetch: { field: 'url' },
  WebSearch: { field: 'query', fieldIsText: true },
  Write: { field: 'file_path', files: 'edit' },
} as const satisfies Record<string, ToolTraits>

export type ToolName = keyof typeof TOOLS

const ALL: ReadonlyMap<string, ToolTraits> = new Map(Object.entries<ToolTraits>(TOOLS))
const BY_ALIAS = new Map([...ALL].flatMap(([name, { alias }]) => (alias === undefined ? [] : [[alias, name] as const])))

/** Those of this version, with those that only some sessions have. `init.tools` says what a session has. */
export const BUILTIN_TOOL_NAMES: readonly string[] = listToolNamesWhere(({ gone }) => !gone).filter(
  // Only rules still speak of it.
  (name) => name !== 'MultiEdit',
)
/** Other names that rules, matchers and lists of tools may use, each with the name the tool has here. */
export const LEGACY_TOOL_NAME_ALIASES: Readonly<Record<string, string>> = Object.fromEntries(BY_ALIAS)

/** The name the tool has here, whichever of its names is given; other names stay as they are. */
export function toCanonicalToolName(name: string): string {
  return BY_ALIAS.get(name) ?? name
}

/** The name that is given, and then the other one that the tool goes by. */
export function toolNamesOf(name: string): string[] {
  const other = BY_ALIAS.get(name) ?? ALL.get(name)?.alias
  return other === undefined ? [name] : [name, other]
}

/** The end that tells two MCP tools apart whose names would be the same. */
const MARK = /_[0-9a-f]{8}$/

/**
 * Every name by which a tool can be forbidden, asked about or watched by a hook: also the one that an MCP tool would
 * have if no other tool had it.
 */
export function listMatchableToolNames(name: string): string[] {
  const isMarked = name.startsWith('mcp__') && MARK.test(name)
  return isMarked ? [name, name.replace(MARK, '')] : toolNamesOf(name)
}

/** By any of its names; nothing is known of tools that are not built in. */
export function toolTraits(name: string): ToolTraits {
  return ALL.get(toCanonicalToolName(name)) ?? {}
}

export function listToolNamesWhere(matches: (facts: ToolTraits) => boolean): string[] {
  return [...ALL].flatMap(([name, facts]) => (matches(facts) ? [name] : []))
}

/** Every name that a rule may use without being taken for a misspelt one. */
export function knownToolNames(): string[] {
  return listToolNamesWhere(({ gone }) => !gone).flatMap(toolNamesOf)
}
