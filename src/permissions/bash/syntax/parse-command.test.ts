// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadShellParser } from './parse-command.js'

const parse = await loadShellParser()

/** Texts, words, redirects of every simple command. */
function outline(text: string) {
  return parse(text).commands.map(({ text: written, words, redirects, assignments }) => ({
    text: written,
    words: words.map((word) => `${word.value}${word.dynamic ? '!' : ''}${word.glob ? '?' : ''}`),
    ...(redirects.length > 0 ? { redirects: redirects.map(({ kind, target }) => `${kind} ${target.value}`) } : {}),
    ...(assignments.length > 0 ? { assignments: assignments.map(({ name }) => name) } : {}),
  }))
}

test('every simple command at every depth, with quotes removed', () => {
  assert.deepEqual(outline('A=1 r"m" -f $\'\\x61\' "$x" *.js >o 2>&1 | cat <i'), [
    {
      text: 'r"m" -f $\'\\x61\' "$x" *.js',
      words: ['rm', '-f', 'a', '$x!', '*.js?'],
      redirects: ['write o'],
      assignments: ['A'],
    },
    { text: 'cat', words: ['cat'], redirects: ['read i'] },
  ])
  const names = (text: string) => parse(text).commands.map(({ words }) => words[0]?.value)
  assert.deepEqual(
    names('if a; then b $(c `d`); else (e); fi; f() { g; }; case h in i) j;; esac; k <(l) <<E\n$(m)\nE'),
    [...['a', 'b', 'c', 'd', 'e', 'g', 'j', 'k', 'l', 'm']],
  )
})

test('the text of a command is as written, without redirects and assignments', () => {
  assert.deepEqual(
    parse('X=1 npm  test 2>/dev/null  --x').commands.map(({ text }) => text),
    ['npm  test --x'],
  )
})

test('braces become words', () => {
  assert.deepEqual(outline('{rm,-f,v}')[0]?.words, ['rm', '-f', 'v'])
  assert.deepEqual(outline('echo a{b,c}d')[0]?.words, ['echo', 'abd', 'acd'])
  assert.deepEqual(outline('{,rm} {v,}')[0]?.words, ['rm', 'v'])
  assert.deepEqual(outline('echo {a,}""')[0]?.words, ['echo', 'a', ''])
  assert.deepEqual(outline('echo {1..3}')[0]?.words, ['echo', '1', '2', '3'])
  assert.deepEqual(outline('echo {a,{b,c}}')[0]?.words, ['echo', 'a', 'b', 'c'])
  assert.deepEqual(outline('echo {a,"b"}')[0]?.words, ['echo', '{a,"b"}!'])
  assert.deepEqual(outline('echo {1..100}')[0]?.words, ['echo', '{1..100}!'])
})

test('descriptor copies are no files; anything else is', () => {
  const redirects = (text: string) => outline(text)[0]?.redirects
  assert.equal(redirects('a 2>&1 >&2 >&- <&3'), undefined)
  assert.deepEqual(redirects('a >& f &> g >| h <> i {fd}> j'), ['write f', 'write g', 'write h', 'write i', 'write j'])
  assert.deepEqual(redirects('a >&$x'), ['write $x'])
})

test('what changes the meaning of later words', () => {
  const stateful = (text: string) => parse(text).stateful
  assert.deepEqual(
    [
      'ls',
      'f() { ls; }',
      'echo $((x))',
      'echo $((1+2))',
      '((x++))',
      'echo ${x@P}',
      'echo ${!x}',
      '[[ $x -eq 1 ]]',
      '[[ a == b ]]',
    ].map(stateful),
    [false, true, true, false, true, true, true, true, false],
  )
  assert.deepEqual(
    ['for i in a; do ls; done', 'for PATH in a; do ls; done', 'a[1]=2', 'echo ${a[b]}', 'echo ${x:1:2}'].map(stateful),
    [false, true, true, true, true],
  )
})

test('quoted code where the shell evaluates text', () => {
  const hidden = (text: string) => parse(text).hidden
  assert.deepEqual(
    ["let 'a[$(x)]=1'", "test -v 'a[`x`]'", "x='a[$(y)]'; echo $((x))", "echo 'a[$(x)]'", 'x=$(ls); echo $((x))'].map(
      hidden,
    ),
    [true, true, true, false, false],
  )
})

test('what is not understood is a problem', () => {
  const understood = (text: string) => parse(text).problems.length === 0
  assert.deepEqual(
    [
      "echo 'a",
      '((rm x))',
      'echo $((rm x))',
      'ls )',
      'if true',
      'a\u0000b',
      '$('.repeat(100),
      'x'.repeat(200_000),
      'a;'.repeat(2000),
      `a ${'b '.repeat(3000)}`,
    ].filter(understood),
    [],
  )
  assert.ok(understood(`cat > f <<'E'\n${'some text (here)\n'.repeat(2000)}E\n`))
  assert.deepEqual(
    [parse('ls \u200b').invisible, parse('ls\r').invisible, parse('ls\t-l\n').invisible, parse('echo é').invisible],
    [true, true, false, false],
  )
})

test('a word right behind a descriptor that is closed is one that bash runs, or hands on', () => {
  const problems = (text: string) => parse(text).problems
  for (const text of [
    ...[
      '<&-x',
      '>&-x',
      '2>& -x',
      'ls <&-x',
      '{f}<&-x',
      '(ls) <&-x',
      'for i in a; do ls; done 0>&-x',
      '<&-"x"',
      '<&-$x',
    ],
    ...['echo $(<&-x)', 'cat <(<& -x)', '<&\\\n-x', '<&-\\\nx'],
  ])
    assert.deepEqual(problems(text), ['it closes a descriptor right before a word'], text)
  for (const text of [
    'ls <&-',
    'ls 2>&- -l',
    '<&- ls',
    'ls 2>& - x',
    'ls <&-;ls',
    'ls 2>&-|cat',
    '(ls <&-)',
    'ls 3<&4-',
  ])
    assert.deepEqual(problems(text), [], text)
})
