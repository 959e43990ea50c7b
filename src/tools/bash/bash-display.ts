/** How people see a command. */
import { defineDisplay, displayPlannedField, inputText } from '../tool-display.js'

export const bashDisplay = defineDisplay({
  name: 'Bash',
  kind: 'execute',
  body: 'command',
  opens: 'while-running',
  editedField: 'command',
  subject: (call) => inputText(call, 'command'),
  title: (call) => inputText(call, 'command') || 'Run a command',
  question: () => 'Run this command?',
  planned: (call) => displayPlannedField(call, 'description'),
})
