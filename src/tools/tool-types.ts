/** The types of all built-in tools by name: what each takes, and what `tool_use_result` holds when it succeeded. */
import type { AskUserQuestionInput, AskUserQuestionOutput } from './ask-user-question/ask-user-question-shapes.js'
import type { BashInput, BashOutput } from './bash/bash-shapes.js'
import type { ConfigInput, ConfigOutput } from './config/config.js'
import type { FileEditInput, FileEditOutput } from './edit/edit-shapes.js'
import type { EnterPlanModeOutput } from './enter-plan-mode/enter-plan-mode.js'
import type { ExitPlanModeInput, ExitPlanModeOutput } from './exit-plan-mode/exit-plan-mode.js'
import type { GlobInput, GlobOutput } from './glob/glob.js'
import type { GrepInput, GrepOutput } from './grep/grep-shapes.js'
import type {
  ListMcpResourcesInput,
  ListMcpResourcesOutput,
  ReadMcpResourceInput,
  ReadMcpResourceOutput,
} from './mcp-resources/mcp-resources.js'
import type { NotebookEditInput, NotebookEditOutput } from './notebook-edit/notebook-edit-shapes.js'
import type { FileReadInput, FileReadOutput } from './read/read-shapes.js'
import type { SendMessageInput, SendMessageOutput } from './send-message/send-message.js'
import type { SkillInput, SkillOutput } from './skill/skill.js'
import type { AgentInput, AgentOutput, TeammateOutput } from './task/task-shapes.js'
import type {
  TaskCreateInput,
  TaskCreateOutput,
  TaskGetInput,
  TaskGetOutput,
  TaskListOutput,
  TaskUpdateInput,
  TaskUpdateOutput,
} from './task-list/task-list-shapes.js'
import type { TaskOutputInput, TaskOutputOutput } from './task-output/task-output.js'
import type { TaskStopInput, TaskStopOutput } from './task-stop/task-stop.js'
import type { TeamCreateInput, TeamCreateOutput } from './team-create/team-create.js'
import type { TeamDeleteOutput } from './team-delete/team-delete.js'
import type { TodoWriteInput, TodoWriteOutput } from './todo-write/todo-write.js'
import type { ToolSearchInput, ToolSearchOutput } from './tool-search/tool-search.js'
import type { WebFetchInput, WebFetchOutput } from './web-fetch/web-fetch-shapes.js'
import type { WebSearchInput, WebSearchOutput } from './web-search/web-search.js'
import type { FileWriteInput, FileWriteOutput } from './write/write.js'

/** What each tool takes. */
export interface ToolInputs {
  /** What `AskUserQuestion` takes. */
  AskUserQuestion: AskUserQuestionInput
  /** What `Bash` takes. */
  Bash: BashInput
  /** What `Config` takes. */
  Config: ConfigInput
  /** What `Edit` takes. */
  Edit: FileEditInput
  /** What `EnterPlanMode` takes. */
  EnterPlanMode: Record<string, never>
  /** What `ExitPlanMode` takes. */
  ExitPlanMode: ExitPlanModeInput
  /** What `Glob` takes. */
  Glob: GlobInput
  /** What `Grep` takes. */
  Grep: GrepInput
  /** What `ListMcpResourcesTool` takes. */
  ListMcpResourcesTool: ListMcpResourcesInput
  /** What `NotebookEdit` takes. */
  NotebookEdit: NotebookEditInput
  /** What `Read` takes. */
  Read: FileReadInput
  /** What `ReadMcpResourceTool` takes. */
  ReadMcpResourceTool: ReadMcpResourceInput
  /** What `SendMessage` takes. */
  SendMessage: SendMessageInput
  /** What `Skill` takes. */
  Skill: SkillInput
  /** What `Task` takes. */
  Task: AgentInput
  /** What `TaskCreate` takes. */
  TaskCreate: TaskCreateInput
  /** What `TaskGet` takes. */
  TaskGet: TaskGetInput
  /** What `TaskList` takes. */
  TaskList: Record<string, never>
  /** What `TaskOutput` takes. */
  TaskOutput: TaskOutputInput
  /** What `TaskStop` takes. */
  TaskStop: TaskStopInput
  /** What `TaskUpdate` takes. */
  TaskUpdate: TaskUpdateInput
  /** What `TeamCreate` takes. */
  TeamCreate: TeamCreateInput
  /** What `TeamDelete` takes. */
  TeamDelete: Record<string, never>
  /** What `TodoWrite` takes. */
  TodoWrite: TodoWriteInput
  /** What `ToolSearch` takes. */
  ToolSearch: ToolSearchInput
  /** What `WebFetch` takes. */
  WebFetch: WebFetchInput
  /** What `WebSearch` takes. */
  WebSearch: WebSearchInput
  /** What `Write` takes. */
  Write: FileWriteInput
}

/** What `tool_use_result` of a user message holds after a call that succeeded; after one that failed it is a string. */
export interface ToolOutputs {
  /** What `AskUserQuestion` gives back as data (`tool_use_result`). */
  AskUserQuestion: AskUserQuestionOutput
  /** What `Bash` gives back as data (`tool_use_result`). */
  Bash: BashOutput
  /** What `Config` gives back as data (`tool_use_result`). */
  Config: ConfigOutput
  /** What `Edit` gives back as data (`tool_use_result`). */
  Edit: FileEditOutput
  /** What `EnterPlanMode` gives back as data (`tool_use_result`). */
  EnterPlanMode: EnterPlanModeOutput
  /** What `ExitPlanMode` gives back as data (`tool_use_result`). */
  ExitPlanMode: ExitPlanModeOutput
  /** What `Glob` gives back as data (`tool_use_result`). */
  Glob: GlobOutput
  /** What `Grep` gives back as data (`tool_use_result`). */
  Grep: GrepOutput
  /** What `ListMcpResourcesTool` gives back as data (`tool_use_result`). */
  ListMcpResourcesTool: ListMcpResourcesOutput
  /** What `NotebookEdit` gives back as data (`tool_use_result`). */
  NotebookEdit: NotebookEditOutput
  /** What `Read` gives back as data (`tool_use_result`). */
  Read: FileReadOutput
  /** What `ReadMcpResourceTool` gives back as data (`tool_use_result`). */
  ReadMcpResourceTool: ReadMcpResourceOutput
  /** What `SendMessage` gives back as data (`tool_use_result`). */
  SendMessage: SendMessageOutput
  /** What `Skill` gives back as data (`tool_use_result`). */
  Skill: SkillOutput
  /** What `Task` gives back as data (`tool_use_result`). */
  Task: AgentOutput | TeammateOutput
  /** What `TaskCreate` gives back as data (`tool_use_result`). */
  TaskCreate: TaskCreateOutput
  /** What `TaskGet` gives back as data (`tool_use_result`). */
  TaskGet: TaskGetOutput
  /** What `TaskList` gives back as data (`tool_use_result`). */
  TaskList: TaskListOutput
  /** What `TaskOutput` gives back as data (`tool_use_result`). */
  TaskOutput: TaskOutputOutput
  /** What `TaskStop` gives back as data (`tool_use_result`). */
  TaskStop: TaskStopOutput
  /** What `TaskUpdate` gives back as data (`tool_use_result`). */
  TaskUpdate: TaskUpdateOutput
  /** What `TeamCreate` gives back as data (`tool_use_result`). */
  TeamCreate: TeamCreateOutput
  /** What `TeamDelete` gives back as data (`tool_use_result`). */
  TeamDelete: TeamDeleteOutput
  /** What `TodoWrite` gives back as data (`tool_use_result`). */
  TodoWrite: TodoWriteOutput
  /** What `ToolSearch` gives back as data (`tool_use_result`). */
  ToolSearch: ToolSearchOutput
  /** What `WebFetch` gives back as data (`tool_use_result`). */
  WebFetch: WebFetchOutput
  /** What `WebSearch` gives back as data (`tool_use_result`). */
  WebSearch: WebSearchOutput
  /** What `Write` gives back as data (`tool_use_result`). */
  Write: FileWriteOutput
}
