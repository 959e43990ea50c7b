import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import fc from '../../../../../test/fast-check.js'
import { byTier } from '../../../../../test/support/tier.js'
import { isHarmlessSedScript } from './sed-script.js'

test('scripts of the grammar', () => {
  for (const script of [
    '',
    'p',
    '1,5p',
    '$d',
    '/x/d;$!N',
    '/a/,/b/p',
    '/a/I,+3d',
    '0,/a/d',
    '1~2d',
    'n;d',
    's/a/b/',
    's/a/b/gI;s|a/b|c|2p',
    's/[a-z]*/x/',
    's/[^^]/x/;s/[^^a]/y/',
    's/[^a-z[:digit:]]\\+/x/g',
    's/\\[x\\]/y/',
    's#/usr#/opt#',
    's/a\\/b/c/',
    '\\,a/b,d',
    '/^$/d',
    '/^[[:space:]]*$/d',
    'y/abc/xyz/',
    '/a/{s/x/y/;p}',
    '/a/{\np\n}',
    ':a;N;$!ba;s/\\n/ /g',
    'a some text',
    'i\\some text',
    '5q',
    'l 20',
    '=',
    's/\\(a\\)\\(b\\)/\\2\\1/',
    '1!G;h;$!d',
  ])
    assert.equal(isHarmlessSedScript(script), true, script)
})

test('what runs programs, touches files, or could be read in two ways', () => {
  for (const script of [
    'e',
    'e id',
    '1e id',
    's/a/b/e',
    's/a/b/ge',
    's/a/b/w out',
    'w out',
    'W out',
    'r /etc/passwd',
    'R x',
    // Brackets: where the pattern ends depends on who reads it.
    's/[/]/e id/',
    's/[]/]/e id/',
    's/[^]/]/e id/',
    's/[^]/]/;s/e;#/x/',
    's,[^],],;s,w out;s,x,',
    '/[^]/]/{s/e;#/x/}',
    's/[[.].]/]/e id/',
    's/[a/b]/c/',
    's/[\\/]/x/',
    's/[/x/',
    '/[/]/e id',
    '/[]/]/e id',
    '\\,[,],e id',
    's,[,],e id,',
    // Delimiters that are letters, digits or mean something in a pattern.
    'saxbxe',
    's1a1b1e',
    's.a.b.e',
    's*a*b*e',
    's\\a\\b\\e',
    's[a[b[e',
    's(a(b(e',
    's\na\nb\ne',
    // Not closed, or over the end of a line.
    's/a/b',
    's/a',
    '/a',
    's/a\n/b/',
    's/a/b\\\ne id/',
    // Unknown letters and flags.
    's/a/b/x',
    's/a/b/ e id',
    'v 4.2',
    'k',
    '#n',
    '1,p',
    '1,/a',
    ',5p',
    'pe id',
    'p e id',
    'a text\\\ne id',
  ])
    assert.equal(isHarmlessSedScript(script), false, script)
})

const hasSandbox = spawnSync('sed', ['--sandbox', 'p'], { input: '' }).status === 0

test('sed itself finds nothing to forbid in what is taken for harmless', { skip: !hasSandbox }, () => {
  const token = fc.constantFrom(
    ...['s', 'y', 'e', 'w', 'r', 'p', 'd', 'a', 'b', 'x', 'q', 'N', 'g', 'I', 'm', 'id', ' ', '\n', ';', '{', '}', '!'],
    ...['/', '/', '/', ',', '|', '#', '[', ']', '^', '\\', '[:alpha:]', '[.', '.]', '[=', '$', '1', '2', '~', '+', '*'],
  )
  const free = fc.array(token, { maxLength: 14 }).map((parts) => parts.join(''))
  const part = fc.array(token, { maxLength: 5 }).map((parts) => parts.join(''))
  // Most texts are no scripts at all; these come closer.
  const shaped = fc
    .tuple(part, part, part, fc.constantFrom('/', ',', '#'))
    .map(([a, b, c, d]) => `s${d}${a}${d}${b}${d}${c}`)
  let harmless = 0
  fc.assert(
    fc.property(fc.oneof(free, shaped), (script) => {
      if (!isHarmlessSedScript(script)) return
      harmless += 1
      const { stderr } = spawnSync('sed', ['--sandbox', '-n', '--', script], { input: 'a\n', encoding: 'utf8' })
      assert.doesNotMatch(stderr, /sandbox/, script)
    }),
    { numRuns: byTier({ quick: 450, all: 3_000, long: 200_000 }) },
  )
  assert.ok(harmless > 20, `only ${harmless} scripts were tried`)
})
