/** Write: puts a whole new content into a file, in the encoding and with the line ends the file had. */
import { Buffer } from '../../platform/bytes.js'
import { describeChangedLines } from '../files/changed-lines.js'
import {
  type ReadFileContent,
  readFileForTool,
  saveFileOfTool,
  whyNewFileIsRefused,
  whyOverwriteIsRefused,
} from '../files/file-access.js'
import { createEditFacts, noteDestination, toolPath, unambiguousPath, whyPathIsRefused } from '../files/file-paths.js'
import { previewChange } from '../files/preview-change.js'
import { structuredPatch } from '../files/structured-patch.js'
import {
  BYTE_ORDER_MARK,
  type DecodedText,
  decodeText,
  encodeText,
  withoutByteOrderMark,
  withPlainLineEnds,
} from '../files/text-encoding.js'
import type { InputSchema } from '../input-schema.js'
import { defineTool, type ToolContext } from '../tool.js'

/** What `Write` takes. */
export interface FileWriteInput {
  /** Path of the file to write. Relative paths start at the working directory. */
  file_path: string
  /** The whole new content of the file. */
  content: string
}

export const fileWriteInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    file_path: {
      description: 'Path of the file to write. Relative paths start at the working directory.',
      type: 'string',
    },
    content: { description: 'The whole new content of the file.', type: 'string' },
  },
  required: ['file_path', 'content'],
  additionalProperties: false,
} satisfies InputSchema<FileWriteInput>

/** What Write gives back to hosts. */
export interface FileWriteOutput {
  /** Was the file new, or did it replace another? */
  type: 'create' | 'update'
  /** As it was asked for. */
  filePath: string
  /** The content that was asked for. */
  content: string
  /** The change as hunks; empty for a new file. */
  structuredPatch: {
    /** The first line of the old text, from 1. */
    oldStart: number
    /** How many lines of the old text. */
    oldLines: number
    /** The first line of the new text, from 1. */
    newStart: number
    /** How many lines of the new text. */
    newLines: number
    /** The lines, each after a space, `-` or `+`. */
    lines: string[]
  }[]
  /** The content before; null for a new file. */
  originalFile: string | null
  /** The change as git sees it, when the file is in a repository and this was asked for. */
  gitDiff?: {
    /** The file. */
    filename: string
    /** Whether it is new. */
    status: 'modified' | 'added'
    /** Lines that came. */
    additions: number
    /** Lines that went. */
    deletions: number
    /** Both together. */
    changes: number
    /** The change as a diff. */
    patch: string
  }
}

const writePrompt = `Writes a whole file: creates it, with the folders it needs, or replaces its content.

- An existing file must have been read with Read, and not have changed since.
- To change part of a file, use Edit.
- Create files only when the task needs them, and documentation only when the user asks for it.`

export const writeTool = defineTool<FileWriteInput>({
  name: 'Write',
  description: writePrompt,
  inputSchema: fileWriteInputSchema,
  isReadOnly: () => false,
  prepare: async (input, context) => ({ ...input, file_path: unambiguousPath(input.file_path, context) }),
  facts: (input, context) => createEditFacts(input, input.file_path, context),
  async check(input, context) {
    const unusable = whyPathIsRefused(input.file_path)
    if (unusable) return unusable
    await noteDestination(input, toolPath(input.file_path, context), context)
    const target = await findTarget(input, context)
    return typeof target === 'string' ? target : undefined
  },
  async preview(input, context) {
    const target = await findTarget(input, context)
    if (typeof target === 'string') return undefined
    const before = target.file && plain(decodeText(target.file.bytes)?.text ?? '')
    return previewChange(toolPath(input.file_path, context), before ?? null, plain(input.content))
  },
  async execute(input, context) {
    const { file_path: filePath, content } = input
    // Looked at again: between the check and now a human may have thought for an hour.
    const target = await findTarget(input, context)
    if (typeof target === 'string') return { ok: false, error: target }
    const old = target.file
    const before = old && decodeText(old.bytes)
    const failed = await saveFileOfTool({ input, path: filePath }, old, encodeLike(content, before), context)
    if (failed) return { ok: false, error: failed }
    const patch = before ? await structuredPatch(plain(before.text), plain(content)) : []
    const output: FileWriteOutput = {
      type: old ? 'update' : 'create',
      filePath,
      content,
      structuredPatch: patch,
      originalFile: old ? (before?.text ?? '') : null,
    }
    const done = old
      ? `The file ${toolPath(filePath, context)} has been updated successfully. ${describeChangedLines(patch)}`.trimEnd()
      : `File created successfully at: ${toolPath(filePath, context)}`
    return { ok: true, content: done, output }
  },
})

/** The file to replace, if there is one, or the reason why this path can't be written. */
async function findTarget(input: FileWriteInput, context: ToolContext): Promise<{ file?: ReadFileContent } | string> {
  const unusable = whyPathIsRefused(input.file_path)
  if (unusable) return unusable
  const file = await readFileForTool({ input, path: input.file_path }, context)
  if (typeof file === 'string') return file
  const refusal = file
    ? await whyOverwriteIsRefused(file, context)
    : await whyNewFileIsRefused(toolPath(input.file_path, context), context)
  return refusal ?? { file }
}

function encodeLike(content: string, before: DecodedText | undefined): Uint8Array {
  if (!before) return Buffer.from(content, 'utf8')
  const ends = hasOnlyCrlf(before.text) ? withPlainLineEnds(content).replaceAll('\n', '\r\n') : content
  const marked = before.text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK + withoutByteOrderMark(ends) : ends
  return encodeText(marked, before.encoding) ?? Buffer.from(marked, 'utf8')
}

function hasOnlyCrlf(text: string): boolean {
  return text.includes('\r\n') && !/(?<!\r)\n/.test(text)
}

/** For showing the change, in which neither mark nor line ends take part. */
function plain(text: string): string {
  return withPlainLineEnds(withoutByteOrderMark(text))
}
