/** How people see a sub-agent's task. */
import { defineDisplay, inputText, showPlannedFieldAsChange } from '../tool-display.js'

export const taskDisplay = defineDisplay({
  name: 'Task',
  aliases: ['Agent'],
  kind: 'think',
  body: 'agent',
  opens: 'while-running',
  editedField: 'prompt',
  label: (call) => `Agent ${inputText(call, 'name') || inputText(call, 'subagent_type')}`.trim(),
  subject: (call) => inputText(call, 'description'),
  title: (call) => inputText(call, 'description') || 'Task of a sub-agent',
  question: (call) => `Start the agent ${inputText(call, 'subagent_type')}`.trim().concat('?'),
  planned: (call) => showPlannedFieldAsChange(call, 'prompt'),
})
