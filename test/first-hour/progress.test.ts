/** `kedge -p` on a terminal shows what it does in one line that is gone at the end; nobody else ever sees it. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { startModelServer, testOptions } from 'kedge/testing'
import { sampledTest as test } from '../support/tier.js'
import { cli, noTerminal, onTerminal, quoted } from './kedge.js'

const turns = () => [
  { tools: [{ name: 'Read', input: { file_path: 'notes.txt' } }], usage: { input_tokens: 4321 } },
  { text: 'You need milk.', usage: { input_tokens: 4400 } },
]
const ERASE = '\r\u001b[K'

/** What the terminal got: `line` runs with `KEDGE` for the command. */
async function watch(env: Record<string, string>, flags: string[] = [], redirect = '') {
  await using server = await startModelServer(turns())
  await using options = testOptions(server, { env })
  writeFileSync(join(options.cwd, 'notes.txt'), 'milk')
  const command = quoted([process.execPath, cli, ...flags, '-p', 'What do I need?'])
  const { code, stdout } = await onTerminal(`${command} ${redirect} < /dev/null`, options)
  assert.equal(code, 0, stdout)
  return stdout
}

describe('on a terminal', { skip: noTerminal, concurrency: 2 }, () => {
  test('the progress line names the tool, seconds and tokens, and is gone before the answer', async () => {
    const screen = await watch({})
    assert.ok(screen.includes(ERASE))
    assert.match(screen, /\u001b\[2mRead notes\.txt · \d+ s · 4\.3k tokens in context\u001b\[22m/)
    assert.match(screen, /thinking · \d+ s/)
    // After the last erasure there is the answer and nothing else.
    assert.equal(screen.slice(screen.lastIndexOf(ERASE) + ERASE.length), 'You need milk.\r\n')
    for (const line of screen.split(ERASE)) assert.ok(line.replace(/\u001b\[\d+m/g, '').length < 80, line)
  })

  test('NO_COLOR: the line is plain', async () => {
    const screen = await watch({ NO_COLOR: '1' })
    assert.match(screen, /\r\u001b\[KRead notes\.txt · \d+ s/)
    assert.ok(!screen.includes('\u001b[2m'))
  })

  const silent: [name: string, env: Record<string, string>, flags: string[], redirect: string][] = [
    ['CI', { CI: 'true' }, [], ''],
    ['a dumb terminal', { TERM: 'dumb' }, [], ''],
    ['stderr in a file', {}, [], '2> err.txt'],
    ['--output-format json', {}, ['--output-format', 'json'], ''],
  ]
  for (const [name, env, flags, redirect] of silent) {
    test(`${name}: no progress line`, async () => {
      const screen = await watch(env, flags, redirect)
      assert.ok(!screen.includes('\u001b'), screen)
      assert.match(screen, /You need milk\./)
    })
  }
})
