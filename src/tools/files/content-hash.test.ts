import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hashContent } from './content-hash.js'

describe('hashContent', () => {
  it('is stable and 64 bits wide', () => {
    const hash = hashContent(Buffer.from('alpha\n'))
    assert.match(hash, /^[0-9a-f]{16}$/)
    assert.equal(hashContent(Buffer.from('alpha\n')), hash)
  })

  it('tells 100,000 similar contents apart', () => {
    const seen = new Set<string>()
    for (let i = 0; i < 100_000; i += 1) seen.add(hashContent(Buffer.from(`value = ${i}\n`)))
    assert.equal(seen.size, 100_000)
  })

  it('sees order, length and single bits', () => {
    const variants = ['ab', 'ba', 'ab\0', '\0ab', 'ac', '', '\0', '\0\0']
    assert.equal(new Set(variants.map((text) => hashContent(Buffer.from(text)))).size, variants.length)
  })
})
