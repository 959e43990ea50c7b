/** The package's `sdk-tools` entry: inputs and outputs of the built-in tools, under the names the original gave them. */
import type {
  AgentInput,
  AgentOutput,
  AskUserQuestionInput,
  AskUserQuestionOutput,
  ConfigInput,
  ConfigOutput,
  EnterWorktreeInput,
  EnterWorktreeOutput,
  ExitPlanModeInput,
  ExitPlanModeOutput,
  ListMcpResourcesInput,
  ListMcpResourcesOutput,
  McpInput,
  McpOutput,
  NotebookEditInput,
  NotebookEditOutput,
  ReadMcpResourceInput,
  ReadMcpResourceOutput,
  SubscribeMcpResourceInput,
  SubscribeMcpResourceOutput,
  SubscribePollingInput,
  SubscribePollingOutput,
  TaskOutputInput,
  TaskStopInput,
  TaskStopOutput,
  UnsubscribeMcpResourceInput,
  UnsubscribeMcpResourceOutput,
  UnsubscribePollingInput,
  UnsubscribePollingOutput,
  WebFetchInput,
  WebFetchOutput,
  WebSearchInput,
  WebSearchOutput,
} from './protocol/tool-types.js'
import type { BashInput } from './tools/bash/input.js'
import type { BashOutput } from './tools/bash/output.js'
import type { FileEditInput } from './tools/edit/input.js'
import type { FileEditOutput } from './tools/edit/output.js'
import type { GlobInput } from './tools/glob/input.js'
import type { GlobOutput } from './tools/glob/output.js'
import type { GrepInput } from './tools/grep/input.js'
import type { GrepOutput } from './tools/grep/output.js'
import type { FileReadInput } from './tools/read/input.js'
import type { FileReadOutput } from './tools/read/output.js'
import type { TodoWriteInput } from './tools/todo-write/input.js'
import type { TodoWriteOutput } from './tools/todo-write/output.js'
import type { FileWriteInput } from './tools/write/input.js'
import type { FileWriteOutput } from './tools/write/output.js'

export type * from './protocol/tool-types.js'
export type {
  BashInput,
  BashOutput,
  FileEditInput,
  FileEditOutput,
  FileReadInput,
  FileReadOutput,
  FileWriteInput,
  FileWriteOutput,
  GlobInput,
  GlobOutput,
  GrepInput,
  GrepOutput,
  TodoWriteInput,
  TodoWriteOutput,
}

/** Any tool's input or output: the name is older than the outputs and kept. */
export type ToolInputSchemas =
  | AgentInput
  | BashInput
  | TaskOutputInput
  | ExitPlanModeInput
  | FileEditInput
  | FileReadInput
  | FileWriteInput
  | GlobInput
  | GrepInput
  | TaskStopInput
  | ListMcpResourcesInput
  | McpInput
  | NotebookEditInput
  | ReadMcpResourceInput
  | SubscribeMcpResourceInput
  | UnsubscribeMcpResourceInput
  | SubscribePollingInput
  | UnsubscribePollingInput
  | TodoWriteInput
  | WebFetchInput
  | WebSearchInput
  | AskUserQuestionInput
  | ConfigInput
  | EnterWorktreeInput
  | ToolOutputSchemas

/** Any tool's output: what `tool_use_result` holds when the call succeeded. */
export type ToolOutputSchemas =
  | AgentOutput
  | BashOutput
  | ExitPlanModeOutput
  | FileEditOutput
  | FileReadOutput
  | FileWriteOutput
  | GlobOutput
  | GrepOutput
  | TaskStopOutput
  | ListMcpResourcesOutput
  | McpOutput
  | NotebookEditOutput
  | ReadMcpResourceOutput
  | SubscribeMcpResourceOutput
  | UnsubscribeMcpResourceOutput
  | SubscribePollingOutput
  | UnsubscribePollingOutput
  | TodoWriteOutput
  | WebFetchOutput
  | WebSearchOutput
  | AskUserQuestionOutput
  | ConfigOutput
  | EnterWorktreeOutput
