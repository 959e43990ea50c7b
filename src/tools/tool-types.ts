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
