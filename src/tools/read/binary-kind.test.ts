import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeBinaryKind, isPdf } from './binary-kind.js'

const bytes = (text: string) => Buffer.from(text, 'latin1')

describe('what a file that is no text is called', () => {
  const rows: [start: string, path: string, kind: string][] = [
    ['%PDF-1.7', '/a.bin', 'PDF document'],
    ['\x7fELF\x02\x01', '/bin/ls', 'ELF program'],
    ['MZ\x90\0', '/a.exe', 'Windows program'],
    ['PK\x03\x04rest', '/a.docx', 'ZIP archive or office document'],
    ['\x1f\x8b\x08\0', '/a.txt', 'gzip archive'],
    ['\xfd7zXZ\0\0', '/a.xz', 'xz archive'],
    ['7z\xbc\xaf\x27\x1c', '/a.7z', '7-Zip archive'],
    ['SQLite format 3\0', '/a.db', 'SQLite database'],
    ['II*\0', '/a.tif', 'TIFF image'],
    ['MM\0*', '/a.tif', 'TIFF image'],
    ['\0asm\x01', '/a.wasm', 'WebAssembly module'],
    ['\0\0\0\x18ftypheic', '/a.heic', 'HEIC or AVIF image'],
    ['\0\0\0\x18ftypavif', '/a', 'HEIC or AVIF image'],
    ['\0\0\0\x18ftypmp42', '/a.mp4', 'MP4 or QuickTime media file'],
    ['\0\0\0\x18ftypqt  ', '/a.mov', 'MP4 or QuickTime media file'],
    ['\0\x01\x02', '/data/model.weights', 'binary .weights file'],
    ['\0\x01\x02', '/data/blob', 'binary file'],
    ['', '/data/blob', 'binary file'],
    // Only at its start.
    ['x%PDF-1.7', '/a.bin', 'binary .bin file'],
    ['\x1f', '/a.gz', 'binary .gz file'],
  ]
  for (const [start, path, kind] of rows) {
    test(`${JSON.stringify(start)} in ${path}`, () => assert.equal(describeBinaryKind(bytes(start), path), kind))
  }
})

describe('PDF', () => {
  test('by its first bytes, whatever it is called', () => {
    assert.equal(isPdf(bytes('%PDF-1.4\n'), '/a.txt'), true)
    assert.equal(isPdf(bytes('%PDF'), '/a.pdf'), false)
    assert.equal(isPdf(bytes(''), '/a.pdf'), false)
  })

  test('with a few lines before, if it is called so', () => {
    const head = bytes(`HTTP/1.1 200 OK\n\n%PDF-1.4`)
    assert.equal(isPdf(head, '/a.pdf'), true)
    assert.equal(isPdf(head, '/A.PDF'), true)
    // A text about PDF files.
    assert.equal(isPdf(head, '/a.md'), false)
  })

  test('not after many lines', () => {
    assert.equal(isPdf(bytes(`${' '.repeat(1019)}%PDF-1.4`), '/a.pdf'), true)
    assert.equal(isPdf(bytes(`${' '.repeat(1020)}%PDF-1.4`), '/a.pdf'), false)
  })
})
