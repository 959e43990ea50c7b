/** How people see a changed part of a file. */
import { isObject } from '../../protocol/json.js'
import { formatChangedLineCounts } from '../files/count-changes.js'
import { type DisplayedContent, defineDisplay, inputPath, inputText } from '../tool-display.js'

/** Longest file, in characters, shown in full. For a longer one, only the changed part is shown. */
const MAX_DIFF = 500_000

export const editDisplay = defineDisplay({
  name: 'Edit',
  aliases: ['MultiEdit'],
  kind: 'edit',
  body: 'change',
  opens: 'when-done',
  editedField: 'new_string',
  subject: (call) => inputPath(call, 'file_path'),
  title: (call) => `Edit ${inputPath(call, 'file_path') || 'a file'}`,
  question: (call) => `Edit ${inputPath(call, 'file_path') || 'a file'}?`,
  file: (call) => ({ path: inputText(call, 'file_path') }),
  planned({ input: { file_path: path, old_string: old, new_string: after } }) {
    if (typeof path !== 'string' || typeof old !== 'string' || typeof after !== 'string') return undefined
    return { type: 'diff', path, before: old === '' ? null : old, after }
  },
  changed,
  outcome: ({ output }) => formatChangedLineCounts(output),
})

function changed(output: unknown): DisplayedContent | undefined {
  if (!isObject(output)) return undefined
  const { filePath: path, originalFile: before, oldString: old, newString: added, replaceAll } = output
  if (typeof path !== 'string' || typeof old !== 'string' || typeof added !== 'string') return undefined
  if (typeof before !== 'string' || before.length > MAX_DIFF) return { type: 'diff', path, before: old, after: added }
  if (old === '') return { type: 'diff', path, before: before === '' ? null : before, after: added }
  const after = replaceAll === true ? before.split(old).join(added) : before.replace(old, () => added)
  return { type: 'diff', path, before, after }
}
