/** How people see a command. */
import { defineDisplay, inputText, showPlannedFieldAsChange } from '../tool-display.js'

export const bashDisplay = defineDisplay({
  name: 'Bash',
  kind: 'execute',
  body: 'command',
  opens: 'while-running',
  editedField: 'command',
  subject: (call) => inputText(call, 'command'),
  title: (call) => inputText(call, 'command') || 'Run a command',
  question: () => 'Run this command?',
  planned: (call) => showPlannedFieldAsChange(call, 'description'),
})
