/** The package's `sdk-tools` entry: inputs and outputs of the built-in tools, under the names the original gave them. */
import type {
  EnterWorktreeInput,
  EnterWorktreeOutput,
  McpInput,
  McpOutput,
  SubscribeMcpResourceInput,
  SubscribeMcpResourceOutput,
  SubscribePollingInput,
  SubscribePollingOutput,
  UnsubscribeMcpResourceInput,
  UnsubscribeMcpResourceOutput,
  UnsubscribePollingInput,
  UnsubscribePollingOutput,
} from './protocol/later-tool-types.js'
import type { AskUserQuestion, AskUserQuestionInput } from './tools/ask-user-question/input.js'
import type { AskUserQuestionOutput } from './tools/ask-user-question/output.js'
import type { BashInput } from './tools/bash/input.js'
import type { BashOutput } from './tools/bash/output.js'
import type { ConfigInput } from './tools/config/input.js'
import type { ConfigOutput } from './tools/config/output.js'
import type { FileEditInput } from './tools/edit/input.js'
import type { FileEditOutput } from './tools/edit/output.js'
import type { EnterPlanModeOutput } from './tools/enter-plan-mode/output.js'
import type { ExitPlanModeInput } from './tools/exit-plan-mode/input.js'
import type { ExitPlanModeOutput } from './tools/exit-plan-mode/output.js'
import type { GlobInput } from './tools/glob/input.js'
import type { GlobOutput } from './tools/glob/output.js'
import type { GrepInput } from './tools/grep/input.js'
import type { GrepOutput } from './tools/grep/output.js'
import type { ListMcpResourcesInput, ReadMcpResourceInput } from './tools/mcp-resources/input.js'
import type { ListMcpResourcesOutput, ReadMcpResourceOutput } from './tools/mcp-resources/output.js'
import type { NotebookEditInput } from './tools/notebook-edit/input.js'
import type { NotebookEditOutput } from './tools/notebook-edit/output.js'
import type { FileReadInput } from './tools/read/input.js'
import type { FileReadOutput } from './tools/read/output.js'
import type { AgentInput } from './tools/task/input.js'
import type { AgentOutput } from './tools/task/output.js'
import type { TaskCreateInput, TaskGetInput, TaskUpdateInput } from './tools/task-list/input.js'
import type { TaskCreateOutput, TaskGetOutput, TaskListOutput, TaskUpdateOutput } from './tools/task-list/output.js'
import type { TaskOutputInput } from './tools/task-output/input.js'
import type { TaskStopInput } from './tools/task-stop/input.js'
import type { TaskStopOutput } from './tools/task-stop/output.js'
import type { TodoWriteInput } from './tools/todo-write/input.js'
import type { TodoWriteOutput } from './tools/todo-write/output.js'
import type { WebFetchInput } from './tools/web-fetch/input.js'
import type { WebFetchOutput } from './tools/web-fetch/output.js'
import type { WebSearchInput } from './tools/web-search/input.js'
import type { WebSearchOutput } from './tools/web-search/output.js'
import type { FileWriteInput } from './tools/write/input.js'
import type { FileWriteOutput } from './tools/write/output.js'

export type * from './protocol/later-tool-types.js'
export type {
  AgentInput,
  AgentOutput,
  AskUserQuestion,
  AskUserQuestionInput,
  AskUserQuestionOutput,
  BashInput,
  BashOutput,
  ConfigInput,
  ConfigOutput,
  EnterPlanModeOutput,
  ExitPlanModeInput,
  ExitPlanModeOutput,
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
  ListMcpResourcesInput,
  ListMcpResourcesOutput,
  NotebookEditInput,
  NotebookEditOutput,
  ReadMcpResourceInput,
  ReadMcpResourceOutput,
  TaskCreateInput,
  TaskCreateOutput,
  TaskGetInput,
  TaskGetOutput,
  TaskListOutput,
  TaskOutputInput,
  TaskStopInput,
  TaskStopOutput,
  TaskUpdateInput,
  TaskUpdateOutput,
  TodoWriteInput,
  TodoWriteOutput,
  WebFetchInput,
  WebFetchOutput,
  WebSearchInput,
  WebSearchOutput,
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
