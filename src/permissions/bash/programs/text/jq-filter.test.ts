import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { byTier } from '../../../../../test/support/tier.js'
import { loadShellParser } from '../../syntax/parse-command.js'
import { filesReadByJq } from './jq.js'
import { isHarmlessJqFilter } from './jq-filter.js'

const parse = await loadShellParser()

const HARMLESS = [
  '.',
  '',
  '.scripts | keys[]',
  '.[] | select(.active and .age > 3) | .name',
  '.[] | [.id, .name] | @csv',
  '.[] | {id, name, env, "the key": .x, import: 1, (.k): 2}',
  '. as {env: $x, b: [$y]} | $x',
  '.env.ENV."include"',
  '.["a b"]?, .a[1:3], .b[-1]',
  '"\\(.name): \\(.tags | join(", ")) \\"env\\" \\("in \\(.x)")"',
  'map(.price * 2) | add / length',
  'to_entries[] | "\\(.key)=\\(.value)"',
  'if .a == null then "none" elif .b then .c // "x" else empty end',
  'reduce .[] as $x (0; . + $x)',
  '[.. | strings] | unique | sort_by(length) | first',
  'with_entries(.value |= tostring)',
  '.a |= 1 | .b += 2 | del(.c)',
  'try error("x") catch .',
  '.version | test("^[0-9]+\\\\.")',
  '$x',
]

test('filters that compute with their input', () => {
  for (const filter of HARMLESS) assert.equal(isHarmlessJqFilter(filter), true, filter)
})

test('filters that read the environment or other files, and what is not known', () => {
  for (const filter of [
    'env',
    '$ENV',
    '$ENV.TOKEN',
    '$ ENV',
    '$__prog_args',
    '$__loc__',
    'env.TOKEN',
    '. | env | .TOKEN',
    '"\\(env)"',
    '"a\\("b\\(env.X)")"',
    '"\\(1)" + "\\($ENV)"',
    '{a: env}',
    '{a: env, b}',
    '[1, env]',
    '(1, env)',
    '.[0,env:2]',
    '{a: [1, env]}',
    '..env',
    '.a env',
    'import "a" as x; .',
    'include "a"; .',
    'modulemeta',
    'x::f',
    '{x::f}',
    '$x::f',
    'def f: env; f',
    'get_search_list',
    'builtins',
    '. # env',
    'getpath(["a"]) | env',
    // What does not close isn't a filter.
    '"a',
    '"\\(1',
    '(1',
    '1)',
    '[1)',
    '{a: (1}',
    '"\\([1)"]',
    '`id`',
    "'a'",
  ])
    assert.equal(isHarmlessJqFilter(filter), false, filter)
})

test('the files that jq reads', () => {
  const files = (text: string) => filesReadByJq(parse(text).commands[0]?.words ?? [])?.map((word) => word.value)
  assert.deepEqual(files('jq . a.json b.json'), ['a.json', 'b.json'])
  assert.deepEqual(files('jq -rc --tab .a a.json -S'), ['a.json'])
  assert.deepEqual(files('jq --arg n "$x" --argjson m 1 --indent 2 .a packages/*/package.json'), [
    'packages/*/package.json',
  ])
  assert.deepEqual(files('jq -n 1 -'), ['-'])
  for (const text of [
    'jq',
    'jq -n',
    'jq -f x.jq a.json',
    'jq -rf x.jq a.json',
    'jq --from-file x.jq',
    'jq -L dir . a.json',
    'jq --slurpfile a /etc/passwd . b.json',
    'jq --rawfile a /etc/passwd . b.json',
    'jq --args . a b',
    'jq --arg n $x . a.json',
    'jq --arg ENV x . a.json',
    'jq --indent x . a.json',
    'jq . *.json',
    'jq "$x" a.json',
    'jq . "$x"',
    'jq a*b a.json',
    'jq env',
  ])
    assert.equal(files(text), undefined, text)
})

const hasJq = spawnSync('jq', ['-n', '1']).status === 0

test('jq itself shows no environment and no other file for what is taken for harmless', { skip: !hasJq }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-jq-'))
  writeFileSync(join(folder, 'm.jq'), 'def f: "canary";')
  const env = { PATH: process.env.PATH, HOME: folder, TOKEN: 'canary' }
  const token = fc.constantFrom(
    ...['env', '$ENV', '$', 'ENV', '.env', '.', '..', '.a', 'm::f', 'f', 'import "m" as m;', 'include "m";', 'def f:'],
    ...['"', '"', '\\(', '\\(', '(', ')', '(', ')', '[', ']', '{', '}', ',', ':', ';', '|', '#', '\n', ' ', '\\', '?'],
    ...['1', 'a', 'length', 'keys', 'add', 'tojson', 'as', '$x', '@json', '//', '=', 'if', 'then', 'end', 'debug'],
  )
  const glued = (separator: string) => fc.array(token, { maxLength: 7 }).map((parts) => parts.join(separator))
  const text = fc.tuple(glued(''), glued(' ')).map(([a, b]) => `"${a}\\(${b})" | ${a}`)
  const list = fc.tuple(glued(''), glued(' ')).map(([a, b]) => `[1, {a: ${a}, ${b}}]`)
  let ran = 0
  const numRuns = byTier({ quick: 50, all: 250, long: 100_000 })
  try {
    fc.assert(
      fc.property(fc.oneof(glued(''), glued(' '), text, list, fc.constantFrom(...HARMLESS)), (filter) => {
        if (!isHarmlessJqFilter(filter)) return
        const options = { cwd: folder, env, input: '{"a":1}', encoding: 'utf8', timeout: 5_000 } as const
        const { status, stdout, stderr } = spawnSync('jq', ['--arg', 'x', '1', filter], options)
        if (status === 0) ran += 1
        assert.doesNotMatch(stdout, /canary/, filter)
        // What does not compile is shown as it is, and nothing has run.
        if (status !== 3) assert.doesNotMatch(stderr, /canary/, filter)
        assert.deepEqual(readdirSync(folder), ['m.jq'], filter)
      }),
      { numRuns },
    )
    assert.ok(ran > numRuns / 15, `only ${ran} filters ran`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
