/** The thread that takes pages out of PDF files: what a hostile file does to it ends with it. See pdf-pages.ts. */
import { parentPort, workerData } from 'node:worker_threads'
import {
  decodePDFRawStream,
  EncryptedPDFError,
  PDFArray,
  PDFContext,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFPage,
  PDFRawStream,
} from '@cantoo/pdf-lib'
import type { ExtractedPdfPages, PdfPageRequest } from '../documents/pdf-pages.js'

/** A few kilobytes can decode to gigabytes. Only lists of objects are decoded here, never images. */
const MAX_DECODED_BYTES = 64 * 1024 * 1024

async function answer({ bytes, pages, maxWholePages }: PdfPageRequest): Promise<ExtractedPdfPages> {
  limitDecoding()
  try {
    const document = await PDFDocument.load(bytes, { updateMetadata: false, parseSpeed: Number.POSITIVE_INFINITY })
    const pageCount = document.getPageCount()
    if (pageCount === 0) return { ok: false, reason: 'damaged', detail: 'it has no pages' }
    if (!pages) return { ok: true, pageCount, bytes: pageCount <= maxWholePages ? bytes : undefined }
    if (pages.first > pageCount) return { ok: true, pageCount, bytes: undefined }
    return { ok: true, pageCount, bytes: await takeOut(document, pages.first, Math.min(pages.last, pageCount)) }
  } catch (error) {
    if (error instanceof EncryptedPDFError) return { ok: false, reason: 'encrypted', detail: '' }
    // The library stumbles over what it does not expect; its own words about that help nobody.
    return { ok: false, reason: 'damaged', detail: 'its parts do not fit together' }
  }
}

async function takeOut(document: PDFDocument, first: number, last: number): Promise<Uint8Array> {
  const wanted = Array.from({ length: last - first + 1 }, (_, i) => first - 1 + i)
  for (const index of wanted) cutLinks(document.getPage(index))
  const part = await PDFDocument.create({ updateMetadata: false })
  for (const page of await part.copyPages(document, wanted)) part.addPage(page)
  return part.save({ useObjectStreams: false, addDefaultPage: false, objectsPerTick: Number.POSITIVE_INFINITY })
}

/** A page copies all it refers to. Links, threads and form fields refer to other pages, and so to the whole document. */
function cutLinks({ node }: PDFPage): void {
  for (const key of ['B', 'AA', 'StructParents', 'PieceInfo']) node.delete(PDFName.of(key))
  const annotations = node.lookup(PDFName.of('Annots'))
  if (!(annotations instanceof PDFArray)) return
  for (let i = annotations.size() - 1; i >= 0; i -= 1) {
    const annotation = annotations.lookup(i)
    if (!(annotation instanceof PDFDict) || annotation.lookup(PDFName.of('Subtype')) === PDFName.of('Link')) {
      annotations.remove(i)
      continue
    }
    for (const key of ['P', 'Parent', 'Popup', 'IRT', 'A', 'AA', 'Dest']) annotation.delete(PDFName.of(key))
  }
}

/** The library has no such limit, so its decoder gets one: all of its kinds ask one method for room. */
function limitDecoding(): void {
  const context = PDFContext.create()
  const dict = context.obj({ Filter: 'FlateDecode' })
  const decoder = decodePDFRawStream(PDFRawStream.of(dict, new Uint8Array([0x78, 0x9c])))
  const prototype: unknown = Object.getPrototypeOf(Object.getPrototypeOf(decoder))
  if (!hasRoom(prototype)) throw new Error('the PDF library has changed')
  const { ensureBuffer } = prototype
  prototype.ensureBuffer = function (requested) {
    if (requested > MAX_DECODED_BYTES) throw new Error('a part of it decodes to more than can be taken')
    return ensureBuffer.call(this, requested)
  }
}

type Room = { ensureBuffer(this: unknown, requested: number): Uint8Array }

function hasRoom(value: unknown): value is Room {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'ensureBuffer')
}

// The library tells the console about every oddity of a file, of which there may be millions.
for (const level of ['log', 'warn', 'error'] as const) console[level] = () => undefined

// The question is what pdf-pages.ts starts this thread with.
void answer(workerData as PdfPageRequest).then((result) => {
  const moved = result.ok && result.bytes ? [result.bytes.buffer as ArrayBuffer] : [] // never a shared one
  parentPort?.postMessage(result, moved)
})
