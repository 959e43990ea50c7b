import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PartialInputReader } from './partial-input-reader.js'

test('fields are told as they are finished, the last one never', () => {
  const input = new PartialInputReader()
  assert.equal(input.add('{"file_path":"/a,b'), undefined)
  assert.deepEqual(input.add('","con'), { file_path: '/a,b' })
  assert.equal(input.add('tent":"x'), undefined)
  assert.equal(input.add('y"}'), undefined)
})

test('however it is cut: what is told is the beginning of what it becomes', () => {
  const objects = fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.jsonValue(), {
    maxKeys: 6,
    noNullPrototype: true,
  })
  fc.assert(
    fc.property(objects, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (object, sizes) => {
      const text = JSON.stringify(object)
      // A key that is a number comes first in an object, wherever it stood.
      const whole: Record<string, unknown> = JSON.parse(text)
      const input = new PartialInputReader()
      let shown: Record<string, unknown> = {}
      for (let from = 0, at = 0; from < text.length; at += 1) {
        const size = sizes[at % sizes.length] ?? 1
        shown = input.add(text.slice(from, from + size)) ?? shown
        from += size
      }
      assert.deepEqual(shown, Object.fromEntries(Object.entries(whole).slice(0, -1)))
    }),
  )
})

test('what gets too long is not looked at any more', () => {
  const input = new PartialInputReader()
  assert.deepEqual(input.add('{"a":1,"b":"'), { a: 1 })
  input.add('x'.repeat(70_000))
  assert.equal(input.add('","c":2,"d":3'), undefined)
})
