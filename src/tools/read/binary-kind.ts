/** Names a file that is not text, for the refusal the model reads. */
import { extname } from '../../platform/paths.js'

const SIGNATURES: readonly (readonly [string, string])[] = [
  ['%PDF-', 'PDF document'],
  ['\x7fELF', 'ELF program'],
  ['MZ', 'Windows program'],
  ['\xcf\xfa\xed\xfe', 'Mach-O program'],
  ['\xca\xfe\xba\xbe', 'Java class or Mach-O program'],
  ['\0asm', 'WebAssembly module'],
  ['PK\x03\x04', 'ZIP archive or office document'],
  ['\x1f\x8b', 'gzip archive'],
  ['BZh', 'bzip2 archive'],
  ['\xfd7zXZ\0', 'xz archive'],
  ['\x28\xb5\x2f\xfd', 'Zstandard archive'],
  ['7z\xbc\xaf\x27\x1c', '7-Zip archive'],
  ['Rar!\x1a\x07', 'RAR archive'],
  ['SQLite format 3\0', 'SQLite database'],
  ['OggS', 'Ogg media file'],
  ['ID3', 'MP3 audio file'],
  ['RIFF', 'RIFF media file'],
  ['BM', 'BMP image'],
  ['II*\0', 'TIFF image'],
  ['MM\0*', 'TIFF image'],
  ['\0\0\x01\0', 'icon'],
  ['8BPS', 'Photoshop image'],
  ['wOFF', 'font'],
  ['wOF2', 'font'],
]

export function describeBinaryKind(bytes: Uint8Array, path: string): string {
  const start = String.fromCharCode(...bytes.subarray(0, 16))
  const known = SIGNATURES.find(([signature]) => start.startsWith(signature))
  if (known) return known[1]
  if (start.slice(4, 8) === 'ftyp')
    return /^(hei|mif|avi)/.test(start.slice(8)) ? 'HEIC or AVIF image' : 'MP4 or QuickTime media file'
  const extension = extname(path)
  return extension ? `binary ${extension} file` : 'binary file'
}

/** PDF may hold no NUL byte at all, and would pass for text. Some programs put a few lines before its first. */
export function isPdf(head: Uint8Array, path: string): boolean {
  const at = String.fromCharCode(...head.subarray(0, 1024)).indexOf('%PDF-')
  return at === 0 || (at > 0 && extname(path).toLowerCase() === '.pdf')
}
