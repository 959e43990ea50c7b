import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneLine, printableText, terminalSafeText, withoutInvisible } from './visible-text.js'

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
  assert.equal(printableText('a\u001b[2Jb\r'), 'a\ufffd[2Jb\ufffd')
  assert.equal(printableText('abcdef', 3), 'abc…')
})

test('for a terminal: lines, tabs and joined letters stay, nothing is obeyed', () => {
  const kept = 'a\n\tb é 漢 👩\u200d💻 می\u200cخواهم co\u00adop ↔ ﷽'
  assert.equal(terminalSafeText(kept), kept)
  assert.equal(terminalSafeText('a\r\nb\rc'), 'a\nb\ufffdc')
  assert.equal(
    terminalSafeText('\u001b]0;t\u0007\u009b2J\u202ex\u2066\u200e\u2028\ufeff\ud800'),
    '\ufffd]0;t\ufffd\ufffd2J\ufffdx\ufffd\ufffd\ufffd\ufffd\ufffd',
  )
  assert.equal(
    terminalSafeText('a\u0007b\u{e0041}', (found) => `<${found.length}>`),
    'a<1>b<2>',
  )
})

test('for a terminal: of any character the output holds none that is obeyed', () => {
  for (let code = 0; code < 0x1_10000; code += 1) {
    const seen = terminalSafeText(String.fromCodePoint(code))
    if (/^[\n\t\u00ad\u200c\u200d]$/.test(seen)) continue
    if (/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u.test(seen)) assert.fail(code.toString(16))
  }
})
