import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cutOverlongLines } from './bounded-lines.js'

async function read(text: string, sizes: readonly number[], limit: number): Promise<string[]> {
  const bytes = new TextEncoder().encode(text)
  async function* chunks() {
    let from = 0
    for (let at = 0; from < bytes.length; at += 1) {
      const size = sizes[at % sizes.length] ?? 1
      yield bytes.subarray(from, from + size)
      from += size
    }
  }
  let read = ''
  for await (const chunk of cutOverlongLines(chunks(), limit)) read += new TextDecoder().decode(chunk)
  return read.split('\n')
}

test('lines within the limit are passed on as they are, however they are cut into chunks', async () => {
  const line = fc.stringMatching(/^[a-z]{0,12}$/)
  await fc.assert(
    fc.asyncProperty(
      fc.array(line),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      async (lines, sizes) => {
        const text = lines.map((one) => `${one}\n`).join('')
        assert.deepEqual(await read(text, sizes, 13), text.split('\n'))
      },
    ),
  )
})

test('a line that is longer is cut, and what follows is read', async () => {
  // It is cut at the last chunk that still fits.
  for (const [size, kept] of [
    [1, 10],
    [3, 8],
    [7, 10],
    [100, 0],
  ] as const) {
    const [before, cut = '', ...after] = await read(`one\n${'x'.repeat(50)}\ntwo\n`, [size], 10)
    assert.equal(before, 'one')
    assert.equal(cut, 'x'.repeat(kept), `chunks of ${size}`)
    assert.deepEqual(after, ['two', ''])
  }
})
