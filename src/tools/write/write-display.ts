/** How people see a file that is written as a whole. */
import { formatChangedLineCounts } from '../files/count-changes.js'
import { defineDisplay, fieldOf, inputPath, inputText } from '../tool-display.js'

export const writeDisplay = defineDisplay({
  name: 'Write',
  kind: 'edit',
  body: 'change',
  opens: 'when-done',
  editedField: 'content',
  subject: (call) => inputPath(call, 'file_path'),
  title: (call) => `Write ${inputPath(call, 'file_path') || 'a file'}`,
  question: (call, preview) => {
    const verb = preview?.type === 'diff' ? (preview.oldText === null ? 'Create' : 'Replace') : 'Write'
    return `${verb} ${inputPath(call, 'file_path') || 'a file'}?`
  },
  file: (call) => ({ path: inputText(call, 'file_path') }),
  planned({ input: { file_path: path, content: after } }) {
    return typeof path === 'string' && typeof after === 'string'
      ? { type: 'diff', path, before: null, after }
      : undefined
  },
  changed(output) {
    const [path, before, after] = ['filePath', 'originalFile', 'content'].map((field) => fieldOf(output, field))
    if (typeof path !== 'string' || typeof after !== 'string') return undefined
    return { type: 'diff', path, before: typeof before === 'string' ? before : null, after }
  },
  outcome: ({ output }) => formatChangedLineCounts(output),
})
