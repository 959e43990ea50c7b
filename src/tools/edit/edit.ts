/** Edit: replaces exact text in a file; encoding, line ends and mode stay as they were. */
import { Buffer } from '../../platform/bytes.js'
import { describeChangedLines } from '../files/changed-lines.js'
import {
  missingFileText,
  type ReadFileContent,
  readFileForTool,
  saveFileOfTool,
  whyNewFileIsRefused,
  whyOverwriteIsRefused,
} from '../files/file-access.js'
import { createEditFacts, noteDestination, toolPath, unambiguousPath, whyPathIsRefused } from '../files/file-paths.js'
import { previewChange } from '../files/preview-change.js'
import { structuredPatch } from '../files/structured-patch.js'
import { decodeText, encodeText, withPlainLineEnds } from '../files/text-encoding.js'
import { defineTool, type ToolContext } from '../tool.js'
import { type FileEditInput, type FileEditOutput, fileEditInputSchema } from './edit-shapes.js'
import { NO_CHANGES_TEXT, type ReplacementRequest, replaceText, STRING_NOT_FOUND_TEXT } from './replace-text.js'

const editPrompt = `Replaces text in a file: old_string becomes new_string.

- The file must have been read with Read, and not have changed since.
- old_string is the text exactly as in the file, with its indentation, but without the line numbers and arrows that Read shows.
- It must occur exactly once: add surrounding lines, or set replace_all to change every occurrence.
- An empty old_string creates a new file with new_string as its content.
- Prefer changing an existing file to creating one.`

type EditPlan = { file?: ReadFileContent; bytes: Uint8Array; before: string; after: string }

export const editTool = defineTool<FileEditInput>({
  name: 'Edit',
  description: editPrompt,
  inputSchema: fileEditInputSchema,
  isReadOnly: () => false,
  prepare: async (input, context) => ({ ...input, file_path: unambiguousPath(input.file_path, context) }),
  facts: (input, context) => createEditFacts(input, input.file_path, context),
  async check(input, context) {
    const unusable = whyPathIsRefused(input.file_path)
    if (unusable) return unusable
    await noteDestination(input, toolPath(input.file_path, context), context)
    const plan = await planEdit(input, context)
    return typeof plan === 'string' ? plan : undefined
  },
  async preview(input, context) {
    const plan = await planEdit(input, context)
    if (typeof plan === 'string') return undefined
    return previewChange(toolPath(input.file_path, context), plan.file ? plan.before : null, plan.after)
  },
  async execute(input, context) {
    const { file_path: filePath, old_string: oldString, new_string: newString, replace_all: replaceAll = false } = input
    // Planned again: between the check and now a human may have thought for an hour.
    const plan = await planEdit(input, context)
    if (typeof plan === 'string') return { ok: false, error: plan }
    const failed = await saveFileOfTool({ input, path: filePath }, plan.file, plan.bytes, context)
    if (failed) return { ok: false, error: failed }
    const patch = await structuredPatch(plan.before, plan.after)
    const output: FileEditOutput = {
      filePath,
      oldString,
      newString,
      originalFile: plan.before,
      structuredPatch: patch,
      userModified: false,
      replaceAll,
    }
    const path = toolPath(filePath, context)
    const done = replaceAll
      ? `The file ${path} has been updated. All occurrences of '${oldString}' were successfully replaced with '${newString}'.`
      : `The file ${path} has been updated successfully.`
    return { ok: true, content: plan.file ? `${done} ${describeChangedLines(patch)}`.trimEnd() : done, output }
  },
})

/** What would be written, or the reason why nothing can be. */
async function planEdit(input: FileEditInput, context: ToolContext): Promise<EditPlan | string> {
  const { file_path, old_string: oldString, new_string: newString, replace_all: replaceAll = false } = input
  const unusable = whyPathIsRefused(file_path)
  if (unusable) return unusable
  if (oldString === newString) return NO_CHANGES_TEXT
  const file = await readFileForTool({ input, path: file_path }, context)
  if (typeof file === 'string') return file
  if (!file) return planNewFile(toolPath(file_path, context), oldString, newString, context)
  const refusal = await whyOverwriteIsRefused(file, context)
  if (refusal) return refusal
  const decoded = decodeText(file.bytes)
  if (!decoded) return "The file is not text and can't be edited."
  const wanted = await inOwnForm(decoded.text, { oldString, newString, replaceAll })
  if (typeof wanted === 'string') return wanted
  const change = replaceText(decoded.text, wanted)
  if (typeof change === 'string')
    return change.startsWith(STRING_NOT_FOUND_TEXT) ? withNearest(change, decoded.text, oldString) : change
  const bytes = encodeText(change.text, decoded.encoding)
  if (!bytes) return 'The file is in Latin-1, which has no code for some character of new_string.'
  return { file, bytes, before: change.before, after: change.after }
}

/** Loaded late, for texts with tags that Read shows in another form. */
async function inOwnForm(text: string, wanted: ReplacementRequest): Promise<ReplacementRequest | string> {
  if (!wanted.oldString.includes('&lt;')) return wanted
  const { restoreTagsInReplacement } = await import('./restore-tags.js')
  return restoreTagsInReplacement(text, wanted)
}

/** Loaded when a text is not found: start-up does not pay for it. */
async function withNearest(message: string, text: string, oldString: string): Promise<string> {
  const { explainMissingOldString } = await import('./explain-missing-old-string.js')
  const why = explainMissingOldString(withPlainLineEnds(text), withPlainLineEnds(oldString))
  return why === '' ? message : `${message}\n${why}`
}

async function planNewFile(
  path: string,
  oldString: string,
  newString: string,
  context: ToolContext,
): Promise<EditPlan | string> {
  if (oldString !== '') return missingFileText(path, context)
  const refusal = await whyNewFileIsRefused(path, context)
  return refusal ?? { bytes: Buffer.from(newString, 'utf8'), before: '', after: newString }
}
