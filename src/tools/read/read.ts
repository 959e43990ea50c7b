/** Read: shows the model a text file, an image, a PDF file or a notebook, and remembers what was seen. */
import type { ToolOutcome } from '../../engine/ports.js'
import { loadImageScaler } from '../../platform/documents/image-scaler.js'
import { systemErrorCode } from '../../platform/files/file-stat.js'
import type { OpenFile } from '../../platform/files/files.js'
import { extname } from '../../platform/paths.js'
import { raceWithAbort } from '../../platform/until-aborted.js'
import { missingFileText, openFileForTool } from '../files/file-access.js'
import { createReadFacts, noteDestination, toolPath, unambiguousPath, whyPathIsRefused } from '../files/file-paths.js'
import { type CallContext, defineTool, type Tool } from '../tool.js'
import { isPdf } from './binary-kind.js'
import { imageType } from './image.js'
import { parsePages } from './page-range.js'
import { type LoadScaler, readImage } from './read-image.js'
import { readNotebookFile } from './read-notebook.js'
import { readPdf } from './read-pdf.js'
import { type FileReadInput, fileReadInputSchema } from './read-shapes.js'
import { readTextForModel } from './read-text.js'

export const READ_TOOL_DESCRIPTION = `Reads a file.

- A relative path starts at the working directory, which is where the last shell command left it.
- Text comes with line numbers: the number, an arrow (→), the line. Number and arrow are not part of the file.
- The whole file is returned, unless it is too long to read in one go; then use offset (the first line) and limit (how many). Lines over 2000 characters are cut.
- Images (PNG, JPEG, GIF, WebP) are shown as images, notebooks (.ipynb) as cells with their outputs, PDF files page by page. A PDF of more than 10 pages needs pages, such as "1-5", at most 20 at a time.
- A folder can't be read; list it with Glob.
- A file must be read before Edit or Write can change it.
- Several files can be read at once, with several calls in one message.`

export type ReadToolPorts = {
  /** Images the API would refuse are scaled down with this, if it can be loaded. */
  loadScaler: LoadScaler
}

const INTERRUPTED: ToolOutcome = { ok: false, error: 'Interrupted while the file was being read.' }
/** Enough to tell images and PDF files from everything else. */
const SIGNATURE_BYTES = 1024

export function createReadTool(ports: ReadToolPorts): Tool<FileReadInput> {
  return defineTool<FileReadInput>({
    name: 'Read',
    description: READ_TOOL_DESCRIPTION,
    inputSchema: fileReadInputSchema,
    isReadOnly: () => true,
    prepare: async (input, context) => ({ ...input, file_path: unambiguousPath(input.file_path, context) }),
    facts: (input, context) => createReadFacts(input, toolPath(input.file_path, context), context),
    async check(input, context) {
      const unusable = whyPathIsRefused(input.file_path) ?? refusePages(input)
      if (!unusable) await noteDestination(input, toolPath(input.file_path, context), context)
      return unusable
    },
    execute: (input, context) =>
      raceWithAbort(
        context.signal,
        () => INTERRUPTED,
        () => readAnyFile(input, ports, context),
      ),
  })
}

export const readTool = createReadTool({ loadScaler: loadImageScaler })

async function readAnyFile(
  input: FileReadInput,
  { loadScaler }: ReadToolPorts,
  context: CallContext,
): Promise<ToolOutcome> {
  const opened = await openFileForTool({ input, path: input.file_path }, context)
  if (opened === undefined) {
    return { ok: false, error: await missingFileText(toolPath(input.file_path, context), context) }
  }
  if (typeof opened === 'string') return { ok: false, error: opened }
  try {
    const head = await readHead(opened.file)
    const type = imageType(head)
    if (type) return await readImage(opened, type, loadScaler, context)
    if (isPdf(head, opened.realPath)) return await readPdf(opened, input, context)
    const notebook = extname(opened.realPath) === '.ipynb' ? await readNotebookFile(opened, input, context) : undefined
    return notebook ?? (await readTextForModel(opened, input, context))
  } catch (error) {
    if (context.signal.aborted) return INTERRUPTED
    if (error instanceof Error && systemErrorCode(error) !== undefined) return { ok: false, error: error.message }
    throw error
  } finally {
    await opened.file.close()
  }
}

async function readHead(file: OpenFile): Promise<Uint8Array> {
  const head = new Uint8Array(SIGNATURE_BYTES)
  return head.subarray(0, await file.read(head, 0))
}

function refusePages({ pages }: FileReadInput): string | undefined {
  const range = pages === undefined ? undefined : parsePages(pages)
  return typeof range === 'string' ? range : undefined
}
