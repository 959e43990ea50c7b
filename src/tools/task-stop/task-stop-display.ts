/** How people see the end of a background task. */
import { defineDisplay, inputText } from '../tool-display.js'

export const taskStopDisplay = defineDisplay({
  name: 'TaskStop',
  aliases: ['KillShell'],
  kind: 'execute',
  label: () => 'Stop task',
  subject: (call) => inputText(call, 'task_id') || inputText(call, 'shell_id'),
  question: () => 'Stop this background task?',
})
