/** The types of all built-in tools by name: what each takes, and what `tool_use_result` holds when it succeeded. */
import type { AskUserQuestionInput } from './ask-user-question/input.js'
import type { AskUserQuestionOutput } from './ask-user-question/output.js'
import type { BashInput } from './bash/input.js'
import type { BashOutput } from './bash/output.js'
import type { ConfigInput } from './config/input.js'
import type { ConfigOutput } from './config/output.js'
import type { FileEditInput } from './edit/input.js'
import type { FileEditOutput } from './edit/output.js'
import type { EnterPlanModeOutput } from './enter-plan-mode/output.js'
import type { ExitPlanModeInput } from './exit-plan-mode/input.js'
import type { ExitPlanModeOutput } from './exit-plan-mode/output.js'
import type { GlobInput } from './glob/input.js'
import type { GlobOutput } from './glob/output.js'
import type { GrepInput } from './grep/input.js'
import type { GrepOutput } from './grep/output.js'
import type { ListMcpResourcesInput, ReadMcpResourceInput } from './mcp-resources/input.js'
import type { ListMcpResourcesOutput, ReadMcpResourceOutput } from './mcp-resources/output.js'
import type { NotebookEditInput } from './notebook-edit/input.js'
import type { NotebookEditOutput } from './notebook-edit/output.js'
import type { FileReadInput } from './read/input.js'
import type { FileReadOutput } from './read/output.js'
import type { SendMessageInput } from './send-message/input.js'
import type { SendMessageOutput } from './send-message/output.js'
import type { SkillInput } from './skill/input.js'
import type { SkillOutput } from './skill/output.js'
import type { AgentInput } from './task/input.js'
import type { AgentOutput, TeammateOutput } from './task/output.js'
import type { TaskCreateInput, TaskGetInput, TaskUpdateInput } from './task-list/input.js'
import type { TaskCreateOutput, TaskGetOutput, TaskListOutput, TaskUpdateOutput } from './task-list/output.js'
import type { TaskOutputInput } from './task-output/input.js'
import type { TaskOutputOutput } from './task-output/output.js'
import type { TaskStopInput } from './task-stop/input.js'
import type { TaskStopOutput } from './task-stop/output.js'
import type { TeamCreateInput } from './team-create/input.js'
import type { TeamCreateOutput } from './team-create/output.js'
import type { TeamDeleteOutput } from './team-delete/output.js'
import type { TodoWriteInput } from './todo-write/input.js'
import type { TodoWriteOutput } from './todo-write/output.js'
import type { ToolSearchInput } from './tool-search/input.js'
import type { ToolSearchOutput } from './tool-search/output.js'
import type { WebFetchInput } from './web-fetch/input.js'
import type { WebFetchOutput } from './web-fetch/output.js'
import type { WebSearchInput } from './web-search/input.js'
import type { WebSearchOutput } from './web-search/output.js'
import type { FileWriteInput } from './write/input.js'
import type { FileWriteOutput } from './write/output.js'

/** What each tool takes. */
export interface ToolInputs {
  AskUserQuestion: AskUserQuestionInput
  Bash: BashInput
  Config: ConfigInput
  Edit: FileEditInput
  EnterPlanMode: Record<string, never>
  ExitPlanMode: ExitPlanModeInput
  Glob: GlobInput
  Grep: GrepInput
  ListMcpResourcesTool: ListMcpResourcesInput
  NotebookEdit: NotebookEditInput
  Read: FileReadInput
  ReadMcpResourceTool: ReadMcpResourceInput
  SendMessage: SendMessageInput
  Skill: SkillInput
  Task: AgentInput
  TaskCreate: TaskCreateInput
  TaskGet: TaskGetInput
  TaskList: Record<string, never>
  TaskOutput: TaskOutputInput
  TaskStop: TaskStopInput
  TaskUpdate: TaskUpdateInput
  TeamCreate: TeamCreateInput
  TeamDelete: Record<string, never>
  TodoWrite: TodoWriteInput
  ToolSearch: ToolSearchInput
  WebFetch: WebFetchInput
  WebSearch: WebSearchInput
  Write: FileWriteInput
}

/** What `tool_use_result` of a user message holds after a call that succeeded; after one that failed it is a string. */
export interface ToolOutputs {
  AskUserQuestion: AskUserQuestionOutput
  Bash: BashOutput
  Config: ConfigOutput
  Edit: FileEditOutput
  EnterPlanMode: EnterPlanModeOutput
  ExitPlanMode: ExitPlanModeOutput
  Glob: GlobOutput
  Grep: GrepOutput
  ListMcpResourcesTool: ListMcpResourcesOutput
  NotebookEdit: NotebookEditOutput
  Read: FileReadOutput
  ReadMcpResourceTool: ReadMcpResourceOutput
  SendMessage: SendMessageOutput
  Skill: SkillOutput
  Task: AgentOutput | TeammateOutput
  TaskCreate: TaskCreateOutput
  TaskGet: TaskGetOutput
  TaskList: TaskListOutput
  TaskOutput: TaskOutputOutput
  TaskStop: TaskStopOutput
  TaskUpdate: TaskUpdateOutput
  TeamCreate: TeamCreateOutput
  TeamDelete: TeamDeleteOutput
  TodoWrite: TodoWriteOutput
  ToolSearch: ToolSearchOutput
  WebFetch: WebFetchOutput
  WebSearch: WebSearchOutput
  Write: FileWriteOutput
}
