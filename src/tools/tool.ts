/** The shape every tool has. A tool states facts and does its work; it never decides about permission. */

import type { BackgroundPort } from '../engine/background-port.js'
import type { PermissionFacts, ToolOutcome } from '../engine/ports.js'
import type { ToolPlatform } from '../platform/platform.js'
import type { AskPreview } from '../protocol/permission-types.js'
import type { DisplayedToolName } from './displays.js'

export type JsonSchema = Record<string, unknown>

export type TodoItem = { content: string; status: 'pending' | 'in_progress' | 'completed'; activeForm: string }

/** What the session remembers of a file it read, to notice changes made by others. */
export type ReadFileRecord = { mtimeMs: number; size: number; hash: string; partial: boolean }

/** State the tools of one session share. One object per session, never module state. */
export type ToolSession = {
  /** By real path. */
  readFiles: Map<string, ReadFileRecord>
  /** By the input of a call: where its path led before permission was asked, links followed. */
  destinations: WeakMap<object, string>
  todos: TodoItem[]
  /** Where Bash stands; always inside the working directories. */
  shellCwd: string
}

export interface ToolContext {
  /** The session's working directory; absolute. */
  readonly cwd: string
  /** `cwd` and the additional directories. */
  directories(): readonly string[]
  /** The session's environment; never `process.env`. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Files and processes are those of the workspace. */
  readonly platform: ToolPlatform
  readonly session: ToolSession
  readonly tasks: BackgroundPort
  /** Whether the model can call the tool of this name. Absent: it can call every tool. */
  offers?(toolName: string): boolean
  /** The sub-agent the tools are bound for; absent: the main thread. */
  readonly agentId?: string
}

/** What differs from call to call. */
export interface CallContext extends ToolContext {
  readonly toolUseId: string
  readonly signal: AbortSignal
  /** Live output, in the order it appeared; the caller rate-limits. */
  progress(output: string): void
}

// biome-ignore lint/suspicious/noExplicitAny: a registry of tools with different inputs; each input was checked against the tool's own schema
export interface Tool<Input = any> {
  readonly name: string
  /** What the model reads; our own words. */
  readonly description: string
  readonly inputSchema: JsonSchema
  /** Fields that are taken, but that a model need not know: those that hosts fill in, that are old, or that mean nothing here. */
  readonly hidden?: readonly string[]
  readonly marksSuccess?: boolean
  isReadOnly(input: Input): boolean
  /** One that had begun is not run again, although others may run beside it. */
  readonly runsOnce?: boolean
  facts(input: Input, context: ToolContext): PermissionFacts
  /** Adds to the call what only the session knows, before anybody sees it: who approves must see what is approved. */
  prepare?(input: Input, context: ToolContext): Promise<Input>
  /** What only shows once the first permission was given; then judged in turn. */
  moreFacts?(input: Input, context: CallContext): Promise<PermissionFacts | undefined>
  /** What the call would change, for whoever is asked about it. */
  preview?(input: Input, context: ToolContext): Promise<AskPreview | undefined>
  /** A reason to refuse that needs a look at files or tasks, before permission is asked. */
  check?(input: Input, context: ToolContext): Promise<string | undefined>
  /** An expected failure is a returned outcome; a throw is a bug. Stops within 100 ms of `context.signal`. */
  execute(input: Input, context: CallContext): Promise<ToolOutcome>
}

/** Defines a built-in tool. Its name must be that of a display: see `tool-display.ts`. */
export function defineTool<Input>(tool: Tool<Input> & { readonly name: DisplayedToolName }): Tool<Input> {
  return tool
}
