/**
 * `kedge mcp import`, `search`, and `add` from a registry. The files are written as the other programs write theirs; the
 * registry is a real server. Bad files and bad answers are numbered.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sampledTest as test } from '../support/tier.js'
import { runProgramWith } from './command-run.js'

const kedge = fileURLToPath(new URL('../../../dist/kedge.cjs', import.meta.url))
const SECRET = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789'
const root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-import-')))
after(() => rmSync(root, { recursive: true, force: true }))

let folders = 0
function place(files: Record<string, string>) {
  folders += 1
  const home = join(root, `home${folders}`)
  const cwd = join(home, 'work')
  mkdirSync(cwd, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), text)
  }
  const run = (...args: string[]) =>
    runProgramWith(kedge, ['mcp', ...args], {
      cwd,
      env: { HOME: home, PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: join(home, '.config') },
    })
  const saved = (scope: 'local' | 'project' = 'local') => {
    const path = scope === 'local' ? join(home, '.claude.json') : join(cwd, '.mcp.json')
    if (!existsSync(path)) return undefined
    const all = JSON.parse(readFileSync(path, 'utf8'))
    return scope === 'local' ? all.projects?.[cwd]?.mcpServers : all.mcpServers
  }
  return { home, cwd, run, saved }
}

const stdio = (command: string, args: string[] = []) => ({ type: 'stdio', command, args })
const json = (value: unknown) => JSON.stringify(value)

describe('kedge mcp import', () => {
  const sources: Record<string, { file: string; text: string; servers: Record<string, unknown> }> = {
    'claude-desktop': {
      file: '.config/Claude/claude_desktop_config.json',
      text: json({ mcpServers: { files: { command: 'npx', args: ['-y', 'files'], env: { KEY: SECRET } } } }),
      servers: { files: { ...stdio('npx', ['-y', 'files']), env: { KEY: SECRET } } },
    },
    cursor: {
      file: 'work/.cursor/mcp.json',
      text: json({
        mcpServers: { web: { url: 'https://mcp.example/mcp', headers: { Authorization: `Bearer \${env:TOKEN}` } } },
      }),
      servers: {
        web: { type: 'http', url: 'https://mcp.example/mcp', headers: { Authorization: `Bearer \${TOKEN}` } },
      },
    },
    vscode: {
      file: 'work/.vscode/mcp.json',
      text: `{ // comment
        "inputs": [{ "id": "api-key", "type": "promptString" }],
        "servers": { "db": { "type": "stdio", "command": "db", "args": ["\${workspaceFolder}"], "env": { "K": "\${input:api-key}" }, }, /* last */ },
      }`,
      servers: { db: { ...stdio('db', ['.']), env: { K: `\${API_KEY}` } } },
    },
    codex: {
      file: '.codex/config.toml',
      text: `model = "x" # not of interest
[mcp_servers.docs]
command = 'docs-server'
args = [
  "--port", # a comment
  "3\\u0030",
]
env = { "A" = "1", B = "two" }

[mcp_servers."far.away"]
url = "https://x.example/mcp"

[mcp_servers.far]
url = "https://far.example/mcp"
bearer_token_env_var = "FAR_TOKEN"
[mcp_servers.far.http_headers]
X-Region = "eu"
[mcp_servers.off]
command = "off"
enabled = false
`,
      servers: {
        docs: { ...stdio('docs-server', ['--port', '30']), env: { A: '1', B: 'two' } },
        far: {
          type: 'http',
          url: 'https://far.example/mcp',
          headers: { 'X-Region': 'eu', Authorization: `Bearer \${FAR_TOKEN}` },
        },
      },
    },
    'mcp-json': {
      file: '.mcp.json',
      text: json({ mcpServers: { above: { command: 'above' } } }),
      servers: { above: stdio('above') },
    },
  }
  for (const [source, { file, text, servers }] of Object.entries(sources))
    test(`${source}: shows what would be added, and adds it with --yes`, async () => {
      const { run, saved } = place({ [file]: text })
      const shown = await run('import', source)
      assert.equal(shown.code, 0, shown.stderr)
      for (const name of Object.keys(servers)) assert.match(shown.stdout, new RegExp(`\\+ ${name}: `))
      assert.match(shown.stdout, /Nothing was changed/)
      assert.ok(!shown.stdout.includes(SECRET))
      assert.equal(saved(), undefined)
      assert.equal((await run('import', source, '--yes')).code, 0)
      assert.deepEqual(saved(), servers)
    })

  test('without a source it lists what there is', async () => {
    const { run, home } = place({
      '.cursor/mcp.json': json({ mcpServers: { a: { command: 'a' }, b: { command: 'b' } } }),
    })
    assert.match((await run('import')).stdout, new RegExp(`^cursor: 2 servers in ${home}/\\.cursor/mcp\\.json`))
  })

  test('into a shared file go variables instead of values', async () => {
    const config = { mcpServers: { files: { command: 'files', env: { KEY: SECRET, HOST: `\${HOST}` } } } }
    const { run, saved } = place({ 'other.json': json(config) })
    const { stdout } = await run('import', '../other.json', '--scope', 'project', '--yes')
    assert.match(stdout, /values stay out of the file: set KEY yourself/)
    assert.deepEqual(saved('project'), { files: { ...stdio('files'), env: { KEY: `\${KEY}`, HOST: `\${HOST}` } } })
  })
})

describe('bad files for kedge mcp import', () => {
  const refused: [title: string, file: string, text: string, problem: RegExp][] = [
    [
      '1 a file that is not JSON: the error does not repeat its content',
      'a.json',
      `{"key": ${SECRET}`,
      /isn't valid JSON/,
    ],
    [
      '2 a file that is not TOML is named with the line',
      'a.toml',
      '[mcp_servers.a]\ncommand = "x\n',
      /line 2: a text has no end/,
    ],
    ['3 JSON without servers', 'a.json', '{"theme":"dark"}', /has no MCP servers/],
    ['4 servers that are a list', 'a.json', '{"mcpServers":[1]}', /aren't an object/],
    ['5 TOML that is nested a thousand times', 'a.toml', `a = ${'['.repeat(1000)}`, /nested too deeply/],
    ['6 TOML that sets a key twice', 'a.toml', 'a = 1\na = 2\n', /a is set twice/],
    ['7 bytes that are not text', 'a.json', '\u0000\u0001', /isn't valid JSON/],
  ]
  for (const [title, file, text, problem] of refused)
    test(title, async () => {
      const { run, saved } = place({ [file]: text })
      const { code, stdout, stderr } = await run('import', `../${file}`, '--yes')
      assert.equal(code, 1)
      assert.match(stderr, problem)
      assert.ok(!`${stdout}${stderr}`.includes(SECRET))
      assert.equal(saved(), undefined)
    })
  const left: [title: string, servers: Record<string, unknown>, reason: RegExp][] = [
    ['8 a name that is an option', { '--scope': { command: 'x' } }, /its name can have letters/],
    ['9 a name with hidden characters', { 'a\u202Eb': { command: 'x' } }, /its name can have letters/],
    ['10 a variable that Kedge does not know', { a: { command: `\${command:evil}` } }, /which Kedge doesn't know/],
    ['11 a server without a program and an address', { a: {} }, /neither `command` nor `url`/],
    ['12 an address that is a file', { a: { url: 'file:///etc/passwd' } }, /left out/],
    [
      '13 a secret among the arguments, for a shared file',
      { a: { command: 'x', args: [`--key=${SECRET}`] } },
      /hold a secret/,
    ],
    [
      '14 a secret in the address, for a shared file',
      { a: { url: 'https://x.example/mcp?api_key=1234' } },
      /hold a secret/,
    ],
  ]
  for (const [title, servers, reason] of left)
    test(title, async () => {
      const { run, saved } = place({ 'a.json': json({ mcpServers: servers }) })
      const { code, stdout } = await run('import', '../a.json', '--yes', '--scope', 'project')
      assert.equal(code, 1)
      assert.match(stdout, reason)
      assert.equal(saved('project'), undefined)
    })
  test('15 a server that is there already stays as it is', async () => {
    const { run, saved } = place({ 'a.json': json({ mcpServers: { a: { command: 'other' } } }) })
    await run('add', 'a', 'mine')
    assert.match((await run('import', '../a.json', '--yes')).stdout, /there is already a server a \(local\)/)
    assert.deepEqual(saved(), { a: stdio('mine') })
  })
})

async function registry(listener: RequestListener): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, answer) => {
    asked.push(request.url ?? '')
    listener(request, answer)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked } // it listens on a port
}
const entry = (more: object) => ({ name: 'io.github.ada/tracker', description: 'Tracks', version: '1.2.0', ...more })
const npm = (more: object = {}) =>
  entry({
    packages: [
      { registryType: 'npm', identifier: '@ada/tracker', version: '1.2.0', transport: { type: 'stdio' }, ...more },
    ],
  })
const lists =
  (...servers: object[]): RequestListener =>
  (_request, answer) =>
    void answer
      .setHeader('content-type', 'application/json')
      .end(json({ servers: servers.map((server) => ({ server })) }))
const FULL = 'io.github.ada/tracker'

describe('registries', () => {
  test('without an address nothing is asked', async () => {
    const { run } = place({})
    for (const args of [
      ['search', 'x'],
      ['add', FULL],
    ]) {
      const { code, stderr } = await run(...args)
      assert.equal(code, 1)
      assert.match(stderr, /No registry is set, so nothing was asked/)
    }
  })
  test('search lists names, versions, and descriptions', async () => {
    const { url, asked } = await registry(lists(npm()))
    const { stdout } = await place({}).run('search', '--registry', url, 'track')
    assert.match(stdout, /^io\.github\.ada\/tracker 1\.2\.0\n {2}Tracks\n/)
    assert.match(asked[0] ?? '', /^\/v0\.1\/servers\?search=track&/)
  })
  test('add saves a pinned package, its required variables by name, and starts nothing', async () => {
    const environmentVariables = [
      { name: 'TRACKER_KEY', description: 'Your key', isRequired: true, isSecret: true },
      { name: 'LANG_X' },
    ]
    const packageArguments = [{ type: 'named', name: '--mode', value: 'fast' }]
    const { url } = await registry(lists(npm({ environmentVariables, packageArguments })))
    const { run, saved } = place({})
    const { code, stdout, stderr } = await run('add', '--registry', url, FULL)
    assert.equal(code, 0, stderr)
    assert.match(stdout, /io\.github\.ada\/tracker: npx -y @ada\/tracker@1\.2\.0 --mode fast\nAdded tracker \(local\)/)
    assert.match(stderr, /Set TRACKER_KEY: Your key\nOptional: LANG_X/)
    const env = { TRACKER_KEY: `\${TRACKER_KEY}` }
    assert.deepEqual(saved(), { tracker: { ...stdio('npx', ['-y', '@ada/tracker@1.2.0', '--mode', 'fast']), env } })
  })
  test('a registry of the older revision, and a remote server', async () => {
    const remotes = [{ type: 'streamable-http', url: 'https://tracker.example/mcp' }]
    const { url } = await registry((request, answer) => {
      if (request.url?.startsWith('/v0.1')) answer.writeHead(404).end()
      else answer.end(json({ servers: [entry({ remotes })] }))
    })
    const { run, saved } = place({})
    assert.equal((await run('add', '--registry', url, FULL)).code, 0)
    assert.deepEqual(saved(), { tracker: { type: 'http', url: 'https://tracker.example/mcp' } })
  })
})

describe('bad answers of a registry', () => {
  const bad: [title: string, listener: RequestListener, problem: RegExp][] = [
    ['16 no JSON', (_request, answer) => void answer.end('<html>'), /isn't JSON/],
    ['17 JSON without servers', (_request, answer) => void answer.end('{"servers":{}}'), /has no list of servers/],
    ['18 an answer without end', (_request, answer) => endless(answer), /larger than 2 MB/],
    [
      '19 a redirect to another host',
      (_request, answer) => void answer.writeHead(302, { location: 'https://evil.example' }).end(),
      /redirects to https:\/\/evil\.example/,
    ],
    [
      '20 another server than the one that was asked for',
      lists(entry({ name: 'io.github.eve/tracker' })),
      /has no server io\.github\.ada\/tracker/,
    ],
    [
      '21 a package name that is an option',
      lists(npm({ identifier: '--node-options=--require=/tmp/x' })),
      /not a valid one/,
    ],
    [
      '22 a package version that is an address',
      lists(npm({ version: 'https://evil.example/x.tgz' })),
      /not a valid one/,
    ],
    [
      '23 options for the program that starts it',
      lists(npm({ runtimeArguments: [{ type: 'named', name: '--eval' }] })),
      /wants options of the program/,
    ],
    [
      '24 a variable that changes what other programs run',
      lists(npm({ environmentVariables: [{ name: 'NODE_OPTIONS', isRequired: true }] })),
      /NODE_OPTIONS is not one/,
    ],
    [
      '25 an address without TLS',
      lists(entry({ remotes: [{ type: 'sse', url: 'http://evil.example' }] })),
      /must begin with https/,
    ],
    [
      '26 a kind of package that is a program',
      lists(npm({ registryType: 'sh' })),
      /can't start packages of the kind sh/,
    ],
  ]
  for (const [title, listener, problem] of bad)
    test(title, async () => {
      const { url } = await registry(listener)
      const { run, saved } = place({})
      const { code, stderr } = await run('add', '--registry', url, FULL)
      assert.equal(code, 1)
      assert.match(stderr, problem)
      assert.equal(saved(), undefined)
    })
  test('27 a registry whose address is not encrypted', async () => {
    const { code, stderr } = await place({}).run('search', '--registry', 'http://registry.example', 'x')
    assert.equal(code, 1)
    assert.match(stderr, /must begin with https/)
  })
  test('28 words of a registry can not steer a terminal', async () => {
    const { url } = await registry(
      lists(entry({ description: '\u001b[2J\u001b]0;evil\u0007\nio.github.you/fake 1.0' })),
    )
    const { stdout } = await place({}).run('search', '--registry', url, 'x')
    assert.doesNotMatch(stdout, /\u001b|\u0007|^io\.github\.you/m)
  })
})

function endless(answer: import('node:http').ServerResponse): void {
  answer.setHeader('content-type', 'application/json')
  const more = () => {
    while (!answer.destroyed && answer.write('x'.repeat(65_536)));
  }
  answer.on('drain', more)
  more()
}
