import assert from 'node:assert/strict'
import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { PDFDocument } from '@cantoo/pdf-lib'
import { createTestContext, type TestContext } from '../test-context.js'
import { parsePages } from './page-range.js'
import { readTool } from './read.js'
import type { FileReadInput } from './read-shapes.js'

describe('Read of PDF files', () => {
  let test: TestContext
  before(async () => {
    test = await createTestContext()
  })
  after(() => test.dispose())

  const put = async (name: string, content: Uint8Array | string) => {
    const path = join(test.folder, name)
    await writeFile(path, content)
    return path
  }
  const read = (file_path: string, pages?: string) => {
    const input: FileReadInput = pages === undefined ? { file_path } : { file_path, pages }
    return readTool.execute(input, test.context)
  }
  const error = async (path: string, pages?: string) => {
    const outcome = await read(path, pages)
    return outcome.ok ? assert.fail('it was read') : outcome.error
  }

  it('shows a short document as it is, whatever its name says', async () => {
    const pdf = Buffer.from(await makePdf(2))
    const base64 = pdf.toString('base64')
    const path = await put('paper.txt', pdf)
    assert.deepEqual(await read(path), {
      ok: true,
      content: [
        { type: 'text', text: `PDF file read: ${path} (1 KB)` },
        { type: 'document', source: { type: 'base64', data: base64, media_type: 'application/pdf' } },
      ],
      output: { type: 'pdf', file: { filePath: path, base64, originalSize: pdf.length } },
    })
    assert.equal(test.context.session.readFiles.get(path)?.partial, false)
    const behind = Buffer.concat([Buffer.from('From a mail\n'), pdf])
    assert.equal((await read(await put('behind.PDF', behind))).ok, true)
  })

  it('shows the pages that were asked for', async () => {
    const path = await put('long.pdf', await makePdf(12))
    const shown = async (pages: string) => {
      const outcome = await read(path, pages)
      assert.ok(outcome.ok && Array.isArray(outcome.content))
      const [text, document] = outcome.content
      assert.ok(text?.type === 'text' && document?.type === 'document' && document.source.type === 'base64')
      const { data } = document.source
      const part = await PDFDocument.load(Buffer.from(data, 'base64'))
      assert.deepEqual(outcome.output, {
        type: 'pdf',
        file: { filePath: path, base64: data, originalSize: (await makePdf(12)).length },
      })
      return [text.text, ...part.getPages().map((page) => page.getWidth())]
    }
    assert.deepEqual(await shown('3'), [`PDF file read: ${path}, page 3 of 12`, 103])
    assert.deepEqual(await shown('2-4'), [`PDF file read: ${path}, pages 2-4 of 12`, 102, 103, 104])
    assert.deepEqual(await shown('11-20'), [`PDF file read: ${path}, pages 11-12 of 12`, 111, 112])
    assert.equal(test.context.session.readFiles.get(path)?.partial, true)
    assert.equal(await error(path, '13'), 'Page 13 is past the end: the PDF file has 12 pages.')
    assert.equal(
      await error(path),
      'The PDF file has 12 pages, too many to be read at once. Give the pages you need, such as pages: "1-10", at most 20 at a time.',
    )
    assert.match(await error(path, '4-2'), /^Invalid pages: "4-2"\./)
  })

  it('refuses encrypted, damaged and huge documents', async () => {
    const document = await PDFDocument.create()
    document.addPage()
    document.encrypt({ userPassword: 'secret', ownerPassword: 'secret' })
    const locked = await put('locked.pdf', await document.save())
    assert.equal(
      await error(locked),
      `The PDF file is encrypted and can't be read: ${locked}. Read a copy without encryption, for example made with \`qpdf --decrypt\`.`,
    )
    const broken = await put('broken.pdf', '%PDF-1.4\n')
    assert.match(await error(broken), new RegExp(`^The PDF file is damaged and can't be read: ${broken} \\(.+\\)\\.$`))
    const huge = await put('huge.pdf', '%PDF-1.4\n')
    await truncate(huge, 101 * 1024 * 1024)
    assert.equal(
      await error(huge),
      'The PDF file is too large: 101.0 MB, at most 100.0 MB. Split it into smaller files first.',
    )
    const small = await PDFDocument.create()
    small.addPage()
    const heavy = Buffer.concat([Buffer.from(`%PDF-1.7\n%${'x'.repeat(21 * 1024 * 1024)}\n`), await small.save()])
    assert.match(
      await error(await put('heavy.pdf', heavy)),
      /^The PDF file is too large to be read at once: 21\.\d MB, at most 20\.0 MB\. Give fewer pages, such as pages: "1"\.$/,
    )
    assert.deepEqual(
      [locked, broken, huge].map((path) => test.context.session.readFiles.has(path)),
      [false, false, false],
    )
  })
})

describe('parsePages', () => {
  it('takes a page or a range', () => {
    assert.deepEqual(parsePages('3'), { first: 3, last: 3 })
    assert.deepEqual(parsePages(' 10 - 20 '), { first: 10, last: 20 })
    assert.deepEqual(parsePages('1-20'), { first: 1, last: 20 })
  })

  it('refuses everything else', () => {
    for (const pages of ['', 'x', '0', '0-3', '-3', '3-', '5-4', '1,3', '1.5', '99999999', '1-2-3']) {
      assert.equal(
        parsePages(pages),
        `Invalid pages: "${pages}". Give one page ("3") or a range ("10-20"), counted from 1.`,
      )
    }
    assert.equal(
      parsePages('1-21'),
      'The pages 1-21 are too many: at most 20 can be read at once. Give a smaller range.',
    )
  })
})

/** Pages whose widths are 101, 102 and so on. */
async function makePdf(count: number): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false })
  for (let page = 1; page <= count; page += 1) document.addPage([100 + page, 200])
  return document.save()
}
