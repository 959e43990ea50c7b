import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodePageText, mediaType, pageKindOfContentType } from './page-text.js'
import { cutAtCharacter, removeHiddenCharacters } from './plain-text.js'

const options = { base: 'https://example.com/', limit: 10_000, signal: new AbortController().signal }
const latin = (text: string) => Buffer.from(text, 'latin1')
const read = async (bytes: Uint8Array, type: string, more = {}) =>
  (await decodePageText(bytes, type, { ...options, ...more }))?.text

describe('what a type says', () => {
  const rows: [type: string, kind: ReturnType<typeof pageKindOfContentType>][] = [
    ['', 'unknown'],
    ['  ; charset=utf-8', 'unknown'],
    ['text/html', 'html'],
    ['Text/HTML; Charset=UTF-8', 'html'],
    ['application/xhtml+xml', 'html'],
    ['text/plain', 'text'],
    ['text/markdown', 'text'],
    ['application/json', 'text'],
    ['application/ld+json', 'text'],
    ['application/rss+xml', 'text'],
    ['application/vnd.api+json; charset=utf-8', 'text'],
    ['application/javascript', 'text'],
    ['application/x-javascript', 'text'],
    ['application/x-sh', 'text'],
    ['application/yaml', 'text'],
    ['image/svg+xml', 'text'],
    ['image/png', undefined],
    ['application/pdf', undefined],
    ['application/octet-stream', undefined],
    ['application/x-shockwave-flash', undefined],
    ['application/jsonx', undefined],
    ['video/mp4', undefined],
  ]
  for (const [type, kind] of rows) test(type || 'nothing', () => assert.equal(pageKindOfContentType(type), kind))

  test('the type without what follows it', () => {
    assert.equal(mediaType(' Text/Plain ; charset=x'), 'text/plain')
    assert.equal(mediaType(''), '')
  })
})

describe('the text of bytes', () => {
  test('in the character set that the header names', async () => {
    assert.equal(await read(latin('Gr\xfc\xdfe'), 'text/plain; charset=iso-8859-1'), 'Grüße')
    assert.equal(await read(latin('\xcf\xf0\xe8'), 'text/plain;charset="windows-1251"'), 'При')
    // As browsers read it: what calls itself Latin-1 is the old Windows one.
    assert.equal(await read(latin('\x93x\x94 \x96 5 \x80'), 'text/plain; charset=iso-8859-1'), '“x” – 5 €')
    assert.equal(await read(Buffer.from('Grüße'), 'text/plain; charset=utf-8'), 'Grüße')
  })

  test('a mark at the start outranks the header', async () => {
    assert.equal(await read(Buffer.from('\ufeffGrüße'), 'text/plain; charset=iso-8859-1'), 'Grüße')
    const wide = Buffer.from('\ufeffwide', 'utf16le')
    assert.equal(await read(wide, 'text/plain; charset=utf-8'), 'wide')
    assert.equal(await read(Buffer.from(wide).swap16(), 'text/plain'), 'wide')
  })

  test('the header outranks what the page says of itself', async () => {
    const page = latin('<?xml version="1.0" encoding="windows-1251"?><a>\xfc</a>')
    assert.match((await read(page, 'application/xml; charset=iso-8859-1')) ?? '', /ü/)
    assert.match((await read(page, 'application/xml')) ?? '', /ь/)
  })

  test('a page that says so with a meta element', async () => {
    const page = (meta: string) => latin(`<html><head>${meta}</head><body><p>\xcf\xf0\xe8</p></body></html>`)
    assert.equal(await read(page('<meta charset="windows-1251">'), 'text/html'), 'При')
    const old = '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">'
    assert.equal(await read(page(old), 'text/html'), 'При')
  })

  test('a page that can be read so far is not in UTF-16, whatever it says', async () => {
    assert.equal(await read(Buffer.from('<meta charset="utf-16"><p>Grüße</p>'), 'text/html'), 'Grüße')
  })

  test('without any word: UTF-8, else the old Windows one', async () => {
    assert.equal(await read(Buffer.from('Grüße'), 'text/plain'), 'Grüße')
    assert.equal(await read(latin('Gr\xfc\xdfe \x80'), 'text/plain'), 'Grüße €')
  })

  test('a character set that nobody knows is as good as none', async () => {
    assert.equal(await read(Buffer.from('Grüße'), 'text/plain; charset=klingon'), 'Grüße')
  })

  test('bytes with a NUL are no text, unless a character set is named', async () => {
    assert.equal(await read(latin('a\0b'), 'text/plain'), undefined)
    assert.equal(await read(Buffer.from('ab', 'utf16le'), 'text/plain; charset=utf-16le'), 'ab')
  })
})

describe('the text of a page', () => {
  const html = Buffer.from(
    '<!DOCTYPE html><title>Hi</title><h1>Head</h1><p>See <a href="/x">it</a>.</p><script>no()</script>',
  )

  test('HTML is Markdown with its title; links are whole', async () => {
    const text = await read(html, 'text/html')
    assert.match(text ?? '', /^Title: Hi\n\n# Head\n\nSee \[it\]\(https:\/\/example\.com\/x\)\./)
    assert.doesNotMatch(text ?? '', /no\(\)/)
  })

  test('without a type the beginning tells', async () => {
    assert.match((await read(html, '')) ?? '', /^Title: Hi/)
    assert.equal(await read(Buffer.from('# not <html>'), ''), '# not <html>')
    assert.match((await read(Buffer.from('  <html><p>x</p></html>'), '')) ?? '', /^x$/)
  })

  test('HTML that is called text is shown as it is', async () => {
    assert.match((await read(html, 'text/plain')) ?? '', /^<!DOCTYPE html>/)
  })

  test('long text is cut, and that is said', async () => {
    const long = Buffer.from('x'.repeat(100))
    assert.deepEqual(await decodePageText(long, 'text/plain', { ...options, limit: 100 }), {
      text: 'x'.repeat(100),
      cut: false,
    })
    assert.deepEqual(await decodePageText(long, 'text/plain', { ...options, limit: 99 }), {
      text: 'x'.repeat(99),
      cut: true,
    })
    const page = await decodePageText(Buffer.from(`<p>${'y'.repeat(100)}</p>`), 'text/html', { ...options, limit: 50 })
    assert.deepEqual(page, { text: 'y'.repeat(50), cut: true })
  })
})

describe('plain text of strangers', () => {
  test('line ends are one, and what nobody sees is gone', () => {
    assert.equal(removeHiddenCharacters('a\r\nb\rc\nd'), 'a\nb\nc\nd')
    assert.equal(removeHiddenCharacters('\x1b[31mred\x07\u202e\u200b\ufeff\u{e0041}\u00ad'), '[31mred')
    assert.equal(removeHiddenCharacters('\ttab ü 😀 \u200d'), '\ttab ü 😀 \u200d')
  })

  test('no character is cut in half', () => {
    assert.equal(cutAtCharacter('a😀b', 1), 'a')
    assert.equal(cutAtCharacter('a😀b', 2), 'a')
    assert.equal(cutAtCharacter('a😀b', 3), 'a😀')
    assert.equal(cutAtCharacter('a😀b', 4), 'a😀b')
    assert.equal(cutAtCharacter('abc', 0), '')
  })
})
