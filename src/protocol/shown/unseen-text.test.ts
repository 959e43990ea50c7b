import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutLineMiddle, cutTextMiddle, showUnseen, UNSEEN_CHARACTERS_PATTERN } from './unseen-text.js'

/** First and last, of all that is known to hide on a screen. */
const HIDDEN: [number, number][] = [
  ...([
    [0x00, 0x1f],
    [0x7f, 0x9f],
    [0xad, 0xad],
    [0x34f, 0x34f],
    [0x61c, 0x61c],
    [0x115f, 0x1160],
  ] as const),
  ...([
    [0x17b4, 0x17b5],
    [0x180b, 0x180f],
    [0x200b, 0x200f],
    [0x2028, 0x202e],
    [0x2060, 0x206f],
  ] as const),
  ...([
    [0x2800, 0x2800],
    [0x3164, 0x3164],
    [0xfe00, 0xfe0f],
    [0xfeff, 0xfeff],
    [0xffa0, 0xffa0],
  ] as const),
  ...([
    [0xfff0, 0xfff8],
    [0xfff9, 0xfffb],
    [0x1bca0, 0x1bca3],
    [0x1d173, 0x1d17a],
    [0xe0000, 0xe0fff],
  ] as const),
].map(([from, to]) => [from, to])

test('every character that hides is shown with its number', () => {
  for (const [from, to] of HIDDEN)
    for (let code = from; code <= to; code += 1) {
      const char = String.fromCodePoint(code)
      assert.ok(new RegExp(UNSEEN_CHARACTERS_PATTERN, 'u').test(`a${char}b`), code.toString(16))
      const kept = char === '\n' || char === '\t'
      const mark = `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
      assert.equal(showUnseen(`rm a${char}b`), kept ? `rm a${char}b` : `rm a${mark}b`)
    }
  for (const blank of '\u00a0\u1680\u2000\u200a\u202f\u205f\u3000')
    assert.match(showUnseen(`a${blank}b`), /^a\[U\+\w{4}\]b$/)
  assert.equal(showUnseen('\ud800'), '[U+D800]')
})

test('what can be seen stays as it is', () => {
  for (const text of ['ls -la\n\techo "ä ö 漢字 हिन्दी"', '✅ done', '❤️ 1️⃣ #️⃣ 👍🏽 ©️', ''])
    assert.equal(showUnseen(text), text)
})

test('a selector hides nothing behind letters, digits and other selectors', () => {
  for (const text of ['rm *\ufe0f', 'a\ufe0f', '1\ufe0f', '❤\ufe0f\ufe0f', '❤\ufe0e', '\ufe0f'])
    assert.match(showUnseen(text), /\[U\+FE0[EF]\]/)
})

test('of a long text the beginning and the end are shown, and how much is between', () => {
  const most = { characters: 100, lines: 6 }
  const long = `echo ${'a'.repeat(6000)}; rm -rf ~`
  const { head, hidden, tail } = cutTextMiddle(long, most)
  assert.deepEqual(
    [head.slice(0, 6), tail.slice(-10), head.length + hidden + tail.length],
    ['echo a', '; rm -rf ~', long.length],
  )
  const tall = cutTextMiddle(`echo${'\n'.repeat(500)}rm -rf ~`, most)
  assert.deepEqual(
    [tall.head.startsWith('echo'), tall.tail.endsWith('rm -rf ~'), tall.hidden > 400],
    [true, true, true],
  )
  assert.ok(`${tall.head}${tall.tail}`.split('\n').length <= 7)
  assert.deepEqual(cutTextMiddle('short', most), { head: 'short', hidden: 0, tail: '' })
  // No half of a pair at either side.
  assert.equal(
    showUnseen(Object.values(cutTextMiddle('😀'.repeat(100), { characters: 51, lines: 1 })).join('')).includes('[U+D'),
    false,
  )
  assert.equal(cutLineMiddle(' a\n  b ', 100), 'a ⏎ b')
  assert.match(cutLineMiddle(long, 100), /^echo a+…\[5915 more characters\]…a+; rm -rf ~$/)
})
