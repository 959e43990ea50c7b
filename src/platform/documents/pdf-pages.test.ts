import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deflateSync } from 'node:zlib'
import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { extractPdfPages, type PdfPageRequest } from './pdf-pages.js'

const ask = (content: Uint8Array, question: Partial<PdfPageRequest> = {}, signal = new AbortController().signal) =>
  extractPdfPages({ maxWholePages: 10, ...question, bytes: Uint8Array.from(content) }, signal)

/** Pages whose widths are 101, 102 and so on, each with a link to the next. */
async function makePdf(count: number, options: { encrypted?: boolean } = {}): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false })
  const pages = Array.from({ length: count }, (_, i) => document.addPage([101 + i, 200]))
  for (const [i, page] of pages.entries()) {
    const target = pages[(i + 1) % count] ?? page
    const link = { Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 9, 9], Dest: [target.ref, 'Fit'], P: page.ref }
    const note = { Type: 'Annot', Subtype: 'Square', Rect: [0, 0, 9, 9], P: page.ref }
    page.node.set(PDFName.of('Annots'), document.context.obj([document.context.obj(link), document.context.obj(note)]))
  }
  if (options.encrypted) document.encrypt({ userPassword: 'secret', ownerPassword: 'secret' })
  return document.save()
}

/** One page whose objects are packed, followed by so many blanks. */
function packedPdf(blanks: number): Buffer {
  const objects = [
    '<</Type/Catalog/Pages 3 0 R>>',
    '<</Type/Pages/Kids[4 0 R]/Count 1>>',
    '<</Type/Page/Parent 3 0 R>>',
  ]
  let offset = 0
  const places = objects.map((object, i) => {
    offset += object.length + 1
    return `${i + 2} ${offset - object.length - 1}`
  })
  const first = `${places.join(' ')} `
  const packed = deflateSync(`${first}${objects.join(' ')}${' '.repeat(blanks)}`, { level: 9 })
  const dictionary = `<< /Type /ObjStm /N 3 /First ${first.length} /Filter /FlateDecode /Length ${packed.length} >>`
  const head = Buffer.from(`%PDF-1.5\n1 0 obj\n${dictionary}\nstream\n`)
  return Buffer.concat([head, packed, Buffer.from('\nendstream\nendobj\ntrailer << /Root 2 0 R >>\n%%EOF')])
}

describe('takePdfPages', () => {
  it('gives a short document back as it is', async () => {
    const pdf = await makePdf(3)
    const answer = await ask(pdf)
    assert.ok(answer.ok && answer.bytes)
    assert.equal(answer.pageCount, 3)
    assert.deepEqual(Buffer.from(answer.bytes), Buffer.from(pdf))
  })

  it('says how many pages a long one has', async () => {
    assert.deepEqual(await ask(await makePdf(11)), { ok: true, pageCount: 11, bytes: undefined })
  })

  it('takes pages out, without what links from them lead to', async () => {
    const pdf = await makePdf(12)
    const answer = await ask(pdf, { pages: { first: 5, last: 7 } })
    assert.ok(answer.ok && answer.bytes)
    assert.equal(answer.pageCount, 12)
    const part = await PDFDocument.load(answer.bytes)
    assert.deepEqual(
      part.getPages().map((page) => page.getWidth()),
      [105, 106, 107],
    )
    const text = Buffer.from(answer.bytes).toString('latin1')
    assert.equal(text.match(/\/Type \/Page\b/g)?.length, 3)
    assert.equal(text.match(/\/Subtype \/Square/g)?.length, 3)
    assert.doesNotMatch(text, /\/Subtype \/Link/)
  })

  it('stops at the end of the document', async () => {
    const pdf = await makePdf(2)
    const answer = await ask(pdf, { pages: { first: 2, last: 9 } })
    assert.ok(answer.ok && answer.bytes)
    assert.equal((await PDFDocument.load(answer.bytes)).getPageCount(), 1)
    assert.deepEqual(await ask(pdf, { pages: { first: 3, last: 3 } }), { ok: true, pageCount: 2, bytes: undefined })
  })

  it('refuses encrypted and damaged documents', async () => {
    assert.deepEqual(await ask(await makePdf(1, { encrypted: true })), { ok: false, reason: 'encrypted', detail: '' })
    for (const bytes of [Buffer.from('%PDF-1.4\nnothing'), Buffer.alloc(0), (await makePdf(2)).subarray(0, 300)]) {
      const answer = await ask(bytes)
      assert.deepEqual([answer.ok, 'reason' in answer && answer.reason], [false, 'damaged'])
    }
  })

  it('does not decode without end', async () => {
    const whole = await ask(packedPdf(1000))
    assert.deepEqual(whole.ok && whole.pageCount, 1)
    const bomb = packedPdf(100 * 1024 * 1024)
    assert.ok(bomb.length < 200_000)
    assert.equal((await ask(bomb)).ok, false)
  })

  it('ends its thread when aborted', async () => {
    assert.equal((await ask(await makePdf(1), {}, AbortSignal.abort())).ok, false)
    const controller = new AbortController()
    const waiting = ask(await makePdf(1), {}, controller.signal)
    // The thread needs longer than this to load its library.
    setImmediate(() => controller.abort())
    assert.equal((await waiting).ok, false)
  })
})
