import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { nodeClock } from '../../../platform/clock.js'
import { nodeFiles } from '../../../platform/files/files.js'
import { createProcessRunner } from '../../../platform/processes/processes.js'
import { createKeyHelper, type KeyHelperOptions, type KeyHelperStatus } from './key-helper.js'
import { type CredentialOptions, createCredentialSource } from './resolve.js'

const KEY = 'sk-ant-0123456789'

async function home(t: TestContext, content: Record<string, unknown> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kedge-credentials-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const [name, value] of Object.entries(content)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value))
  }
  return folder
}

function source(folder: string, overrides: Partial<CredentialOptions> = {}) {
  return createCredentialSource({ env: {}, files: nodeFiles, clock: nodeClock, home: folder, ...overrides })
}

function helper(folder: string, overrides: Partial<KeyHelperOptions> = {}) {
  const env = { PATH: process.env['PATH'] }
  return createKeyHelper({
    processes: createProcessRunner(),
    clock: nodeClock,
    env,
    cwd: folder,
    ttlMs: 60_000,
    ...overrides,
  })
}

async function explanation(credentials: ReturnType<typeof source>): Promise<string[]> {
  const credential = await credentials.current()
  assert.equal(credential.kind, 'none')
  return credential.kind === 'none' ? credential.explanation.split('\n') : []
}

test('the environment comes first, in order, and no file is looked at', async () => {
  const unreadable = {
    existsSync: () => assert.fail('looked for a file'),
    readTextSync: () => assert.fail('read a file'),
  }
  const all = { ANTHROPIC_API_KEY: ` ${KEY}1\n`, ANTHROPIC_AUTH_TOKEN: 'token', CLAUDE_API_KEY: 'other' }
  const rows = [
    [all, { kind: 'api-key', secret: `${KEY}1`, source: 'ANTHROPIC_API_KEY', token: 'token' }],
    [
      { ...all, ANTHROPIC_API_KEY: '' },
      { kind: 'bearer', secret: 'token', source: 'ANTHROPIC_AUTH_TOKEN' },
    ],
    [{ CLAUDE_API_KEY: 'other' }, { kind: 'api-key', secret: 'other', source: 'CLAUDE_API_KEY' }],
  ] as const
  for (const [env, expected] of rows) {
    const credentials = source('/nowhere', { env, files: unreadable })
    assert.deepEqual([await credentials.current(), credentials.source()], [expected, expected.source])
  }
})

test('hosts are told of keys and of tokens', async (t) => {
  const folder = await home(t)
  const settings = { readUserSettings: () => ({ apiKeyHelper: 'echo x' }), helper: helper(folder) }
  const rows: [Partial<CredentialOptions>, string, string][] = [
    [{ env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_AUTH_TOKEN: 'token' } }, 'ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
    [{ env: { ANTHROPIC_AUTH_TOKEN: 'token' } }, 'none', 'ANTHROPIC_AUTH_TOKEN'],
    [{ env: { ANTHROPIC_API_KEY: KEY }, ...settings }, 'ANTHROPIC_API_KEY', 'none'],
    [settings, 'apiKeyHelper', 'apiKeyHelper'],
    [{}, 'none', 'none'],
  ]
  for (const [options, key, tokenSource] of rows)
    assert.deepEqual(source(folder, options).told(), { source: key, tokenSource })
})

test('keys in files', async (t) => {
  const stored = { kind: 'api-key', secret: KEY, source: 'config_file' }
  const rows: [Record<string, unknown>, boolean][] = [
    [{ '.claude.json': { primaryApiKey: KEY } }, true],
    [{ '.claude.json': { primaryApiKey: 'not-a-key', apiKey: 7, customApiKey: KEY } }, true],
    [{ '.claude.json.api': { anthropicApiKey: KEY }, '.claude.json': { apiKey: 'sk-ant-other' } }, true],
    [{ '.claude.json.api': 'garbage', '.claude.json': { apiKey: KEY } }, true],
    [{ '.claude.json': [KEY] }, false],
    [{ '.claude.json': { apiKey: 'sk-other' } }, false],
    [{ '.claude.json': { apiKey: `${KEY}\u0000` } }, false],
    [{ '.claude.json/folder': '' }, false],
  ]
  for (const [content, found] of rows) {
    const credentials = source(await home(t, content))
    const credential = await credentials.current()
    if (found) assert.deepEqual(credential, stored, JSON.stringify(content))
    else assert.equal(credential.kind, 'none', JSON.stringify(content))
    assert.equal(credentials.source(), found ? 'config_file' : 'none')
  }
})

test('the configuration folder counts when it is set', async (t) => {
  const configDir = await home(t, { '.claude.json': { apiKey: KEY } })
  const credential = await source(await home(t), { configDir }).current()
  assert.deepEqual(credential, { kind: 'api-key', secret: KEY, source: 'config_file' })
})

test('nothing at all: what to do about it', async (t) => {
  const lines = await explanation(source(await home(t)))
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /ANTHROPIC_API_KEY.*model: 'practice'/)
})

test('subscription logins are named and not used', async (t) => {
  const login = (expiresAt: number) => ({ claudeAiOauth: { accessToken: 'sk-ant-oat-secret', expiresAt } })
  const folder = await home(t, {
    '.claude/.credentials.json': login(0),
    '.claude/.claude-oauth-credentials.json': login(Number.MAX_SAFE_INTEGER),
  })
  const lines = await explanation(source(folder, { configDir: join(folder, '.claude') }))
  assert.equal(lines.length, 3)
  const rest = 'Kedge does not use subscription logins: they are for the apps they were made for.'
  assert.deepEqual(lines.slice(0, 2), [
    `A subscription login was found in ${join(folder, '.claude/.credentials.json')} (expired). ${rest}`,
    `A subscription login was found in ${join(folder, '.claude/.claude-oauth-credentials.json')}. ${rest}`,
  ])
  assert.ok(!lines.join().includes('secret'))
})

test('a key with characters no key has', async (t) => {
  const lines = await explanation(source(await home(t), { env: { ANTHROPIC_API_KEY: 'sk-ant-ä' } }))
  assert.equal(lines[0], 'ANTHROPIC_API_KEY holds characters that no key has.')
})

test('the helper is run when nothing else is there, and its key kept for a while', async (t) => {
  const folder = await home(t)
  const statuses: KeyHelperStatus[] = []
  let now = 0
  const keyHelper = helper(folder, { clock: { monotonic: () => now }, ttlMs: 100, onStatus: (s) => statuses.push(s) })
  const command = `echo x >> runs; echo " ${KEY} "`
  const credentials = source(folder, { helper: keyHelper, readUserSettings: () => ({ apiKeyHelper: command }) })
  assert.equal(credentials.source(), 'apiKeyHelper')
  const expected = { kind: 'api-key', secret: KEY, token: KEY, source: 'apiKeyHelper' }
  assert.deepEqual(await Promise.all([credentials.current(), credentials.current()]), [expected, expected])
  const runs = () => nodeFiles.readTextSync(join(folder, 'runs')).length / 2
  assert.equal(runs(), 1)
  now = 99
  await credentials.current()
  assert.equal(runs(), 1)
  now = 101
  await credentials.current()
  assert.equal(runs(), 2)
  credentials.forget()
  await credentials.current()
  assert.equal(runs(), 3)
  const one = [
    { isAuthenticating: true, output: [] },
    { isAuthenticating: false, output: [] },
  ]
  assert.deepEqual(statuses, [...one, ...one, ...one])
})

test('a helper that fails is explained without its output', async (t) => {
  const folder = await home(t)
  const rows: [string, string][] = [
    ['echo SECRET; echo no luck >&2; exit 3', 'apiKeyHelper ended with exit code 3: no luck'],
    [
      'set -x; KEY=opaque-key-0123456789; echo $KEY >/dev/null; echo $KEY; { echo asked with $KEY >&2; } 2>&1; exit 1',
      'apiKeyHelper ended with exit code 1: + exit 1',
    ],
    [
      'echo opaque-0123456789; echo refused opaque-0123456789 of ghp_0123456789abcdefghijABCDEFGHIJ012345 >&2; exit 1',
      'apiKeyHelper ended with exit code 1: refused [redacted] of [redacted]',
    ],
    [
      'printf "no \\033]0;evil\\007luck" >&2; exit 1',
      'apiKeyHelper ended with exit code 1: no \ufffd]0;evil\ufffdluck',
    ],
    ['true', 'apiKeyHelper printed no usable key.'],
    ['echo SECRET two words', 'apiKeyHelper printed no usable key.'],
  ]
  for (const [command, expected] of rows) {
    const statuses: KeyHelperStatus[] = []
    const keyHelper = helper(folder, { onStatus: (s) => statuses.push(s) })
    const readUserSettings = () => ({ apiKeyHelper: command })
    const lines = await explanation(source(folder, { helper: keyHelper, readUserSettings }))
    assert.equal(lines[0], expected)
    assert.deepEqual(statuses.at(-1), { isAuthenticating: false, output: [], error: expected })
  }
})

test('a helper that can not be started, is killed or is no command', async (t) => {
  const folder = await home(t)
  const readUserSettings = () => ({ apiKeyHelper: 'sleep 60' })
  const missing = helper(join(folder, 'no-such-folder'))
  assert.match(
    (await explanation(source(folder, { helper: missing, readUserSettings })))[0] ?? '',
    /^apiKeyHelper could not be started \(/,
  )
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 20)
  const killed = helper(folder, { signal: controller.signal })
  assert.match(
    (await explanation(source(folder, { helper: killed, readUserSettings })))[0] ?? '',
    /^apiKeyHelper was killed/,
  )
  const odd = source(folder, { helper: helper(folder), readUserSettings: () => ({ apiKeyHelper: 7 }) })
  assert.deepEqual([odd.source(), (await explanation(odd)).length], ['none', 1])
})
