/** NotebookEdit: changes one cell of a Jupyter notebook; the rest of the file stays as it was. */
import { extname } from '../../platform/paths.js'
import {
  missingFileText,
  type ReadFileContent,
  readFileForTool,
  saveFileOfTool,
  whyOverwriteIsRefused,
} from '../files/file-access.js'
import { createEditFacts, noteDestination, toolPath, unambiguousPath, whyPathIsRefused } from '../files/file-paths.js'
import { previewChange } from '../files/preview-change.js'
import { BYTE_ORDER_MARK, decodeText, encodeText, withoutByteOrderMark } from '../files/text-encoding.js'
import { defineTool, type ToolContext } from '../tool.js'
import { type ChangedNotebook, changeNotebook } from './change-notebook.js'
import { type NotebookEditInput, type NotebookEditOutput, notebookEditInputSchema } from './notebook-edit-shapes.js'

const notebookEditPrompt = `Changes one cell of a Jupyter notebook (.ipynb); everything else stays as it is.

- The notebook must have been read with Read, and not have changed since.
- cell_id is the id that Read shows. Cells without one are called cell-0, cell-1 and so on, by their place.
- edit_mode: replace (the default) sets the source, and a code cell loses its outputs; insert adds a cell of cell_type behind cell_id, or at the top; delete removes the cell.`

type EditPlan = { file: ReadFileContent; before: string; change: ChangedNotebook; bytes: Uint8Array }

const ID_LENGTH = 8

export const notebookEditTool = defineTool<NotebookEditInput>({
  name: 'NotebookEdit',
  description: notebookEditPrompt,
  inputSchema: notebookEditInputSchema,
  isReadOnly: () => false,
  prepare: async (input, context) => ({ ...input, notebook_path: unambiguousPath(input.notebook_path, context) }),
  facts: (input, context) => createEditFacts(input, input.notebook_path, context),
  async check(input, context) {
    const unusable = whyPathIsRefused(input.notebook_path)
    if (unusable) return unusable
    await noteDestination(input, toolPath(input.notebook_path, context), context)
    const plan = await planEdit(input, context)
    return typeof plan === 'string' ? plan : undefined
  },
  async preview(input, context) {
    const plan = await planEdit(input, context)
    if (typeof plan === 'string') return undefined
    return previewChange(toolPath(input.notebook_path, context), plan.before, plan.change.text)
  },
  async execute(input, context) {
    const { notebook_path: path, new_source, edit_mode = 'replace' } = input
    // Planned again: between the check and now a human may have thought for an hour.
    const plan = await planEdit(input, context)
    if (typeof plan === 'string') return { ok: false, error: plan }
    const failed = await saveFileOfTool({ input, path }, plan.file, plan.bytes, context)
    if (failed) return { ok: false, error: failed }
    const { cellId, isCode, language, text } = plan.change
    const output: NotebookEditOutput = {
      new_source,
      cell_type: isCode ? 'code' : 'markdown',
      language,
      edit_mode,
      cell_id: cellId,
      error: '',
      notebook_path: toolPath(path, context),
      original_file: plan.before,
      updated_file: text,
    }
    return { ok: true, content: describe(edit_mode, cellId, new_source), output }
  },
})

/** What would be written, or the reason why nothing can be. */
async function planEdit(input: NotebookEditInput, context: ToolContext): Promise<EditPlan | string> {
  const unusable = whyPathIsRefused(input.notebook_path)
  if (unusable) return unusable
  if (extname(input.notebook_path) !== '.ipynb') {
    return 'The file is no Jupyter notebook: its name does not end in .ipynb. Use Edit for other files.'
  }
  const file = await readFileForTool({ input, path: input.notebook_path }, context)
  if (typeof file === 'string') return file
  if (!file) return missingFileText(toolPath(input.notebook_path, context), context)
  const refusal = await whyOverwriteIsRefused(file, context)
  if (refusal) return refusal
  const decoded = decodeText(file.bytes)
  if (!decoded) return "The file is not text and can't be edited."
  const before = withoutByteOrderMark(decoded.text)
  const change = changeNotebook(before, input, () => context.platform.identity.hex(ID_LENGTH))
  if (typeof change === 'string') return change
  const mark = decoded.text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  const bytes = encodeText(mark + change.text, decoded.encoding)
  if (!bytes) return 'The file is in Latin-1, which has no code for some character of new_source.'
  return { file, before, change, bytes }
}

function describe(mode: string, cellId: string, source: string): string {
  if (mode === 'delete') return `Deleted cell ${cellId}`
  return `${mode === 'insert' ? 'Inserted' : 'Updated'} cell ${cellId} with ${source}`
}
