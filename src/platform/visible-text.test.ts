import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneLine, printable, withoutInvisible } from './visible-text.js'

test('what takes no place goes, what joins letters and emoji stays', () => {
  assert.deepEqual(withoutInvisible('a\u200bb\u202ec\u{e0041}d\u0007'), { text: 'abcd', removed: 4 })
  assert.deepEqual(withoutInvisible('👩\u200d💻 می\u200cخواهم\n\t'), {
    text: '👩\u200d💻 می\u200cخواهم\n\t',
    removed: 0,
  })
})

test('one line: blanks become one, and a cut splits no character', () => {
  assert.equal(oneLine('  a \n\n b\tc ', 10), 'a b c')
  assert.equal(oneLine('😀😀😀😀', 3), '😀😀…')
  assert.equal(oneLine('abc', 3), 'abc')
})

test('for a terminal nothing moves the cursor', () => {
  assert.equal(printable('a\u001b[2Jb\r'), 'a\ufffd[2Jb\ufffd')
  assert.equal(printable('abcdef', 3), 'abc…')
})
