import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { createBoundedOutput } from './bounded-output.js'

it('keeps exactly the beginning and the end, however the bytes arrive', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n'), maxLength: 40 }), { maxLength: 20 }),
      fc.nat({ max: 60 }),
      fc.nat({ max: 60 }),
      (chunks, headBytes, tailBytes) => {
        const output = createBoundedOutput(headBytes, tailBytes)
        for (const chunk of chunks) output.push(new TextEncoder().encode(chunk))
        const all = chunks.join('')
        const dropped = Math.max(0, all.length - headBytes - tailBytes)
        const note = dropped > 0 && tailBytes > 0 ? `\n[… ${dropped} bytes left out …]\n` : ''
        const kept = all.slice(0, headBytes) + note + all.slice(headBytes + dropped)
        assert.deepEqual(
          { seen: output.seen, dropped: output.dropped, text: output.text() },
          { seen: all.length, dropped, text: kept },
        )
      },
    ),
  )
})

it('cuts between characters, never inside one', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'é', '→', '😀') }),
      fc.nat(40),
      fc.nat(40),
      (text, head, tail) => {
        const output = createBoundedOutput(head, tail)
        for (const byte of new TextEncoder().encode(text)) output.push(Uint8Array.of(byte))
        assert.equal(output.text().includes('\ufffd'), false)
      },
    ),
  )
})
