/** How people see a look at the output of a background task. */
import { defineDisplay, inputText } from '../tool-display.js'

export const taskOutputDisplay = defineDisplay({
  name: 'TaskOutput',
  aliases: ['BashOutput', 'AgentOutputTool'],
  kind: 'read',
  label: () => 'Output of task',
  subject: (call) => inputText(call, 'task_id') || inputText(call, 'bash_id'),
  question: () => 'Read the output of this background task?',
})
