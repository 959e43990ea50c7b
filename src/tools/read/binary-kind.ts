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
  ['wOFF', 'font'],
  ['wOF2', 'font'],
]

export function binaryKind(bytes: Uint8Array, path: string): string {
  const start = String.fromCharCode(...bytes.subarray(0, 16))
  const known = SIGNATURES.find(([signature]) => start.startsWith(signature))
  if (known) return known[1]
  const extension = extname(path)
  return extension ? `binary ${extension} file` : 'binary file'
}

/** PDF may hold no NUL byte at all, and would pass for text. */
export function isPdf(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(0, 5)) === '%PDF-'
}
