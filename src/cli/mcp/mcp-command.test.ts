import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { openTestTerminal, type TestTerminal } from '../test-terminal.js'
import type { FetchServerStatuses } from './found-servers.js'
import { mcpCommand } from './mcp-command.js'

let terminal: TestTerminal
beforeEach(() => {
  terminal = openTestTerminal()
})
afterEach(() => terminal.close())

/** Servers whose name begins with a b are in bad shape, and those with an s want a sign-in. */
const stateOf = (name: string) => (name.startsWith('b') ? 'failed' : name.startsWith('s') ? 'needs-auth' : 'connected')
const ask: FetchServerStatuses = async (servers) =>
  Object.keys(servers).map((name) => ({ name, status: stateOf(name) }))
const mcp = (...args: string[]) =>
  terminal.hear(() =>
    mcpCommand(args, {
      ask,
      signIn: () => import('./mcp-sign-in.js'),
      library: () => import('../../mcp/transports/official-client.js'),
    }),
  )
const listed = (...lines: string[]) => good(`Checking MCP server health...\n\n${lines.join('\n')}\n`)
const UNTRUSTED = '? Not started: this folder is not trusted'
const good = (stdout: string) => ({ value: 0, stdout, stderr: '' })
const bad = (stderr: string) => ({ value: 1, stdout: '', stderr: `error: ${stderr}\n` })

describe('kedge mcp', () => {
  it('says how it is used when it is asked', async () => {
    for (const [args, usage] of [
      [['help'], /^Usage: kedge mcp COMMAND/],
      [['--help'], /^Usage: kedge mcp COMMAND/],
      [['-h'], /^Usage: kedge mcp COMMAND/],
      [['add', '--help'], /^Usage: kedge mcp add \[options\] NAME COMMAND/],
      [['help', 'add'], /^Usage: kedge mcp add \[options\] NAME COMMAND/],
      [['list', '-h'], /^Usage: kedge mcp list\n/],
    ] as const) {
      const { value, stdout, stderr } = await mcp(...args)
      assert.deepEqual([value, stderr], [0, ''])
      assert.match(stdout, usage)
    }
  })

  it('says so on stderr when it was not understood', async () => {
    const { value, stdout, stderr } = await mcp()
    assert.deepEqual([value, stdout], [1, ''])
    assert.match(stderr, /^Usage: kedge mcp COMMAND/)
    assert.match(
      (await mcp('frobnicate\u001b[2J')).stderr,
      /^error: unknown command 'kedge mcp frobnicate\ufffd\[2J'\. Commands: add, .*\nRun `kedge mcp --help` for details\.\n$/,
    )
  })

  it('takes two swapped letters for one step', async () => {
    assert.match((await mcp('tset', 'files')).stderr, /\(Did you mean kedge mcp test\?\)/)
  })

  it('lists nothing where there is nothing', async () => {
    assert.deepEqual(await mcp('list'), good('No MCP servers configured. Use `kedge mcp add` to add a server.\n'))
  })

  it('adds, lists, shows and removes', async () => {
    const own = join(terminal.home, '.claude.json')
    assert.deepEqual(
      await mcp('add', '-e', 'TOKEN=secret', 'files', '--', 'npx', '-y', 'x'),
      good(`Added files (local) to ${own}\n`),
    )
    assert.deepEqual(
      await mcp(
        'add',
        '-s',
        'project',
        '-H',
        'Authorization: secret',
        '--timeout',
        '2000',
        'web',
        'https://x.example/',
      ),
      good(
        `Added web (project) to ${join(terminal.project, '.mcp.json')}\nKedge uses it in this folder once you trust the folder.\n`,
      ),
    )
    assert.deepEqual(
      await mcp('list'),
      listed('files: npx -y x - ✓ Connected', `web: https://x.example/ (HTTP) - ${UNTRUSTED}`),
    )
    assert.deepEqual(
      await mcp('get', 'files'),
      good(`files (local, ${own})\n  npx -y x\n  env: TOKEN (values not shown)\n`),
    )
    assert.deepEqual(
      await mcp('get', 'web'),
      good(
        `web (project, ${join(terminal.project, '.mcp.json')})\n  https://x.example/ (HTTP)\n  headers: Authorization (values not shown)\n  timeout: 2000 ms\n`,
      ),
    )
    assert.deepEqual(await mcp('remove', 'files'), good(`Removed files (local) from ${own}\n`))
    assert.deepEqual(await mcp('list'), listed(`web: https://x.example/ (HTTP) - ${UNTRUSTED}`))
    assert.equal(JSON.parse(readFileSync(own, 'utf8')).projects[terminal.project].mcpServers.files, undefined)
  })

  it('says which servers can not be reached', async () => {
    await mcp('add', '-s', 'user', 'bad', '/nonexistent/x', '--flag')
    const hint = (name: string) => `\nRun \`kedge mcp test ${name}\` to see why, and what to do.\n`
    const line = 'bad: /nonexistent/x --flag - ✗ Failed to connect'
    assert.deepEqual(await mcp('list'), { ...listed(line), stderr: hint('bad') })
    await mcp('add', '-s', 'user', 'broken', 'x')
    assert.equal((await mcp('list')).stderr, hint('NAME'))
  })

  it('sends to the sign-in where one is wanted', async () => {
    await mcp('add', '-s', 'user', 'secured', 'https://x.example/')
    const line = 'secured: https://x.example/ (HTTP) - ! Needs authentication'
    const hint = '\nRun `kedge mcp login secured` to sign in.\n'
    assert.deepEqual(await mcp('list'), { ...listed(line), stderr: hint })
    await mcp('add', '-s', 'user', 'bad', 'x')
    assert.equal((await mcp('list')).stderr, `${hint}\nRun \`kedge mcp test bad\` to see why, and what to do.\n`)
  })

  it('adds what stands in JSON', async () => {
    assert.equal((await mcp('add-json', '-s', 'user', 'a', '{"command":"x","args":["y"]}')).value, 0)
    assert.deepEqual(await mcp('list'), listed('a: x y - ✓ Connected'))
  })

  it('does not overwrite a server', async () => {
    await mcp('add', 'a', 'one')
    assert.deepEqual(
      await mcp('add', 'a', 'two'),
      bad('there is already a server a (local). Remove it first: kedge mcp remove -s local a'),
    )
    assert.deepEqual(await mcp('list'), listed('a: one - ✓ Connected'))
    assert.equal((await mcp('add', '-s', 'user', 'a', 'two')).value, 0, 'elsewhere it may be')
  })

  it('says which of two counts, and wants to know which to remove', async () => {
    await mcp('add', '-s', 'user', 'a', 'far')
    await mcp('add', 'a', 'near')
    assert.deepEqual(await mcp('list'), listed('a: near - ✓ Connected'))
    assert.deepEqual(
      await mcp('remove', 'a'),
      bad('a is in several scopes. Choose one: kedge mcp remove --scope local a, kedge mcp remove --scope user a'),
    )
    assert.equal((await mcp('remove', 'a', '-s', 'user')).value, 0)
    assert.deepEqual(await mcp('list'), listed('a: near - ✓ Connected'))
  })

  it('knows what it does not know', async () => {
    const hint = '`kedge mcp list` lists all servers.'
    assert.deepEqual(await mcp('get', 'a'), bad(`there's no MCP server named a. ${hint}`))
    assert.deepEqual(await mcp('test', 'a'), bad(`there's no MCP server named a. ${hint}`))
    assert.deepEqual(await mcp('remove', 'a'), bad(`there's no MCP server named a. ${hint}`))
    assert.deepEqual(await mcp('remove', '--scope', 'user', 'a'), bad(`there's no MCP server named a (user). ${hint}`))
    const wrong = async (problem: RegExp, ...args: string[]) => {
      const { value, stderr } = await mcp(...args)
      assert.equal(value, 1)
      assert.match(stderr, problem)
    }
    await wrong(/'all' is invalid\. Allowed choices are local, project, user\./, 'remove', '--scope', 'all', 'a')
    await wrong(/option '--scope <SCOPE>' argument missing/, 'remove', 'a', '--scope')
    await wrong(/kedge mcp remove needs NAME: the name of the server\./, 'remove')
    await wrong(/kedge mcp get doesn't take 'b'\./, 'get', 'a', 'b')
    await wrong(/kedge mcp list doesn't take 'files'\./, 'list', 'files')
    await wrong(/kedge mcp test needs NAME/, 'test')
    assert.deepEqual(await mcp('get', 'constructor'), bad(`there's no MCP server named constructor. ${hint}`))
  })

  it('shows what others wrote without obeying it', async () => {
    terminal.write('project/.mcp.json', {
      mcpServers: {
        'a\u001b[31m': { command: 'x\u202e', args: ['\n', 7] },
        text: 'none',
        odd: { type: 'odd\u0007' },
        env: { url: 'https://x/', type: 'sse', env: 'none', headers: ['x'] },
      },
    })
    const { stdout } = await mcp('list')
    assert.equal(
      stdout,
      listed(
        `a\ufffd[31m: x\ufffd \ufffd 7 - ${UNTRUSTED}`,
        `text: not a JSON object - ${UNTRUSTED}`,
        `odd: type odd\ufffd - ${UNTRUSTED}`,
        `env: https://x/ (SSE) - ${UNTRUSTED}`,
      ).stdout,
    )
    assert.match((await mcp('get', 'env')).stdout, /\n {2}https:\/\/x\/ \(SSE\)\n$/)
  })

  it('stops at a file it can not read', async () => {
    const path = terminal.write('project/.mcp.json', '[]')
    assert.deepEqual(await mcp('list'), bad(`${path} holds no JSON object`))
  })

  it('says how to say it better', async () => {
    const { value, stderr } = await mcp('add', 'a')
    assert.equal(value, 1)
    assert.equal(
      stderr,
      'error: kedge mcp add needs COMMAND: the program with its arguments, or a URL.\nRun `kedge mcp add --help` for details.\n',
    )
  })
})
