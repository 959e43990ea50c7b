/** Shows a Jupyter notebook as its cells with their outputs. */
import type { ToolOutcome } from '../../engine/ports.js'
import { hashContent } from '../../platform/files/content-hash.js'
import { readWholeFile } from '../../platform/files/open-file.js'
import { formatSize, MAX_FILE_BYTES, type OpenedFile, rememberReadFile } from '../files/file-access.js'
import { decodeText, withoutByteOrderMark } from '../files/text-encoding.js'
import type { CallContext } from '../tool.js'
import { estimateTokens, readTokenLimit } from './limit-tokens.js'
import { parseNotebook, renderNotebook } from './notebook.js'
import type { FileReadInput, FileReadOutput } from './read-shapes.js'

/** Undefined when it isn't a notebook we can make sense of; then it is shown as the text it is. */
export async function readNotebookFile(
  { file, realPath }: OpenedFile,
  input: FileReadInput,
  context: CallContext,
): Promise<ToolOutcome | undefined> {
  const bytes = await readWholeFile(file, MAX_FILE_BYTES, context.signal)
  const text = bytes && decodeText(bytes)?.text
  const cells = text === undefined ? undefined : parseNotebook(withoutByteOrderMark(text))
  if (!bytes || !cells) return undefined
  const content = renderNotebook(cells)
  const tokens = content.reduce((sum, block) => sum + (block.type === 'text' ? estimateTokens(block.text) : 0), 0)
  if (tokens > readTokenLimit(context)) {
    const error = `The notebook (${formatSize(bytes.length)}, ${cells.length} cells) is more than the ${readTokenLimit(context)} tokens that can be read at once. Read single cells with jq in Bash ('.cells[0].source'), or search it with Grep.`
    return { ok: false, error }
  }
  rememberReadFile({ realPath, stat: file.stat, hash: await hashContent(bytes) }, false, context)
  const output: FileReadOutput = { type: 'notebook', file: { filePath: input.file_path, cells } }
  return { ok: true, content, output }
}
