import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completionWordAt, rankByQuery } from './completion-menu.js'

test('a command only at the start, a file anywhere, with blanks in quotes', () => {
  const cases: [marked: string, word: ReturnType<typeof completionWordAt>][] = [
    ['/he|', { kind: 'command', text: '/he' }],
    ['/|', { kind: 'command', text: '/' }],
    ['/help |', undefined],
    ['say /he|', undefined],
    ['see @src/te|', { kind: 'file', text: '@src/te' }],
    ['@|', { kind: 'file', text: '@' }],
    ['@"my file|', { kind: 'file', text: '@"my file' }],
    ['@"my file"|', undefined],
    ['ada@example|', undefined],
    ['@src/a| and more', { kind: 'file', text: '@src/a' }],
  ]
  for (const [marked, word] of cases) {
    const at = marked.indexOf('|')
    assert.deepEqual(completionWordAt(marked.replace('|', ''), at), word, marked)
  }
})

test('the best first: at a start, in one piece, short; without all letters in order not at all', () => {
  const files = ['src/session/store.ts', 'store', 'restore.ts', 'scripts/test-once.ts', 'docs/page.md', 'zzz']
  const found = rankByQuery(files, 'STORE', (file) => file)
  assert.deepEqual(found.slice(0, 3), ['store', 'src/session/store.ts', 'restore.ts'])
  assert.ok(!found.includes('zzz') && !found.includes('docs/page.md'))
  assert.deepEqual(rankByQuery(['b', 'a'], '', String), ['b', 'a'])
})

test('at most fifty', () => {
  const many = Array.from({ length: 200 }, (_, n) => `file-${n}`)
  assert.equal(rankByQuery(many, 'file', String).length, 50)
})
