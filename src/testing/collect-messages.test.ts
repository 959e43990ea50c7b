/** Draining a query, and the options a test query runs with. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { collect } from './collect-messages.js'
import { testOptions } from './query-options.js'

type Message = { type: 'assistant'; text: string } | { type: 'result'; subtype: string }

async function* yielding(messages: Message[], error?: Error): AsyncGenerator<Message> {
  yield* messages
  if (error) throw error
}

test('collect gives all messages, all results and the last result', async () => {
  const messages: Message[] = [
    { type: 'assistant', text: 'a' },
    { type: 'result', subtype: 'success' },
    { type: 'assistant', text: 'b' },
    { type: 'result', subtype: 'error_max_turns' },
  ]
  assert.deepEqual(await collect(yielding(messages)), {
    messages,
    result: messages[3],
    results: [messages[1], messages[3]],
    error: undefined,
  })
})

test('collect keeps what came before an error', async () => {
  const error = new Error('broken')
  const messages: Message[] = [{ type: 'assistant', text: 'a' }]
  assert.deepEqual(await collect(yielding(messages, error)), { messages, result: undefined, results: [], error })
})

const server = { env: () => ({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:1', ANTHROPIC_API_KEY: 'sk-ant-test' }) }

test('testOptions isolates a query from the machine', async () => {
  process.env['KEDGE_SECRET_OF_THE_DEVELOPER'] = 'x'
  let root = ''
  {
    await using options = testOptions(server)
    delete process.env['KEDGE_SECRET_OF_THE_DEVELOPER']
    root = join(options.cwd, '..')
    const { PATH, Path, PATHEXT, SystemRoot, SYSTEMROOT, ComSpec, LANG, XDG_CACHE_HOME, ...env } = options.env
    assert.ok(PATH ?? Path)
    assert.equal(XDG_CACHE_HOME, process.env['XDG_CACHE_HOME'])
    assert.deepEqual(env, {
      HOME: join(root, 'home'),
      USERPROFILE: join(root, 'home'),
      CLAUDE_CONFIG_DIR: join(root, 'home', '.claude'),
      TMPDIR: join(root, 'tmp'),
      TEMP: join(root, 'tmp'),
      TMP: join(root, 'tmp'),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      KEDGE_NOTICES: '1',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
      ANTHROPIC_API_KEY: 'sk-ant-test',
    })
    assert.deepEqual([readdirSync(options.cwd), readdirSync(join(root, 'home'))], [[], ['.claude']])
    assert.equal(options.cwd, realpathSync(options.cwd))
  }
  assert.equal(existsSync(root), false)
})

test('testOptions takes overrides, and leaves a cwd of the caller alone', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'kedge-own-'))
  {
    await using options = testOptions(server, { cwd, maxTurns: 3, env: { DEBUG: '1', ANTHROPIC_API_KEY: undefined } })
    assert.deepEqual(
      [options.cwd, options.maxTurns, options.env['DEBUG'], options.env['ANTHROPIC_API_KEY']],
      [cwd, 3, '1', undefined],
    )
    assert.equal(options.env['ANTHROPIC_BASE_URL'], 'http://127.0.0.1:1')
  }
  assert.equal(existsSync(cwd), true)
  rmSync(cwd, { recursive: true })
})
