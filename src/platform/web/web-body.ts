/** The body of a page: decompressed as it arrives, and no longer than agreed, however little of it came over the wire. */
import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import type { WebBody, WebFailure } from './web-pages.js'

export async function readWebBody(
  incoming: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<WebBody | WebFailure> {
  const onAbort = () => incoming.destroy()
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    const announced = Number(incoming.headers['content-length'] ?? 0)
    if (announced > maxBytes) return tooLarge(`${announced} bytes`)
    const decoded = await decompress(incoming)
    if (!decoded) return { ok: false, kind: 'unknown encoding', reason: encodingOf(incoming).slice(0, 100) }
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of decoded) {
      chunks.push(chunk)
      length += chunk.length
      if (length > maxBytes) return tooLarge(`more than ${maxBytes} bytes`)
    }
    return { ok: true, bytes: Buffer.concat(chunks, length) }
  } catch (error) {
    if (signal.aborted) return { ok: false, kind: 'aborted', reason: 'aborted' }
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'broken off'
    return { ok: false, kind: 'broken off', reason: code }
  } finally {
    signal.removeEventListener('abort', onAbort)
    incoming.destroy()
  }
}

/** Undefined for an encoding we did not ask for, and for several on top of each other. */
async function decompress(incoming: IncomingMessage): Promise<Readable | undefined> {
  const encoding = encodingOf(incoming)
  if (encoding === '' || encoding === 'identity') return incoming
  const decoder = await decoderFor(encoding, incoming)
  if (!decoder) return undefined
  const { pipeline } = await import('node:stream')
  // A failure of either side reaches the reader of the result.
  return pipeline(incoming, decoder, () => {})
}

async function decoderFor(encoding: string, incoming: IncomingMessage): Promise<Transform | undefined> {
  const zlib = await import('node:zlib')
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip()
    case 'br':
      return zlib.createBrotliDecompress()
    case 'deflate': {
      // With its header or without: servers disagree on what the name means.
      const hasHeader = ((await firstByte(incoming)) & 0x0f) === 8
      return hasHeader ? zlib.createInflate() : zlib.createInflateRaw()
    }
    default:
      return undefined
  }
}

function firstByte(incoming: IncomingMessage): Promise<number> {
  return new Promise((done) => {
    const look = () => {
      const chunk: unknown = incoming.read()
      if (!(chunk instanceof Uint8Array)) return
      incoming.unshift(chunk)
      finish(chunk[0] ?? 0)
    }
    const finish = (byte: number) => {
      incoming.off('readable', look)
      done(byte)
    }
    incoming.on('readable', look)
    incoming.once('close', () => finish(0))
    incoming.once('end', () => finish(0))
  })
}

function encodingOf(incoming: IncomingMessage): string {
  return (incoming.headers['content-encoding'] ?? '').trim().toLowerCase()
}

function tooLarge(reason: string): WebFailure {
  return { ok: false, kind: 'too large', reason }
}
