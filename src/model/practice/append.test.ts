import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { toAppendingEdit } from './append.js'

describe('appendText', () => {
  it('replaces the shortest end that occurs once', () => {
    assert.deepEqual(toAppendingEdit('a\nb', 'c'), { old_string: 'b', new_string: 'b\nc' })
    assert.deepEqual(toAppendingEdit('a\nb\n', 'c'), { old_string: 'b\n', new_string: 'b\nc\n' })
    assert.deepEqual(toAppendingEdit('x\nb\nx\nb', 'c'), { old_string: 'b\nx\nb', new_string: 'b\nx\nb\nc' })
    assert.deepEqual(toAppendingEdit('b\na\nb', 'c'), { old_string: 'a\nb', new_string: 'a\nb\nc' })
    assert.equal(toAppendingEdit('', 'c'), undefined)
  })

  it('adds at the end and nowhere else', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength: 1 })
    fc.assert(
      fc.property(text, (before) => {
        const change = toAppendingEdit(before, 'new')
        assert.ok(change)
        assert.equal(before.split(change.old_string).length, 2)
        const after = before.replace(change.old_string, () => change.new_string)
        assert.equal(after, before.endsWith('\n') ? `${before}new\n` : `${before}\nnew`)
      }),
    )
  })
})
