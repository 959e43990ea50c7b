/** Counts the pages of a PDF file and takes some of them out, in a thread of its own with limits on time and memory. */
import { runInThread } from '../programs/thread.js'

export type PdfPageRequest = {
  /** Moved away: not to be used afterwards. */
  bytes: Uint8Array
  /** The pages wanted, counted from 1; all when left out. */
  pages?: { first: number; last: number }
  /** A document with more pages than this is not given back whole. */
  maxWholePages: number
}

export type ExtractedPdfPages =
  | {
      ok: true
      pageCount: number
      /** Undefined when there are too many pages, or none of those wanted. */
      bytes: Uint8Array | undefined
    }
  | { ok: false; reason: 'encrypted' | 'damaged' | 'unavailable'; detail: string }

const LIMITS = { maxMs: 120_000, maxHeapMb: 1024 }

export async function extractPdfPages(question: PdfPageRequest, signal: AbortSignal): Promise<ExtractedPdfPages> {
  const moved = [question.bytes.buffer as ArrayBuffer] // read from a file, so never a shared one
  const outcome = await runInThread<ExtractedPdfPages>('pdf-worker', question, LIMITS, signal, moved)
  if (outcome.ok) return outcome.answer
  if (outcome.why === 'missing')
    return { ok: false, reason: 'unavailable', detail: 'a file of this installation is missing' }
  return { ok: false, reason: 'damaged', detail: 'it takes too long to make sense of' }
}
