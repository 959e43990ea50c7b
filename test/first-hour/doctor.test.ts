/** `kedge doctor`: a line for each thing a session needs, the fix where one is needed, no keys, and an exit code. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe } from 'node:test'
import { startModelServer, type TestOptions, testOptions } from 'kedge/testing'
import { sampledTest as test } from '../support/tier.js'
import { cli, kedge, type Place, run } from './kedge.js'

const KEY = 'sk-ant-secret-0123456789'
type Found = { check: string; state: string; text: string; fix?: string; file?: string; line?: number; key?: string }

async function doctor(place: Place, ...flags: string[]) {
  const { code, stdout, stderr } = await kedge(['doctor', '--json', ...flags], place)
  assert.equal(stderr, '')
  assert.ok(!stdout.includes('secret'), 'no key is shown')
  // What the command promises; looked at below.
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Found[] }
  assert.equal(code, ok ? 0 : 1)
  assert.equal(ok, !checks.some(({ state }) => state === 'fail'))
  const of = (check: string) => checks.filter((one) => one.check === check)
  return { code, checks, of, states: (check: string) => of(check).map(({ state }) => state) }
}

function put(options: TestOptions, name: string, content: unknown): string {
  const path = join(options.cwd, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

describe('kedge doctor', { concurrency: 3 }, () => {
  test('all is well: every check has its line, exit code 0, and nothing is left behind', async () => {
    await using server = await startModelServer([])
    await using options = testOptions(server, { env: { ANTHROPIC_API_KEY: KEY } })
    const before = readdirSync(options.env['HOME'] ?? '')
    const { code, stdout } = await kedge(['doctor'], options)
    assert.equal(code, 0, stdout)
    for (const line of [
      /^ok {4}node +v\d+/m,
      /^ok {4}key +key of ANTHROPIC_API_KEY, 24 characters$/m,
      /^ok {4}endpoint +http:\/\/127\.0\.0\.1:\d+ answers in \d+ ms/m,
      /^ok {4}shell +\/.*bash$/m,
      /^(ok {4}|warn {2})ripgrep/m,
      /^(ok {4}|warn {2})sandbox/m,
      /^ok {4}permissions +no rules, mode default$/m,
      /^ok {4}home/m,
      /^ok {4}cache/m,
      /^ok {4}temporary/m,
      /^(ok {4}|warn {2})disk +\d+ MB free/m,
      /\n\n0 failed, \d warnings, \d+ ok\n$/,
    ])
      assert.match(stdout, line)
    assert.ok(!stdout.includes(KEY))
    assert.deepEqual(server.requests, [], 'the model is not asked anything')
    assert.deepEqual(
      readdirSync(options.env['HOME'] ?? '').filter((name) => name !== '.cache'),
      before,
    )
  })

  test('--offline sends nothing; no key is a note; a wrong flag is refused', async () => {
    await using server = await startModelServer([])
    await using options = testOptions(server, { env: { ANTHROPIC_API_KEY: undefined, HTTPS_PROXY: 'http://proxy' } })
    const { of, states } = await doctor(options, '--offline')
    assert.deepEqual([server.requests.length, server.otherRequests.length], [0, 0])
    assert.match(of('endpoint')[0]?.text ?? '', /not checked \(--offline\)/)
    assert.deepEqual(states('key'), ['note'])
    assert.deepEqual(states('proxy'), ['ok'])
    const wrong = await kedge(['doctor', '--jsn'], options)
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /^error: unknown option '--jsn'\n\(Did you mean --json\?\)\nRun `kedge doctor --help`/)
  })

  test('without a key: one friendly line, no request, exit code 0', async () => {
    await using options = testOptions({ env: () => ({ ANTHROPIC_API_KEY: undefined, ANTHROPIC_BASE_URL: undefined }) })
    const { code, stdout, stderr } = await kedge(['doctor'], options)
    assert.deepEqual([code, stderr], [0, ''])
    const lines = stdout.split('\n').filter((line) => / (?:key|endpoint) /.test(line.slice(0, 20)))
    assert.deepEqual(lines, [
      'note  key          no API key yet. Try Kedge without one: kedge --model practice. For a real model, set ANTHROPIC_API_KEY.',
    ])
    assert.doesNotMatch(stdout, /logged in|\n {6,}fix: .*model: '/)
  })

  test('endpoints: nobody there, a refused key, a gateway that lists no models', async () => {
    const statuses = [401, 404, 500]
    const web = createServer((_, response) => response.writeHead(statuses.shift() ?? 200).end('{}'))
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
    // A listening server of ours has such an address.
    const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
    await using options = testOptions({ env: () => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY }) })
    const ask = async (env = options.env) => (await doctor({ ...options, env })).of('endpoint')[0]
    const refused = await ask()
    assert.equal(refused?.state, 'fail')
    assert.match(refused?.fix ?? '', /rejected the key of ANTHROPIC_API_KEY/)
    assert.match((await ask())?.text ?? '', /it doesn't list its models$/)
    assert.equal((await ask())?.state, 'warn')
    web.close()
    const nobody = await ask({ ...options.env, ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' })
    assert.deepEqual([nobody?.state, nobody?.text], ['fail', 'Connection error. 127.0.0.1:1: ECONNREFUSED'])
    assert.match(nobody?.fix ?? '', /^Nothing listens at 127\.0\.0\.1:1/)
    const { of } = await doctor({ ...options, env: { ...options.env, ANTHROPIC_BASE_URL: 'ftp://x' } })
    assert.match(of('environment')[0]?.text ?? '', /^ANTHROPIC_BASE_URL must be http or https/)
  })

  test('files: mistakes have file, line and key; rules that never count are named with what outdoes them', async () => {
    await using server = await startModelServer([])
    await using options = testOptions(server)
    const settings = put(
      options,
      '.claude/settings.json',
      '{\n  "modle": "x",\n  "permissions": { "ask": ["Bash(git log:*)"] }\n}',
    )
    const mcp = put(options, '.mcp.json', '{\n"mcpServers": {\n  "db": { "command": 3 } } }')
    put(options, 'CLAUDE.md', 'Hello.')
    const user = join(options.env['CLAUDE_CONFIG_DIR'] ?? '', 'settings.json')
    const rules = { allow: ['Bash(git log:*)', 'Read(src/**)', 'WebFetch(domain:a.example)', 'Bash(npm test)'] }
    const deny = ['Bash(git:*)', 'WebFetch', 'Read(src/**)']
    writeFileSync(user, JSON.stringify({ permissions: { ...rules, deny }, env: { A: 'secret' } }))
    const { checks, of, states } = await doctor(options, '--offline')
    const [unknown] = checks.filter(({ key }) => key === 'modle')
    assert.deepEqual([unknown?.state, unknown?.file, unknown?.line], ['warn', settings, 2])
    const [server1] = of('mcp')
    assert.deepEqual([server1?.file, server1?.line, server1?.key], [mcp, 3, 'mcpServers.db'])
    assert.match(server1?.text ?? '', /:3:3: the server db: `command` must be a text/)
    assert.deepEqual(states('trust'), ['warn'])
    assert.match(of('trust')[0]?.text ?? '', /\.mcp\.json/)
    assert.deepEqual(
      of('permissions')
        .map(({ text }) => text)
        .sort(),
      [
        'the allow rule Bash(git log:*) (userSettings) never applies: the deny rule Bash(git:*) (userSettings) comes first',
        'the allow rule Read(src/**) (userSettings) never applies: the deny rule Read(src/**) (userSettings) comes first',
        'the allow rule WebFetch(domain:a.example) (userSettings) never applies: the deny rule WebFetch (userSettings) comes first',
        'the ask rule Bash(git log:*) (projectSettings) never applies: the deny rule Bash(git:*) (userSettings) comes first',
      ],
    )
    writeFileSync(user, JSON.stringify({ permissions: { deny: ['Bash(rm'] } }))
    const local = put(options, '.claude/settings.local.json', '{ "permissions": ')
    const refused = await doctor(options, '--offline')
    assert.equal(refused.code, 1)
    const [wrong] = refused.checks.filter(({ file }) => file === user)
    assert.deepEqual([wrong?.state, wrong?.key], ['fail', 'permissions.deny[0]'])
    assert.match(wrong?.fix ?? '', /no session starts here/)
    const [broken] = refused.checks.filter(({ file }) => file === local)
    // It may have had deny rules.
    assert.deepEqual([broken?.state, broken?.line], ['fail', 1])
  })

  test('no bubblewrap: a warning, and a failure where settings want the sandbox; a home that can not be written', async () => {
    await using server = await startModelServer([])
    await using options = testOptions(server)
    const bin = join(options.cwd, 'bin')
    mkdirSync(bin)
    symlinkSync('/bin/bash', join(bin, 'bash'))
    const noHome = { HOME: '/proc', CLAUDE_CONFIG_DIR: undefined, XDG_CACHE_HOME: undefined }
    const env = { ...options.env, PATH: bin, ...noHome, USE_BUILTIN_RIPGREP: '0' }
    const bare = await doctor({ ...options, env }, '--offline')
    assert.deepEqual(
      ['sandbox', 'ripgrep', 'home', 'cache', 'shell'].map((check) => bare.states(check).join()),
      ['warn', 'warn', 'warn', 'warn', 'ok'],
    )
    for (const { fix } of [...bare.of('sandbox'), ...bare.of('ripgrep'), ...bare.of('home')]) assert.ok(fix)
    const settings = join(options.env['CLAUDE_CONFIG_DIR'] ?? '', 'settings.json')
    writeFileSync(settings, JSON.stringify({ sandbox: { enabled: true } }))
    const wanted = await doctor({ ...options, env: { ...options.env, PATH: bin } }, '--offline')
    assert.deepEqual(wanted.states('sandbox'), ['fail'])
  })

  const noSmallDisk = spawnSync('bwrap', ['--dev-bind', '/', '/', '--size', '4096', '--tmpfs', '/mnt', 'true']).status
  test('a full disk fails', {
    skip: noSmallDisk === 0 ? false : 'no bubblewrap to make a small disk with',
  }, async () => {
    await using server = await startModelServer([])
    await using options = testOptions(server)
    const folder = options.env['CLAUDE_CONFIG_DIR'] ?? ''
    const disk = ['--dev-bind', '/', '/', '--size', '65536', '--tmpfs', folder, '--']
    const { code, stdout } = await run('bwrap', [...disk, process.execPath, cli, 'doctor', '--offline'], options)
    assert.equal(code, 1)
    assert.match(stdout, /^fail {2}disk +0 MB free .*\n +fix: free some space/m)
  })
})
