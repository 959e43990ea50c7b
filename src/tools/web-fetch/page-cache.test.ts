import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createPageCache } from './page-cache.js'

function start() {
  let now = 0
  const cache = createPageCache({ monotonic: () => now })
  const page = (text: string) => ({ url: 'u', status: 200, statusText: 'OK', bytes: text.length, text, cut: false })
  return {
    put: (url: string, text = 'x') => cache.set(url, page(text)),
    text: (url: string) => cache.get(url)?.text,
    pass: (minutes: number) => {
      now += minutes * 60_000
    },
  }
}

describe('pages that were read', () => {
  test('are there for a quarter of an hour', () => {
    const { put, text, pass } = start()
    put('/a', 'page')
    assert.equal(text('/a'), 'page')
    assert.equal(text('/b'), undefined)
    pass(14.99)
    assert.equal(text('/a'), 'page')
    pass(0.01)
    assert.equal(text('/a'), undefined)
  })

  test('reading one does not make it younger, fetching it again does', () => {
    const { put, text, pass } = start()
    put('/a', 'old')
    put('/b', 'other')
    pass(10)
    assert.equal(text('/a'), 'old')
    put('/a', 'new')
    pass(10)
    assert.equal(text('/a'), 'new')
    assert.equal(text('/b'), undefined)
  })

  test('the fifty last ones', () => {
    const { put, text } = start()
    for (let n = 0; n < 51; n += 1) put(`/${n}`)
    assert.equal(text('/0'), undefined)
    assert.equal(text('/1'), 'x')
    put('/1', 'again')
    put('/51')
    assert.equal(text('/2'), undefined)
    assert.equal(text('/1'), 'again')
  })

  test('two million characters at most, the oldest go first', () => {
    const { put, text } = start()
    put('/a', 'a'.repeat(900_000))
    put('/b', 'b'.repeat(900_000))
    put('/c', 'c'.repeat(200_000))
    assert.equal(text('/a')?.length, 900_000)
    put('/d', 'd')
    assert.equal(text('/a'), undefined)
    assert.equal(text('/b')?.length, 900_000)
    assert.equal(text('/d'), 'd')
  })
})
