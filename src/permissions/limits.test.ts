/** Input beyond every limit: long, many parts, deep, odd. A hundred of them, none of which runs without a question. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bash, engine } from './test-world.js'

/** Each makes about `size` characters of something that would be allowed if it were short. */
const SHAPES: Record<string, (size: number) => string> = {
  'a long word': (size) => `echo ${'a'.repeat(size)}`,
  'many words': (size) => `echo ${'a '.repeat(size / 2)}`,
  'many commands': (size) => 'ls;'.repeat(size / 3),
  'many lines': (size) => 'ls\n'.repeat(size / 3),
  'a long pipe': (size) => `ls${' | cat'.repeat(size / 6)}`,
  'a long and-list': (size) => `ls${' && ls'.repeat(size / 6)}`,
  'deep substitutions': (size) => `echo ${'$(echo '.repeat(size / 8)}${')'.repeat(size / 8)}`,
  'deep subshells': (size) => `${'( '.repeat(size / 4)}ls${' )'.repeat(size / 4)}`,
  'deep groups': (size) => `${'{ '.repeat(size / 5)}ls${'; }'.repeat(size / 5)}`,
  'many backticks': (size) => 'echo `ls` '.repeat(size / 10),
  'a long quoted text': (size) => `echo "${'a b '.repeat(size / 4)}"`,
  'a long here-document': (size) => `cat <<E\n${'a line\n'.repeat(size / 7)}E\n`,
  'many redirects': (size) => `ls${' 2>/dev/null'.repeat(size / 12)}`,
  'many braces': (size) => `echo ${'{a,b}'.repeat(size / 5)}`,
  'many assignments': (size) => `${'LANG=C '.repeat(size / 7)}ls`,
  'a long comment': (size) => `ls #${'a'.repeat(size)}`,
  'many parentheses that never close': (size) => '('.repeat(size),
  'a quote that never closes': (size) => `echo '${'a'.repeat(size)}`,
  'a long path': (size) => `cat ${'a/'.repeat(size / 2)}b`,
  'a path of many parents': (size) => `cat ${'a/../'.repeat(size / 5)}b`,
}
const SIZES = [10_100, 40_000, 131_100, 400_000, 1_000_000]

test('a hundred commands beyond a limit ask, whatever allows their short form', async () => {
  const permissions = engine({ mode: 'acceptEdits', allow: ['Bash', 'Bash(echo *)', 'Read', 'Edit'] })
  const short: string[] = []
  const ran: string[] = []
  let tried = 0
  for (const [name, shape] of Object.entries(SHAPES)) {
    if (!/never closes?/.test(name) && (await bash(permissions, shape(60))) !== 'allow') short.push(name)
    for (const size of SIZES) {
      tried += 1
      if ((await bash(permissions, shape(size))) === 'allow') ran.push(`${name} ${size}`)
    }
  }
  assert.equal(tried, 100)
  assert.deepEqual({ ran, short }, { ran: [], short: [] })
})

test('in bypass, where length alone is no reason, a deny rule that can not be checked still holds', async () => {
  const permissions = engine({ mode: 'bypassPermissions', deny: ['Bash(curl *)'] })
  for (const [name, shape] of Object.entries(SHAPES))
    for (const size of SIZES)
      assert.notEqual(await bash(permissions, `${shape(size)}\ncurl x`), 'allow', `${name} ${size}`)
})

test('paths and addresses beyond every limit', async () => {
  const permissions = engine({ mode: 'acceptEdits', allow: ['Read(**)', 'Edit(**)'] })
  for (const path of [
    `/repo/${'a/'.repeat(500_000)}b`,
    `/repo/${'../'.repeat(300_000)}etc/x`,
    `/repo/${'a'.repeat(1_000_000)}`,
  ]) {
    const read = { id: 't', name: 'Read', input: { file_path: path } }
    assert.equal((await permissions.decide(read, { kind: 'read', paths: [path] })).behavior, 'ask')
    const write = { id: 't', name: 'Write', input: { file_path: path } }
    assert.equal((await permissions.decide(write, { kind: 'edit', path })).behavior, 'ask')
  }
  const url = `https://${'a'.repeat(1_000_000)}.com`
  const fetch = { id: 't', name: 'WebFetch', input: { url } }
  assert.equal((await permissions.decide(fetch, { kind: 'fetch', url })).behavior, 'ask')
})
