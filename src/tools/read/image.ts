/** Recognizes images by their first bytes and reads their size from the header; nothing is decoded. */

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
export type ImageSize = { width: number; height: number }

export function imageType(bytes: Uint8Array): ImageType | undefined {
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png'
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg'
  const name = ascii(bytes, 0, 6)
  if (name === 'GIF87a' || name === 'GIF89a') return 'image/gif'
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP') return 'image/webp'
  return undefined
}

/** Undefined when the header is cut off or makes no sense. */
export function imageSize(bytes: Uint8Array, type: ImageType): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const size = readers[type](view)
    return size && size.width > 0 && size.height > 0 ? size : undefined
  } catch (error) {
    // A read beyond the end of the data.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const readers: Record<ImageType, (view: DataView) => ImageSize | undefined> = {
  'image/png': (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  'image/gif': (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
}

/** Walks the segments to the frame header: C0–CF, but not C4, C8, CC, which are tables. */
function jpegSize(view: DataView): ImageSize | undefined {
  let at = 2
  while (view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    }
    // Start of the pixel data: no frame header came before it.
    if (marker === 0xda || marker === 0xd9) return undefined
    const standsAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
    at += standsAlone ? 2 : 2 + view.getUint16(at + 2)
  }
  return undefined
}

function webpSize(view: DataView): ImageSize | undefined {
  const kind = String.fromCharCode(view.getUint8(12), view.getUint8(13), view.getUint8(14), view.getUint8(15))
  if (kind === 'VP8 ') return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (kind === 'VP8X') {
    const uint24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
    return { width: uint24(24) + 1, height: uint24(27) + 1 }
  }
  return undefined
}

function startsWith(bytes: Uint8Array, wanted: number[]): boolean {
  return wanted.every((byte, i) => bytes[i] === byte)
}

function ascii(bytes: Uint8Array, start: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(start, start + length))
}
