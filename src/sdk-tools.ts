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
} from './protocol/later/later-tool-types.js'
import type {
  AskUserQuestion,
  AskUserQuestionInput,
  AskUserQuestionOutput,
} from './tools/ask-user-question/ask-user-question-shapes.js'
import type { BashInput, BashOutput } from './tools/bash/bash-shapes.js'
import type { ConfigInput, ConfigOutput } from './tools/config/config.js'
import type { FileEditInput, FileEditOutput } from './tools/edit/edit-shapes.js'
import type { EnterPlanModeOutput } from './tools/enter-plan-mode/enter-plan-mode.js'
import type { ExitPlanModeInput, ExitPlanModeOutput } from './tools/exit-plan-mode/exit-plan-mode.js'
import type { GlobInput, GlobOutput } from './tools/glob/glob.js'
import type { GrepInput, GrepOutput } from './tools/grep/grep-shapes.js'
import type {
  ListMcpResourcesInput,
  ListMcpResourcesOutput,
  ReadMcpResourceInput,
  ReadMcpResourceOutput,
} from './tools/mcp-resources/mcp-resources.js'
import type { NotebookEditInput, NotebookEditOutput } from './tools/notebook-edit/notebook-edit-shapes.js'
import type { FileReadInput, FileReadOutput } from './tools/read/read-shapes.js'
import type { AgentInput, AgentOutput } from './tools/task/task-shapes.js'
import type {
  TaskCreateInput,
  TaskCreateOutput,
  TaskGetInput,
  TaskGetOutput,
  TaskListOutput,
  TaskUpdateInput,
  TaskUpdateOutput,
} from './tools/task-list/task-list-shapes.js'
import type { TaskOutputInput } from './tools/task-output/task-output.js'
import type { TaskStopInput, TaskStopOutput } from './tools/task-stop/task-stop.js'
import type { TodoWriteInput, TodoWriteOutput } from './tools/todo-write/todo-write.js'
import type { WebFetchInput, WebFetchOutput } from './tools/web-fetch/web-fetch-shapes.js'
import type { WebSearchInput, WebSearchOutput } from './tools/web-search/web-search.js'
import type { FileWriteInput, FileWriteOutput } from './tools/write/write.js'

export type * from './protocol/later/later-tool-types.js'
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
