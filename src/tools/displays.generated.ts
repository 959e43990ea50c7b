/** Every tool's display. Written by scripts/emit-displays.mjs (`npm run schema`); not edited by hand. */
import { askUserQuestionDisplay } from './ask-user-question/ask-user-question-display.js'
import { bashDisplay } from './bash/bash-display.js'
import { configDisplay } from './config/config-display.js'
import { editDisplay } from './edit/edit-display.js'
import { enterPlanModeDisplay } from './enter-plan-mode/enter-plan-mode-display.js'
import { exitPlanModeDisplay } from './exit-plan-mode/exit-plan-mode-display.js'
import { globDisplay } from './glob/glob-display.js'
import { grepDisplay } from './grep/grep-display.js'
import { listMcpResourcesDisplay, readMcpResourceDisplay } from './mcp-resources/mcp-resources-display.js'
import { notebookEditDisplay } from './notebook-edit/notebook-edit-display.js'
import { readDisplay } from './read/read-display.js'
import { sendMessageDisplay } from './send-message/send-message-display.js'
import { skillDisplay } from './skill/skill-display.js'
import { structuredOutputDisplay } from './structured-output/structured-output-display.js'
import { taskDisplay } from './task/task-display.js'
import { taskCreateDisplay, taskGetDisplay, taskListDisplay, taskUpdateDisplay } from './task-list/task-list-display.js'
import { taskOutputDisplay } from './task-output/task-output-display.js'
import { taskStopDisplay } from './task-stop/task-stop-display.js'
import { teamCreateDisplay } from './team-create/team-create-display.js'
import { teamDeleteDisplay } from './team-delete/team-delete-display.js'
import { todoWriteDisplay } from './todo-write/todo-write-display.js'
import { toolSearchDisplay } from './tool-search/tool-search-display.js'
import { webFetchDisplay } from './web-fetch/web-fetch-display.js'
import { webSearchDisplay } from './web-search/web-search-display.js'
import { writeDisplay } from './write/write-display.js'

export const TOOL_DISPLAYS = [
  askUserQuestionDisplay,
  bashDisplay,
  configDisplay,
  editDisplay,
  enterPlanModeDisplay,
  exitPlanModeDisplay,
  globDisplay,
  grepDisplay,
  listMcpResourcesDisplay,
  readMcpResourceDisplay,
  notebookEditDisplay,
  readDisplay,
  sendMessageDisplay,
  skillDisplay,
  structuredOutputDisplay,
  taskDisplay,
  taskCreateDisplay,
  taskGetDisplay,
  taskListDisplay,
  taskUpdateDisplay,
  taskOutputDisplay,
  taskStopDisplay,
  teamCreateDisplay,
  teamDeleteDisplay,
  todoWriteDisplay,
  toolSearchDisplay,
  webFetchDisplay,
  webSearchDisplay,
  writeDisplay,
] as const
