/** The tools this version has, in the order they are listed, and which of them a session gets. */
import type { Permissions } from '../../permissions/permission-engine.js'
import type { Platform } from '../../platform/platform.js'
import type { PermissionSettings, ToolSettings } from '../../protocol/option-table/start-settings.js'
import { toCanonicalToolName } from '../../protocol/tool-names.js'
import { askUserQuestionTool } from '../../tools/ask-user-question/ask-user-question.js'
import { createBashTool } from '../../tools/bash/bash.js'
import { areBackgroundTasksEnabled } from '../../tools/bash/command-limits.js'
import type { BashSandbox } from '../../tools/bash/sandbox-port.js'
import { createConfigTool } from '../../tools/config/config.js'
import { dropMissingToolLines } from '../../tools/drop-missing-tool-lines.js'
import { editTool } from '../../tools/edit/edit.js'
import { createEnterPlanModeTool } from '../../tools/enter-plan-mode/enter-plan-mode.js'
import { createExitPlanModeTool } from '../../tools/exit-plan-mode/exit-plan-mode.js'
import { createGlobTool } from '../../tools/glob/glob.js'
import { createGrepTool } from '../../tools/grep/grep.js'
import { notebookEditTool } from '../../tools/notebook-edit/notebook-edit.js'
import { readTool } from '../../tools/read/read.js'
import { createSendMessageTool } from '../../tools/send-message/send-message.js'
import { createSkillTool, type SkillPort } from '../../tools/skill/skill.js'
import { createTaskTool, type TaskToolPort } from '../../tools/task/task.js'
import { createTaskCreateTool } from '../../tools/task-list/task-create.js'
import { createTaskGetTool } from '../../tools/task-list/task-get.js'
import { createTaskListTool } from '../../tools/task-list/task-list.js'
import { createTaskListStore, type TaskGuards } from '../../tools/task-list/task-list-store.js'
import { createTaskUpdateTool } from '../../tools/task-list/task-update.js'
import { taskOutputTool } from '../../tools/task-output/task-output.js'
import { taskStopTool } from '../../tools/task-stop/task-stop.js'
import { createTeamCreateTool } from '../../tools/team-create/team-create.js'
import { createTeamDeleteTool } from '../../tools/team-delete/team-delete.js'
import { todoWriteTool } from '../../tools/todo-write/todo-write.js'
import type { Tool } from '../../tools/tool.js'
import { createToolSearchTool, type ToolSearchPort } from '../../tools/tool-search/tool-search.js'
import { writeTool } from '../../tools/write/write.js'
import type { Frozen, SessionLocation } from '../configuration.js'
import type { LiveSettings } from '../live-settings.js'
import type { ModelSetup } from '../model-setup.js'
import type { PlanMode } from '../permission/session-plan-mode.js'
import type { TeamCoordinator } from '../teams/team-coordinator.js'
import { createConfigToolSettings } from './config-tool-settings.js'
import { createWebTools } from './web-tools.js'

/** What decides which tools there are. */
export type ToolConfiguration = SessionLocation &
  Frozen<Pick<ToolSettings, 'tools' | 'taskList'> & Pick<PermissionSettings, 'unattended'>>

export type BuiltInToolPorts = {
  settings: ToolConfiguration
  live: LiveSettings
  platform: Platform
  permissions: Permissions
  model: ModelSetup
  plan: PlanMode
  agents: TaskToolPort
  search: ToolSearchPort
  skills: SkillPort
  taskGuards?: TaskGuards
  sandbox?: BashSandbox | undefined
  /** Where the session may lead a team. */
  teams?: TeamCoordinator | undefined
}

/** `missing`: names in the `tools` option that are no tool of this version. */
export function chooseBuiltInTools(ports: BuiltInToolPorts): { tools: Tool[]; missing: string[] } {
  const { settings, permissions } = ports
  const usual = defaultTools(ports)
  const known = settings.tools
    ? [...usual, ...toolsOnRequest(ports)]
    : usual.filter(({ name }) => !isForNobody(name, ports))
  const wanted = settings.tools ?? known.map(({ name }) => name)
  const chosen = known.filter(({ name }) => wanted.map(toCanonicalToolName).includes(name))
  const removed = permissions.removedTools(chosen.map(({ name }) => name))
  return {
    tools: dropMissingToolLines(chosen.filter(({ name }) => !removed.includes(name))),
    missing: wanted.filter((name) => !known.some((tool) => tool.name === toCanonicalToolName(name))),
  }
}

/** Questions where nobody is there to answer them. The plans of teammates are their lead's to approve. */
function isForNobody(name: string, { settings, plan, teams }: BuiltInToolPorts): boolean {
  if (!settings.unattended || plan.canBeApproved()) return false
  return name === 'AskUserQuestion' || name === 'EnterPlanMode' || (name === 'ExitPlanMode' && teams === undefined)
}

/** The tools of a session; names that mean none are told to people. */
export function chooseSessionTools(ports: BuiltInToolPorts, stderr: (text: string) => void): Tool[] {
  const { tools, missing } = chooseBuiltInTools(ports)
  if (missing.length > 0) stderr(`Warning: tools that this version of Kedge does not have: ${missing.join(', ')}\n`)
  return tools
}

/** As the original lists them. */
function defaultTools(ports: BuiltInToolPorts): Tool[] {
  const { settings, permissions, plan, agents, search, skills, sandbox, teams } = ports
  const web = createWebTools(ports)
  const searchPorts = { deniedInside: permissions.deniedInside }
  const tools: Tool[] = [
    createTaskTool(agents),
    taskOutputTool,
    createBashTool({
      isReadOnlyCommand: permissions.isReadOnlyCommand,
      judgedText: permissions.judgedText,
      prepare: permissions.prepare,
      background: areBackgroundTasksEnabled(settings.env),
      sandbox,
    }),
    createGlobTool(searchPorts),
    createGrepTool(searchPorts),
    createExitPlanModeTool(plan, teams?.plans),
    readTool,
    editTool,
    writeTool,
    notebookEditTool,
    web.fetch,
    todoWriteTool,
    // A cloud without tools of its own would refuse each search.
    ...(ports.model.endpoint().hasNoServerTools ? [] : [web.search]),
    taskStopTool,
    askUserQuestionTool,
    createSkillTool(skills),
    createEnterPlanModeTool(plan),
  ]
  // Newer clients ask for a task list in place of the to-do list.
  const taskList = settings.taskList ? taskListTools(ports) : []
  const kept = taskList.length > 0 ? tools.filter(({ name }) => name !== todoWriteTool.name) : tools
  return [...kept, ...taskList, ...teamTools(ports), createToolSearchTool(search)]
}

/** Only where the `tools` option names them. */
function toolsOnRequest(ports: BuiltInToolPorts): Tool[] {
  const config = createConfigTool(
    createConfigToolSettings({ ...ports, cwd: ports.settings.cwd, onModeChanged: ports.plan.onModeChanged }),
  )
  return [config, ...(ports.settings.taskList ? [todoWriteTool] : taskListTools(ports))]
}

function teamTools({ teams }: BuiltInToolPorts): Tool[] {
  return teams ? [createTeamCreateTool(teams), createTeamDeleteTool(teams), createSendMessageTool(teams)] : []
}

function taskListTools({ taskGuards, teams }: BuiltInToolPorts): Tool[] {
  const own = createTaskListStore()
  const stores = teams?.stores ?? (() => own)
  return [
    createTaskCreateTool(stores, taskGuards),
    createTaskGetTool(stores),
    createTaskUpdateTool(stores, taskGuards),
    createTaskListTool(stores),
  ]
}
