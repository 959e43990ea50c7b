/** Tools as the loop sees them: a call, what it would touch, what came of it. */

import type { ToolResultContent } from '../protocol/content.js'
import type { AskPreview } from '../protocol/permission-types.js'

/** What a call would touch, stated by the tool, judged by the permission engine. Paths are absolute. */
export type PermissionFacts =
  | { kind: 'none' }
  /** `from` is the base for relative paths in the input; the session's folder by default. */
  | { kind: 'read'; paths: string[]; from?: string }
  /** `resolvedPath`: the file behind `path`, links followed, when the tool looked; absent when it is the same. */
  | { kind: 'edit'; path: string; resolvedPath?: string }
  /** `realCwd`: where `cwd` led when the tool looked; it runs there or not at all. `unsandboxed`: it asks to run outside the
   *  sandbox that the session has. */
  | { kind: 'command'; command: string; cwd: string; realCwd?: string; unsandboxed?: true }
  /** `address`: the host is known to lead to this address, which is not one of the public internet. */
  | { kind: 'fetch'; url: string; address?: string }
  /** Needs a human whatever the rules say. */
  | { kind: 'ask' }
  /** Nothing known: asks unless a rule names the tool. `approved`: as if a rule did. `asksInBypass`: no mode allows it. */
  | { kind: 'other'; approved?: true; asksInBypass?: true }

export type ToolOutcome =
  | {
      ok: true
      content: string | ToolResultContent[]
      /** `tool_use_result` on the wire. */
      output: unknown
      /** A text that follows the result in the conversation, in a message of its own on the wire: what a skill says. */
      follow?: string
    }
  | {
      ok: false
      /** What the model reads. */
      error: string
      /** True: the call was refused before anything ran (`<tool_use_error>` around it on the wire). */
      refused?: boolean
      /** `tool_use_result`, when it is not `Error: <error>`. */
      output?: unknown
    }

export interface EngineCall {
  readonly id: string
  readonly name: string
  readonly input: Record<string, unknown>
}

/** How a tool whose call waits for a user keeps the call's state, so another process can continue it. */
export interface CallWaitPort {
  /** What an earlier process kept of this call. */
  readonly kept: Record<string, unknown> | undefined
  /** The turn can end with this call open. */
  readonly canPark: boolean
  /** Resolves when the state is kept; undefined: the call acts again. Rejects if it can't be kept. */
  keep(state: Record<string, unknown> | undefined): Promise<void>
  /** Leaves the call open: it gets no result in this turn, whatever `execute` resolves with. */
  park(): void
}

/** What a tool makes of the input that the model wrote. */
export type ParsedInput =
  | {
      ok: true
      input: Record<string, unknown>
      /** It was read in another way than it was written: hosts and the conversation get what was read. */
      mended?: boolean
      /** What the model reads behind the result: what of its input was ignored. */
      note?: string
      /** The name the tool has here, when the model called it by an old one. */
      name?: string
    }
  | { ok: false; error: string; output: string }

/** A tool as the loop sees it, already bound to its session. */
export interface EngineTool {
  readonly name: string
  /** Success results of this tool carry `is_error: false` (Bash does). */
  readonly marksSuccess?: boolean
  /** What whoever is asked for permission should know of it. */
  readonly warning?: string
  /** May run at the same time as others that say so. */
  isReadOnly(input: Record<string, unknown>): boolean
  /** What it starts may change something, even where it says that it only reads: one that had begun is not run again. */
  readonly runsOnce?: boolean
  /** Checks and completes the model's input. */
  parse(input: unknown): ParsedInput
  /** Adds to a checked input what only the session knows, before host and model see the call. */
  prepare?(input: Record<string, unknown>): Promise<Record<string, unknown>>
  /** Reasons to refuse that need a look at files or tasks (file not read yet); before permission is asked. */
  check(input: Record<string, unknown>): Promise<string | undefined>
  facts(input: Record<string, unknown>): PermissionFacts
  /** What the call would change, for whoever is asked about it. */
  preview?(input: Record<string, unknown>): Promise<AskPreview | undefined>
  /** What only shows once the first permission was given (where a name leads to); judged like the facts before it. */
  moreFacts(call: EngineCall, signal: AbortSignal): Promise<PermissionFacts | undefined>
  /** `wait`: absent where a call can't outlive its process. */
  execute(
    call: EngineCall,
    signal: AbortSignal,
    progress: (output: string) => void,
    wait?: CallWaitPort,
  ): Promise<ToolOutcome>
}

export interface ToolPort {
  find(name: string): EngineTool | undefined
  /** Also one that has to be searched for first. Sub-agents, which do not search, have those at once. */
  findDeferred?(name: string): EngineTool | undefined
  /** Explains that no tool has this name: which one might be meant, and which exist. Sentences, or empty. */
  explainMissing?(name: string): Promise<string>
}
