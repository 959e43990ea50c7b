/** Every tool's display. Written by scripts/emit-displays.mjs (`npm run schema`); not edited by hand. */
import { askUserQuestionDisplay } from './ask-user-question/display.js'
import { bashDisplay } from './bash/display.js'
import { configDisplay } from './config/display.js'
import { editDisplay } from './edit/display.js'
import { enterPlanModeDisplay } from './enter-plan-mode/display.js'
import { exitPlanModeDisplay } from './exit-plan-mode/display.js'
import { globDisplay } from './glob/display.js'
import { grepDisplay } from './grep/display.js'
import { listMcpResourcesDisplay, readMcpResourceDisplay } from './mcp-resources/display.js'
import { notebookEditDisplay } from './notebook-edit/display.js'
import { readDisplay } from './read/display.js'
import { sendMessageDisplay } from './send-message/display.js'
import { skillDisplay } from './skill/display.js'
import { structuredOutputDisplay } from './structured-output/display.js'
import { taskDisplay } from './task/display.js'
import { taskCreateDisplay, taskGetDisplay, taskListDisplay, taskUpdateDisplay } from './task-list/display.js'
import { taskOutputDisplay } from './task-output/display.js'
import { taskStopDisplay } from './task-stop/display.js'
import { teamCreateDisplay } from './team-create/display.js'
import { teamDeleteDisplay } from './team-delete/display.js'
import { todoWriteDisplay } from './todo-write/display.js'
import { toolSearchDisplay } from './tool-search/display.js'
import { webFetchDisplay } from './web-fetch/display.js'
import { webSearchDisplay } from './web-search/display.js'
import { writeDisplay } from './write/display.js'

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
