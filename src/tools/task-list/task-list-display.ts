/** How people see the use of the task list. */
import { type DisplayedCall, defineDisplay, inputText } from '../tool-display.js'

const id = (call: DisplayedCall) => inputText(call, 'taskId') || inputText(call, 'id')

export const taskCreateDisplay = defineDisplay({
  name: 'TaskCreate',
  kind: 'think',
  shownAs: 'todo-list',
  label: () => 'Add task',
  subject: (call) => inputText(call, 'subject'),
})

export const taskGetDisplay = defineDisplay({
  name: 'TaskGet',
  kind: 'think',
  shownAs: 'todo-list',
  label: () => 'Show task',
  subject: id,
})

export const taskListDisplay = defineDisplay({
  name: 'TaskList',
  kind: 'think',
  shownAs: 'todo-list',
  label: () => 'Task list',
  subject: () => '',
})

export const taskUpdateDisplay = defineDisplay({
  name: 'TaskUpdate',
  kind: 'think',
  shownAs: 'todo-list',
  label: () => 'Update task',
  subject: id,
})
