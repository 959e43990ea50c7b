/** Read: shows the model a text file, an image, a PDF file or a notebook, and remembers what was seen. */
import type { ToolOutcome } from '../../engine/ports.js'
import { loadImageScaler } from '../../platform/documents/image-scaler.js'
import { codeOf } from '../../platform/files/file-stat.js'
import type { OpenFile } from '../../platform/files/files.js'
import { extname } from '../../platform/paths.js'
import { missingFile, openFile } from '../files/file-access.js'
import { absolutePath, namedPath, noteDestination, readFacts, refusePath } from '../files/file-paths.js'
import { untilAborted } from '../files/until-aborted.js'
import { type CallContext, defineTool, type Tool } from '../tool.js'
import { isPdf } from './binary-kind.js'
import { imageType } from './image.js'
import { parsePages } from './page-range.js'
import { type LoadScaler, readImage } from './read-image.js'
import { readNotebookFile } from './read-notebook.js'
import { readPdf } from './read-pdf.js'
import { type FileReadInput, fileReadInputSchema } from './read-shapes.js'
import { readText } from './read-text.js'

export const readPrompt = `Reads one file and returns its content.

- Prefer absolute paths. A relative path starts at the working directory.
- Text comes back with line numbers: each line is its number, an arrow (→) and then the text itself. The number and the arrow are not part of the file; leave them out when you quote the file for Edit.
- The whole file is returned unless it is too long to be taken in at once; then give offset (the first line wanted) and limit (how many). Files of any size can be read that way. Lines longer than 2000 characters are cut.
- PNG, JPEG, GIF and WebP images are shown to you as images.
- PDF files are shown to you page by page, with their layout. One of more than 10 pages needs pages, such as "1-5"; at most 20 pages come at a time.
- Jupyter notebooks (.ipynb) come back as cells together with their outputs.
- Folders can't be read with this tool; list them with Bash or search them with Glob.
- A file must be read before Write or Edit may change it.
- Reading several files that may matter in one go, with several calls at once, saves time.`

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
    description: readPrompt,
    inputSchema: fileReadInputSchema,
    isReadOnly: () => true,
    prepare: async (input, context) => ({ ...input, file_path: namedPath(input.file_path, context) }),
    facts: (input, context) => readFacts(input, absolutePath(input.file_path, context), context),
    async check(input, context) {
      const unusable = refusePath(input.file_path) ?? refusePages(input)
      if (!unusable) await noteDestination(input, absolutePath(input.file_path, context), context)
      return unusable
    },
    execute: (input, context) => untilAborted(context.signal, INTERRUPTED, () => readAnyFile(input, ports, context)),
  })
}

export const readTool = createReadTool({ loadScaler: loadImageScaler })

async function readAnyFile(
  input: FileReadInput,
  { loadScaler }: ReadToolPorts,
  context: CallContext,
): Promise<ToolOutcome> {
  const opened = await openFile({ input, path: input.file_path }, context)
  if (opened === undefined) {
    return { ok: false, error: await missingFile(absolutePath(input.file_path, context), context) }
  }
  if (typeof opened === 'string') return { ok: false, error: opened }
  try {
    const head = await readHead(opened.file)
    const type = imageType(head)
    if (type) return await readImage(opened, type, loadScaler, context)
    if (isPdf(head, opened.realPath)) return await readPdf(opened, input, context)
    const notebook = extname(opened.realPath) === '.ipynb' ? await readNotebookFile(opened, input, context) : undefined
    return notebook ?? (await readText(opened, input, context))
  } catch (error) {
    if (context.signal.aborted) return INTERRUPTED
    if (error instanceof Error && codeOf(error) !== undefined) return { ok: false, error: error.message }
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
