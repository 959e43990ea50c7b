/** Read: shows the model a text file, an image or a notebook, and remembers what was seen. */
import type { ToolOutcome } from '../../engine/ports.js'
import { extname } from '../../platform/paths.js'
import {
  absolutePath,
  type FoundFile,
  findFile,
  formatSize,
  missingFile,
  refusePath,
  rememberFile,
} from '../files/file-access.js'
import { decodeText, withoutMark, withPlainLineEnds } from '../files/text-encoding.js'
import { type CallContext, defineTool } from '../tool.js'
import { binaryKind, isPdf } from './binary-kind.js'
import { type ImageType, imageSize, imageType } from './image.js'
import { type FileReadInput, fileReadInputSchema } from './input.js'
import { readNotebook, renderNotebook } from './notebook.js'
import type { FileReadOutput } from './output.js'
import { readPrompt } from './prompt.js'
import { refuseSize, renderLines, selectLines } from './render-text.js'

/** What the API takes: 5 MB of base64, 8000 pixels. A larger image would fail every later request of the session. */
const MAX_IMAGE_BYTES = (5 * 1024 * 1024 * 3) / 4
const MAX_IMAGE_PIXELS = 8000

export const readTool = defineTool<FileReadInput>({
  name: 'Read',
  description: readPrompt,
  inputSchema: fileReadInputSchema,
  isReadOnly: () => true,
  facts: (input, context) => ({ kind: 'read', paths: [absolutePath(input.file_path, context)] }),
  check: async (input) => refusePath(input.file_path),
  async execute(input, context) {
    const file = await findFile(absolutePath(input.file_path, context), context)
    if (file === undefined) return failure(missingFile(context))
    if (typeof file === 'string') return failure(file)
    const type = imageType(file.bytes)
    if (type) return readImage(file, type, context)
    if (isPdf(file.bytes)) return failure(`Reading PDF files is not supported yet: ${input.file_path}`)
    return readText(file, input, context)
  },
})

function readImage(file: FoundFile, type: ImageType, context: CallContext): ToolOutcome {
  const { bytes } = file
  if (bytes.length > MAX_IMAGE_BYTES) {
    return failure(`The image is too large: ${formatSize(bytes.length)}, at most ${formatSize(MAX_IMAGE_BYTES)}.`)
  }
  const size = imageSize(bytes, type)
  if (!size) return failure(`The file begins like an image (${type}), but is damaged.`)
  const { width, height } = size
  if (Math.max(width, height) > MAX_IMAGE_PIXELS) {
    return failure(`The image is too large: ${width}×${height} pixels, at most ${MAX_IMAGE_PIXELS} in each direction.`)
  }
  rememberFile(file, false, context)
  const base64 = Buffer.from(bytes).toString('base64')
  const dimensions = { originalWidth: width, originalHeight: height, displayWidth: width, displayHeight: height }
  const output: FileReadOutput = { type: 'image', file: { base64, type, originalSize: bytes.length, dimensions } }
  return {
    ok: true,
    content: [{ type: 'image', source: { type: 'base64', data: base64, media_type: type } }],
    output,
  }
}

function readText(file: FoundFile, input: FileReadInput, context: CallContext): ToolOutcome {
  const decoded = decodeText(file.bytes)
  if (!decoded) {
    return failure(`Can't show ${input.file_path} as text: it is a ${binaryKind(file.bytes, file.realPath)}.`)
  }
  const text = withPlainLineEnds(withoutMark(decoded.text))
  const notebook = extname(file.realPath) === '.ipynb' ? readNotebook(text) : undefined
  if (notebook) {
    rememberFile(file, false, context)
    const output: FileReadOutput = { type: 'notebook', file: { filePath: input.file_path, cells: notebook } }
    return { ok: true, content: renderNotebook(notebook), output }
  }
  const range = selectLines(text, input)
  const tooLarge = refuseSize(range)
  if (tooLarge) return failure(tooLarge)
  const { lines, startLine, totalLines } = range
  rememberFile(file, lines.length < totalLines, context)
  const output: FileReadOutput = {
    type: 'text',
    file: {
      filePath: input.file_path,
      content: lines.join('\n'),
      numLines: lines.length,
      startLine,
      totalLines,
    },
  }
  return { ok: true, content: renderLines(range), output }
}

function failure(error: string): ToolOutcome {
  return { ok: false, error }
}
