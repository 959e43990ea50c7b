/**
 * Inputs and outputs of the tools whose folders do not exist here yet, so that code written against their types compiles.
 * When such a tool is built, its `input.ts` and `output.ts` take the types over and `src/sdk-tools.ts` points there.
 */
import type { CacheCreation, ServerToolUsage } from './content.js'
import type { PermissionMode } from './permissions.js'

// ── agents and tasks ─────────────────────────────────────────────────────────

export type AgentInput = {
  /** Three to five words for whoever watches. */
  description: string
  /** The task, complete: the agent sees nothing else of the conversation. */
  prompt: string
  subagent_type: string
  model?: 'sonnet' | 'opus' | 'haiku'
  /** Id of an earlier agent to go on with, its history included. */
  resume?: string
  run_in_background?: boolean
  max_turns?: number
  /** Makes it a teammate that can be written to. */
  name?: string
  team_name?: string
  mode?: PermissionMode
  /** `worktree`: works in a git worktree of its own. */
  isolation?: 'worktree'
}

export type AgentOutput =
  | {
      status: 'completed'
      agentId: string
      prompt: string
      content: { type: 'text'; text: string }[]
      totalToolUseCount: number
      totalDurationMs: number
      totalTokens: number
      usage: AgentUsage
    }
  | {
      status: 'async_launched'
      agentId: string
      description: string
      prompt: string
      /** Where its output will be. */
      outputFile: string
      canReadOutputFile?: boolean
    }
  | { status: 'sub_agent_entered'; description: string; message: string }

type AgentUsage = {
  input_tokens: number
  output_tokens: number
  cache_creation_input_tokens: number | null
  cache_read_input_tokens: number | null
  server_tool_use: ServerToolUsage | null
  service_tier: 'standard' | 'priority' | 'batch' | null
  cache_creation: CacheCreation | null
}

export type TaskOutputInput = {
  task_id: string
  /** Wait for the task to end. */
  block: boolean
  /** Milliseconds to wait at most. */
  timeout: number
}

export type TaskStopInput = {
  task_id?: string
  /** @deprecated Use `task_id`. */
  shell_id?: string
}
export type TaskStopOutput = { message: string; task_id: string; task_type: string; command?: string }

// ── plan, questions, configuration ───────────────────────────────────────────

export type ExitPlanModeInput = {
  /** Kinds of commands the plan needs, in words, to be allowed together with it. */
  allowedPrompts?: { tool: 'Bash'; prompt: string }[]
  [key: string]: unknown
}
export type ExitPlanModeOutput = {
  plan: string | null
  isAgent: boolean
  filePath?: string
  hasTaskTool?: boolean
  awaitingLeaderApproval?: boolean
  requestId?: string
}

type QuestionOption = { label: string; description: string }

/** One question with two to four answers to choose from. */
export type AskUserQuestion = {
  question: string
  /** A word or two to show beside it. */
  header: string
  options:
    | [QuestionOption, QuestionOption]
    | [QuestionOption, QuestionOption, QuestionOption]
    | [QuestionOption, QuestionOption, QuestionOption, QuestionOption]
  multiSelect: boolean
}

export type AskUserQuestionInput = {
  questions:
    | [AskUserQuestion]
    | [AskUserQuestion, AskUserQuestion]
    | [AskUserQuestion, AskUserQuestion, AskUserQuestion]
    | [AskUserQuestion, AskUserQuestion, AskUserQuestion, AskUserQuestion]
  /** Answers by question, put in by the host with `updatedInput`. */
  answers?: { [question: string]: string }
  metadata?: { source?: string }
}
export type AskUserQuestionOutput = {
  questions: AskUserQuestion[]
  /** Several choices of one question are joined with commas. */
  answers: { [question: string]: string }
}

export type ConfigInput = {
  setting: string
  /** Absent: read it. */
  value?: string | boolean | number
}
export type ConfigOutput = {
  success: boolean
  operation?: 'get' | 'set'
  setting?: string
  value?: unknown
  previousValue?: unknown
  newValue?: unknown
  error?: string
}

export type EnterWorktreeInput = { name?: string }
export type EnterWorktreeOutput = { worktreePath: string; worktreeBranch?: string; message: string }

// ── notebooks and the web ────────────────────────────────────────────────────

export type NotebookEditInput = {
  /** Absolute. */
  notebook_path: string
  /** The cell to change; when inserting, the one to insert after. */
  cell_id?: string
  new_source: string
  cell_type?: 'code' | 'markdown'
  edit_mode?: 'replace' | 'insert' | 'delete'
}
export type NotebookEditOutput = {
  new_source: string
  cell_id?: string
  cell_type: 'code' | 'markdown'
  language: string
  edit_mode: string
  error?: string
  notebook_path: string
  original_file: string
  updated_file: string
}

export type WebFetchInput = {
  url: string
  /** What to find out from the page. */
  prompt: string
}
export type WebFetchOutput = {
  bytes: number
  code: number
  codeText: string
  result: string
  durationMs: number
  url: string
}

export type WebSearchInput = { query: string; allowed_domains?: string[]; blocked_domains?: string[] }
export type WebSearchOutput = {
  query: string
  /** Hits of each search, between what the model said about them. */
  results: ({ tool_use_id: string; content: { title: string; url: string }[] } | string)[]
  durationSeconds: number
}

// ── MCP ──────────────────────────────────────────────────────────────────────

/** Arguments of an MCP tool: whatever its server's schema says. */
export type McpInput = { [key: string]: unknown }
export type McpOutput = string

export type ListMcpResourcesInput = { server?: string }
export type ListMcpResourcesOutput = {
  uri: string
  name: string
  mimeType?: string
  description?: string
  server: string
}[]

export type ReadMcpResourceInput = { server: string; uri: string }
export type ReadMcpResourceOutput = { contents: { uri: string; mimeType?: string; text?: string }[] }

export type SubscribeMcpResourceInput = { server: string; uri: string; reason?: string }
export type SubscribeMcpResourceOutput = { subscribed: boolean; subscriptionId: string }
export type UnsubscribeMcpResourceInput = { server?: string; uri?: string; subscriptionId?: string }
export type UnsubscribeMcpResourceOutput = { unsubscribed: boolean }

export type SubscribePollingInput = {
  /** What to call again and again: a tool, or the reading of a resource. */
  type: 'tool' | 'resource'
  server: string
  toolName?: string
  arguments?: { [key: string]: unknown }
  uri?: string
  intervalMs: number
  reason?: string
}
export type SubscribePollingOutput = { subscribed: boolean; subscriptionId: string }
export type UnsubscribePollingInput = { subscriptionId?: string; server?: string; target?: string }
export type UnsubscribePollingOutput = { unsubscribed: boolean }
