/** How people see a changed cell of a notebook. */
import { defineDisplay, inputPath, inputText } from '../tool-display.js'

export const notebookEditDisplay = defineDisplay({
  name: 'NotebookEdit',
  kind: 'edit',
  editedField: 'new_source',
  label: () => 'Edit',
  subject: (call) => inputPath(call, 'notebook_path'),
  title: (call) => `Edit ${inputPath(call, 'notebook_path') || 'a notebook'}`,
  question: (call) => `Edit ${inputPath(call, 'notebook_path') || 'a notebook'}?`,
  file: (call) => ({ path: inputText(call, 'notebook_path') }),
})
