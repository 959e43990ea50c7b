import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.js'
import { compileFilePattern, createFilePattern, matchesFile, mayMatchInside } from './file-pattern.js'

const where = { cwd: '/repo', home: '/home/u' }
const compile = (pattern: string, forbids: boolean) => compileFilePattern(pattern, where, '/settings', forbids)
const denies = (pattern: string, path: string) => matchesFile(compile(pattern, true), path)
const matchName = (pattern: string, name: string) => matchesFile(createFilePattern('/', [pattern], false), `/${name}`)
const allows = (pattern: string, path: string) => matchesFile(compile(pattern, false), path)

test('where a pattern starts', () => {
  assert.ok(allows('//etc/hosts', '/etc/hosts'))
  assert.ok(allows('~/Documents/*.pdf', '/home/u/Documents/a.pdf'))
  assert.ok(allows('/docs/**', '/settings/docs/a'))
  assert.ok(!allows('/docs/**', '/repo/docs/a'))
  assert.ok(allows('docs/**', '/repo/docs/a'))
  assert.ok(allows('./docs/**', '/repo/docs/a'))
  assert.ok(allows('../shared/**', '/shared/a'))
  assert.ok(!allows('docs/**', '/other/docs/a'))
})

test('a name alone matches at any depth below the start, and what it holds', () => {
  assert.ok(denies('.env', '/repo/.env'))
  assert.ok(denies('.env', '/repo/a/b/.env'))
  assert.ok(denies('secrets/', '/repo/a/secrets/b/c'))
  assert.ok(!denies('.env', '/other/.env'))
  assert.ok(!denies('.env', '/repo/.environment'))
  assert.ok(denies('//**/.env', '/other/.env'))
})

test('dir/** forbids at any depth but allows only at the top', () => {
  assert.ok(denies('secrets/**', '/repo/a/secrets/b'))
  assert.ok(!allows('secrets/**', '/repo/a/secrets/b'))
  assert.ok(!denies('/secrets/**', '/settings/a/secrets/b'))
  assert.ok(!denies('src/components/**', '/repo/x/src/components/a'))
  assert.ok(!denies('secrets/**', '/repo/secretsfoo/a'))
})

test('one star stays in its folder', () => {
  assert.ok(allows('src/*', '/repo/src/a'))
  assert.ok(!allows('src/*', '/repo/src/a/b'))
  assert.ok(denies('src/*', '/repo/src/a/b'))
  assert.ok(allows('src/**/*.ts', '/repo/src/a/b/c.ts'))
  assert.ok(allows('src/**/*.ts', '/repo/src/c.ts'))
  assert.ok(allows('docs', '/repo/docs/a'))
})

test('characters of a name', () => {
  const table: [string, string, boolean][] = [
    ['*.p?m', 'key.pem', true],
    ['file[0-9].txt', 'file1.txt', true],
    ['file[0-9].txt', 'file10.txt', false],
    ['[!a]', 'b', true],
    ['[!a]', 'a', false],
    ['[]x]', ']', true],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    ['[a', '[a', true],
    ['a*b*c', 'axxbxxc', true],
    ['a*b*c', 'axxcxxb', false],
    ['[a-c]x', 'bx', true],
    ['[a-c]x', 'dx', false],
    ['[a-]', '-', true],
    ['[^a]', 'b', true],
    ['[]', '[]', true],
    ['[[:alpha:]]*', 'éa', true],
    ['[[:alpha:]]*', '1a', false],
    ['[![:digit:]x]', 'a', true],
    ['[![:digit:]x]', '7', false],
    ['[![:digit:]x]', 'x', false],
    ['[[:nope:]]', 'n', false],
    ['[[:space:][:punct:]]', '!', true],
    ['[[:upper:]][[:lower:]][[:alnum:]][[:xdigit:]]', 'Aa1f', true],
    ['?', '😀', true],
    ['[😀-😂]', '😁', true],
    ['a\\', 'a\\', true],
  ]
  for (const [pattern, name, expected] of table)
    assert.equal(matchName(pattern, name), expected, `${pattern} ~ ${name}`)
})

test('a folder by itself, and parents on the way', () => {
  for (const pattern of ['~', '~/', '~/.', '//home/u/', '~/a/..']) assert.ok(denies(pattern, '/home/u/a/b'), pattern)
  for (const pattern of ['.', './', 'a/..']) assert.ok(denies(pattern, '/repo/a'), pattern)
  for (const pattern of ['/', '/.']) assert.ok(denies(pattern, '/settings/a'), pattern)
  for (const pattern of ['..', '../']) assert.ok(denies(pattern, '/other/a'), pattern)
  assert.ok(denies('//', '/etc/passwd'))
  // As permission it says too little.
  for (const pattern of ['~', '~/', '.', './', '/', '//', '..']) assert.ok(!allows(pattern, '/home/u/a'), pattern)
  assert.ok(!allows('.', '/repo/a'))
  assert.ok(denies('src/../secrets/**', '/repo/secrets/a'))
  assert.ok(denies('.//src///gen/**', '/repo/src/gen/a'))
  assert.ok(denies('../../x', '/x'))
  assert.ok(!denies('~user/a', '/home/u/a'))
})

test('folders that may hold a match', () => {
  assert.ok(mayMatchInside(compile('secrets/**', true), '/repo'))
  assert.ok(mayMatchInside(compile('secrets/**', true), '/repo/src'))
  assert.ok(mayMatchInside(compile('/a/b', true), '/settings'))
  assert.ok(!mayMatchInside(compile('/a/b', true), '/settings/c'))
  assert.ok(!mayMatchInside(compile('secrets/**', true), '/other'))
})

test('bounded time for patterns made to be slow', () => {
  assert.equal(matchName('*a'.repeat(200), 'a'.repeat(5000).concat('b')), false)
  assert.equal(denies('**/a/'.repeat(60).concat('b'), `/repo/${'a/'.repeat(2000)}c`), false)
})

test('no pattern makes matching throw', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '/', '*', '?', '[', ']', '!', '\\', '.', '~', '-') })
  fc.assert(fc.property(text, text, (pattern, path) => typeof denies(pattern, `/repo/${path}`) === 'boolean'))
})
