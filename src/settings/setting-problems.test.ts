import assert from 'node:assert/strict'
import { test } from 'node:test'
import { childKeyPath, createProblemList, printableValue } from './setting-problems.js'

test('a problem names its place in the text, its key, and what is wrong', () => {
  const { report, problems } = createProblemList('userSettings', '/s.json', '{\n  "a": 1\n}')
  report('warning', { offset: 4, key: 'a', text: 'is odd.' })
  report('refuse', { text: 'is no file.' })
  report('note', { key: 'b', withheld: true, text: 'is not used.' })
  const about = { source: 'userSettings', file: '/s.json' }
  assert.deepEqual(problems(), [
    { severity: 'warning', ...about, line: 2, column: 3, key: 'a', message: '/s.json:2:3: a is odd.' },
    { severity: 'refuse', ...about, message: '/s.json: is no file.' },
    { severity: 'note', ...about, key: 'b', withheld: true, message: '/s.json: b is not used.' },
  ])
})

test('each kind of problem has its own count; of notes the rest is not worth a line', () => {
  const { report, problems } = createProblemList('flagSettings', 'f')
  for (let n = 0; n < 27; n += 1)
    for (const severity of ['note', 'warning'] as const) report(severity, { text: `${n}` })
  for (let n = 0; n < 25; n += 1) report('refuse', { text: `${n}` })
  const found = problems()
  const count = (wanted: string) => found.filter(({ severity }) => severity === wanted).length
  assert.deepEqual([count('note'), count('warning'), count('refuse')], [25, 26, 25])
  assert.equal(found.at(-1)?.message, 'f: and 2 more like these.')
})

test('keys are written as people write them; what is no plain word is quoted', () => {
  const cases: [string, string | number, string][] = [
    ['', 'env', 'env'],
    ['env', 'A_B-c$', 'env.A_B-c$'],
    ['permissions.allow', 2, 'permissions.allow[2]'],
    ['env', 'a.b', 'env["a.b"]'],
    ['', 'a b', '["a b"]'],
    ['env', '', 'env[""]'],
    ['env', 'x\u001b[2J"', 'env["x\ufffd[2J\\""]'],
    ['env', 'k'.repeat(101), `env["${'k'.repeat(100)}…"]`],
  ]
  for (const [parent, part, wanted] of cases) assert.equal(childKeyPath(parent, part), wanted)
})

test('half a character is not shown as if it were one', () => {
  assert.equal(printableValue('a\ud83d', 10), 'a\ufffd')
  assert.equal(printableValue('a\u200bb\u2028c', 10), 'a\ufffdb\ufffdc')
  assert.equal(printableValue('😀 fine', 10), '😀 fine')
})
