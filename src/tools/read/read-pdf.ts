/** Shows a PDF file, or some of its pages, as a document the model reads with its layout and images. */

import type { ToolOutcome } from '../../engine/ports.js'
import { Buffer } from '../../platform/bytes.js'
import { type ExtractedPdfPages, extractPdfPages } from '../../platform/documents/pdf-pages.js'
import { hashContent } from '../../platform/files/content-hash.js'
import { readWholeFile } from '../../platform/files/open-file.js'
import { formatSize, type OpenedFile, rememberReadFile } from '../files/file-access.js'
import type { CallContext } from '../tool.js'
import { MAX_PAGES, type PageRange, parsePages } from './page-range.js'
import type { FileReadInput, FileReadOutput } from './read-shapes.js'

/** Up to this many pages come without being asked for. */
const MAX_WHOLE_PAGES = 10
/** A request may have 32 MB; base64 adds a third, and the rest of the conversation needs room too. */
const MAX_DOCUMENT_BYTES = 20 * 1024 * 1024
/** A larger file can't be taken apart here. */
const MAX_PDF_BYTES = 100 * 1024 * 1024

export async function readPdf(
  { file, realPath }: OpenedFile,
  input: FileReadInput,
  context: CallContext,
): Promise<ToolOutcome> {
  const { file_path: filePath } = input
  const pages = input.pages === undefined ? undefined : parsePages(input.pages)
  if (typeof pages === 'string') return failure(pages)
  const content = await readWholeFile(file, MAX_PDF_BYTES, context.signal)
  if (!content) {
    return failure(
      `The PDF file is too large: ${formatSize(file.stat.size)}, at most ${formatSize(MAX_PDF_BYTES)}. Split it into smaller files first.`,
    )
  }
  const originalSize = content.length
  const hash = await hashContent(content)
  const answer = await extractPdfPages({ bytes: content, pages, maxWholePages: MAX_WHOLE_PAGES }, context.signal)
  if (!answer.ok) return failure(explain(answer, filePath))
  const { pageCount, bytes } = answer
  if (!bytes) return failure(pages ? pastTheEnd(pages, pageCount) : tooManyPages(pageCount))
  if (bytes.length > MAX_DOCUMENT_BYTES) return failure(tooLarge(bytes.length, pages))

  rememberReadFile({ realPath, stat: file.stat, hash }, pages !== undefined, context)
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  const output: FileReadOutput = { type: 'pdf', file: { filePath, base64, originalSize } }
  const text = pages
    ? `PDF file read: ${filePath}, ${describe(pages, pageCount)}`
    : `PDF file read: ${filePath} (${formatSize(originalSize)})`
  return {
    ok: true,
    content: [
      { type: 'text', text },
      { type: 'document', source: { type: 'base64', data: base64, media_type: 'application/pdf' } },
    ],
    output,
  }
}

function explain(answer: Extract<ExtractedPdfPages, { ok: false }>, path: string): string {
  if (answer.reason === 'encrypted') {
    return `The PDF file is encrypted and can't be read: ${path}. Read a copy without encryption, for example made with \`qpdf --decrypt\`.`
  }
  if (answer.reason === 'unavailable') return `PDF files can't be read: ${answer.detail}. Install kedge again.`
  return `The PDF file is damaged and can't be read: ${path} (${answer.detail}).`
}

function tooManyPages(pageCount: number): string {
  return `The PDF file has ${pageCount} pages, too many to be read at once. Give the pages you need, such as pages: "1-${MAX_WHOLE_PAGES}", at most ${MAX_PAGES} at a time.`
}

function pastTheEnd({ first }: PageRange, pageCount: number): string {
  return `Page ${first} is past the end: the PDF file has ${pageCount} page${pageCount === 1 ? '' : 's'}.`
}

function tooLarge(size: number, pages: PageRange | undefined): string {
  const what = pages ? 'The requested pages are' : 'The PDF file is'
  return `${what} too large to be read at once: ${formatSize(size)}, at most ${formatSize(MAX_DOCUMENT_BYTES)}. Give fewer pages, such as pages: "${pages?.first ?? 1}".`
}

function describe({ first, last }: PageRange, pageCount: number): string {
  const end = Math.min(last, pageCount)
  return first === end ? `page ${first} of ${pageCount}` : `pages ${first}-${end} of ${pageCount}`
}

function failure(error: string): ToolOutcome {
  return { ok: false, error }
}
