/** Write: puts a whole new content into a file, in the encoding and with the line ends the file had. */
import { type FoundFile, findFile, refuseNewFile, refuseOverwrite, saveFile } from '../files/file-access.js'
import { absolutePath, editFacts, noteDestination, refusePath } from '../files/file-paths.js'
import { structuredPatch } from '../files/structured-patch.js'
import {
  BYTE_ORDER_MARK,
  type DecodedText,
  decodeText,
  encodeText,
  withoutMark,
  withPlainLineEnds,
} from '../files/text-encoding.js'
import { defineTool, type ToolContext } from '../tool.js'
import { type FileWriteInput, fileWriteInputSchema } from './input.js'
import type { FileWriteOutput } from './output.js'
import { writePrompt } from './prompt.js'

export const writeTool = defineTool<FileWriteInput>({
  name: 'Write',
  description: writePrompt,
  inputSchema: fileWriteInputSchema,
  isReadOnly: () => false,
  facts: (input, context) => editFacts(input, input.file_path, context),
  async check(input, context) {
    const unusable = refusePath(input.file_path)
    if (unusable) return unusable
    await noteDestination(input, absolutePath(input.file_path, context), context)
    const target = await findTarget(input, context)
    return typeof target === 'string' ? target : undefined
  },
  async execute(input, context) {
    const { file_path: filePath, content } = input
    // Looked at again: between the check and now a human may have thought for an hour.
    const target = await findTarget(input, context)
    if (typeof target === 'string') return { ok: false, error: target }
    const old = target.file
    const before = old && decodeText(old.bytes)
    const failed = await saveFile({ input, path: filePath }, old, encodeLike(content, before), context)
    if (failed) return { ok: false, error: failed }
    const output: FileWriteOutput = {
      type: old ? 'update' : 'create',
      filePath,
      content,
      structuredPatch: before ? await structuredPatch(plain(before.text), plain(content)) : [],
      originalFile: old ? (before?.text ?? '') : null,
    }
    const done = old
      ? `The file ${filePath} has been updated successfully.`
      : `File created successfully at: ${filePath}`
    return { ok: true, content: done, output }
  },
})

/** The file to replace, if there is one, or the reason why this path can't be written. */
async function findTarget(input: FileWriteInput, context: ToolContext): Promise<{ file?: FoundFile } | string> {
  const unusable = refusePath(input.file_path)
  if (unusable) return unusable
  const file = await findFile({ input, path: input.file_path }, context)
  if (typeof file === 'string') return file
  const refusal = file
    ? await refuseOverwrite(file, context)
    : await refuseNewFile(absolutePath(input.file_path, context), context)
  return refusal ?? { file }
}

function encodeLike(content: string, before: DecodedText | undefined): Uint8Array {
  if (!before) return Buffer.from(content, 'utf8')
  const ends = hasOnlyCrlf(before.text) ? withPlainLineEnds(content).replaceAll('\n', '\r\n') : content
  const marked = before.text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK + withoutMark(ends) : ends
  return encodeText(marked, before.encoding) ?? Buffer.from(marked, 'utf8')
}

function hasOnlyCrlf(text: string): boolean {
  return text.includes('\r\n') && !/(?<!\r)\n/.test(text)
}

/** For showing the change, in which neither mark nor line ends take part. */
function plain(text: string): string {
  return withPlainLineEnds(withoutMark(text))
}
