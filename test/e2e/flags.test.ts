/** The command line of the original, flag by flag: what programs pass works, has no effect and says so, or is refused by name. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startModelServer, testOptions } from 'kedge/testing'
import { parseArgv } from '../../src/protocol/option-table/parse-argv.js'
import { kedge } from '../first-hour/kedge.js'
import { sampledTest as test } from '../support/tier.js'

/** What `--help` of the original, 2.1.50, lists. */
const LISTED = `--add-dir --agent --agents --allow-dangerously-skip-permissions --allowedTools --allowed-tools
  --append-system-prompt --betas --chrome --continue --dangerously-skip-permissions --debug --debug-file
  --disable-slash-commands --disallowedTools --disallowed-tools --effort --fallback-model --file --fork-session --from-pr
  --help --ide --include-partial-messages --input-format --json-schema --max-budget-usd --mcp-config --mcp-debug --model
  --no-chrome --no-session-persistence --output-format --permission-mode --plugin-dir --print --replay-user-messages
  --resume --session-id --setting-sources --settings --strict-mcp-config --system-prompt --tmux --tools --verbose
  --version --worktree -c -d -h -p -r -v -w`

async function open() {
  const server = await startModelServer(() => 'Hello.')
  const options = testOptions(server, { env: { IS_SANDBOX: '1' } })
  const ask = (...args: string[]) => kedge(args, options)
  return {
    server,
    options,
    ask,
    async [Symbol.asyncDispose]() {
      await options[Symbol.asyncDispose]()
      await server.close()
    },
  }
}

describe('the command line of the original', { concurrency: 4 }, () => {
  test('every flag of its help is known', async () => {
    const told = (...args: string[]) => {
      const parsed = parseArgv(args)
      return parsed.ok ? '' : parsed.message
    }
    // A value that is none, so that nothing would start.
    for (const flag of LISTED.split(/\s+/))
      assert.doesNotMatch(told(flag, '--no-such-flag'), new RegExp(`unknown option '${flag}'`))
    // This is what the command says, too.
    await using place = await open()
    const { stderr } = await place.ask('-p', '--no-such-flag')
    assert.ok(stderr.startsWith(`${told('-p', '--no-such-flag')}\n`), stderr)
    assert.match(stderr, /unknown option '--no-such-flag'/)
  })

  test('--agents defines agents, for the Task tool and as the main thread', async () => {
    await using place = await open()
    const agents = JSON.stringify({ rev: { description: 'Reviews code', prompt: 'You are the reviewer.' } })
    const offered = await place.ask('-p', 'Hi', '--agents', agents, '--output-format', 'stream-json', '--verbose')
    assert.ok(JSON.parse(offered.stdout.split('\n')[0] ?? '').agents.includes('rev'))
    const task = place.server.requests[0]?.body.tools?.find(({ name }) => name === 'Task')
    assert.match(String(task?.description), /rev: Reviews code/)
    assert.equal((await place.ask('-p', 'Hi', '--agents', agents, '--agent', 'rev')).code, 0)
    assert.match(JSON.stringify(place.server.requests[1]?.body.system), /You are the reviewer\./)
    const wrong = await place.ask('-p', 'Hi', '--agents', 'rev')
    assert.deepEqual([wrong.code, wrong.stderr.startsWith('Error: --agents is no JSON: ')], [1, true])
  })

  test('--system-prompt-file and --append-system-prompt-file', async () => {
    await using place = await open()
    writeFileSync(join(place.options.cwd, 'say.txt'), 'Speak like a pirate.')
    assert.equal((await place.ask('-p', 'Hi', '--system-prompt-file', 'say.txt')).code, 0)
    assert.equal((await place.ask('-p', 'Hi', '--append-system-prompt-file', 'say.txt')).code, 0)
    const systems = place.server.requests.map(({ body }) => JSON.stringify(body.system))
    assert.deepEqual(
      systems.map((text) => [text?.includes('Speak like a pirate.'), text?.includes('Working directory')]),
      [
        [true, false],
        [true, true],
      ],
    )
  })

  test('--disable-slash-commands: none for the user and none for the model', async () => {
    await using place = await open()
    const folder = join(place.options.env['CLAUDE_CONFIG_DIR'] ?? '', 'skills', 'ship')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'SKILL.md'), '---\nname: ship\ndescription: Ships things\n---\nShip it.\n')
    const ask = ['-p', '--output-format', 'stream-json', '--verbose', '--setting-sources', 'user']
    const [on, off] = [await place.ask('Hi', ...ask), await place.ask('Hi', ...ask, '--disable-slash-commands')]
    const inits = [on, off].map(({ stdout }) => JSON.parse(stdout.split('\n')[0] ?? ''))
    assert.ok(inits[0].slash_commands.includes('ship'))
    assert.deepEqual([inits[1].slash_commands, inits[1].skills], [[], []])
    const told = place.server.requests.map(({ body }) => JSON.stringify(body.messages).includes('Ships things'))
    assert.deepEqual(told, [true, false])
    const answer = await place.ask('-p', '/cost', '--disable-slash-commands')
    assert.deepEqual([answer.code, answer.stdout], [0, 'Unknown skill: cost\n'])
  })

  test('several words after --allowedTools, --disallowedTools, --tools, --add-dir, --mcp-config, --betas, --plugin-dir', async () => {
    await using place = await open()
    const { cwd } = place.options
    for (const folder of ['one', 'two']) mkdirSync(join(cwd, folder))
    const config = (name: string) => JSON.stringify({ mcpServers: { [name]: { command: '/nonexistent/server' } } })
    writeFileSync(join(cwd, 'servers.json'), config('a'))
    const { stdout, stderr, code } = await place.ask(
      ...['-p', 'Hi', '--output-format', 'stream-json', '--verbose', '--tools', 'Read', 'Bash', 'Edit'],
      ...['--disallowedTools', 'Edit', 'Bash(rm:*)', '--allowedTools', 'Read', 'Bash', '--add-dir', 'one', 'two'],
      ...['--mcp-config', 'servers.json', config('b'), '--betas', 'x-1', 'x-2', '--plugin-dir', 'one', 'two'],
    )
    assert.equal(code, 0, stderr)
    const init = JSON.parse(stdout.split('\n')[0] ?? '')
    assert.deepEqual(init.mcp_servers.map(({ name }: { name: string }) => name).sort(), ['a', 'b'])
    assert.ok(['Read', 'Bash'].every((name) => init.tools.includes(name)) && !init.tools.includes('Edit'))
    assert.match(place.server.requests[0]?.headers['anthropic-beta'] ?? '', /x-1,x-2/)
    const eaten = await place.ask('-p', '--allowedTools', 'Read', 'What is this?')
    assert.equal(eaten.code, 1)
    assert.match(eaten.stderr, /Input must be provided.*\n--allowedTools takes all words up to the next flag/)
  })

  test('-d is --debug, --mcp-debug is --debug mcp', async () => {
    await using place = await open()
    const shown = [await place.ask('-p', 'Hi', '-d', 'api'), await place.ask('-p', 'Hi', '--debug', '!1p,!file')]
    for (const { code, stderr } of shown) assert.deepEqual([code, stderr.includes('⇒ api #1')], [0, true])
    const mcp = await place.ask('-p', 'Hi', '--mcp-debug')
    assert.deepEqual([mcp.code, mcp.stderr], [0, ''])
    for (const { prompt } of place.server.requests) assert.match(prompt, /Hi$/)
  })

  test('--ide, --chrome, --no-chrome, --enable-auth-status, --worktree and --tmux are taken and do nothing; where that may surprise it is said', async () => {
    await using place = await open()
    for (const flag of ['--ide', '--no-chrome', '--enable-auth-status'])
      assert.deepEqual(await place.ask('-p', 'Hi', flag), { code: 0, stdout: 'Hello.\n', stderr: '' })
    for (const [flag, ...value] of [['--chrome'], ['--worktree', 'topic'], ['-w'], ['--tmux']]) {
      const { code, stdout, stderr } = await place.ask('-p', 'Hi', flag ?? '', ...value)
      assert.deepEqual([code, stdout], [0, 'Hello.\n'])
      assert.match(stderr, /^Warning: --(?:chrome|worktree|tmux) has no effect: .*\n$/)
    }
  })

  test('--file and --from-pr are refused by name', async () => {
    await using place = await open()
    for (const args of [['--file', 'file_a:x.txt', 'file_b:y.txt'], ['--from-pr', '12'], ['--from-pr']]) {
      const { code, stderr } = await place.ask('-p', 'Hi', ...args)
      assert.equal(code, 1)
      assert.match(stderr, new RegExp(`^error: option '${args[0]}' is not supported by Kedge: `))
    }
    assert.deepEqual(place.server.requests, [])
  })

  test('--permission-mode bypassPermissions alone starts', async () => {
    await using place = await open()
    const { code, stdout } = await place.ask('-p', 'Hi', '--permission-mode', 'bypassPermissions')
    assert.deepEqual([code, stdout], [0, 'Hello.\n'])
  })

  test('--permission-prompt-tool of a tool that is not there, and flags without the format they need, are refused', async () => {
    await using place = await open()
    const server = fileURLToPath(new URL('../mcp/servers/matrix-stdio.js', import.meta.url))
    const counts = join(place.options.cwd, 'counts.json')
    writeFileSync(counts, '{}')
    const config = JSON.stringify({ mcpServers: { a: { command: process.execPath, args: [server, counts] } } })
    const cases: [string[], RegExp][] = [
      [['--permission-prompt-tool', 'ask'], /^Error: MCP tool ask .* not found\. Available MCP tools: none\n$/],
      [['--permission-prompt-tool', 'mcp__a__b'], /^Error: MCP tool mcp__a__b .* Available MCP tools: none\n$/],
      [
        ['--permission-prompt-tool', 'mcp__a__b', '--mcp-config', config],
        /^Error: MCP tool mcp__a__b .* not found\. Available MCP tools: mcp__a__/,
      ],
      [['--replay-user-messages'], /^Error: --replay-user-messages requires both --input-format=stream-json and /],
      [['--replay-user-messages', '--output-format', 'stream-json', '--verbose'], /^Error: --replay-user-messages /],
      [['--include-partial-messages'], /^Error: --include-partial-messages requires --print and /],
    ]
    for (const [args, text] of cases) {
      const { code, stderr } = await place.ask('-p', 'Hi', ...args)
      assert.deepEqual([code, text.test(stderr)], [1, true], stderr)
    }
    assert.deepEqual(place.server.requests, [])
    const there = await place.ask('-p', 'Hi', '--permission-prompt-tool', 'mcp__a__echo', '--mcp-config', config)
    assert.deepEqual([there.code, there.stdout], [0, 'Hello.\n'], there.stderr)
  })

  test('words that look like a command are never a prompt', async () => {
    await using place = await open()
    const refused = [
      ...['config', 'agents', 'upgrade', 'upgrade', 'install', 'plugin', 'auth', 'login', 'logout', 'setup-token'],
      ...[
        'config list',
        'plugin list --json',
        'auth status --json',
        'install stable --force',
        'hello',
        'modles',
        'Docter',
      ],
    ]
    for (const line of refused) {
      const { code, stdout, stderr } = await place.ask(...line.split(' '))
      assert.deepEqual([code, stdout], [1, ''], line)
      assert.match(stderr, /^error: (?:Kedge has no|unknown) command '/, line)
      assert.match(stderr, /kedge -p/, line)
    }
    assert.match((await place.ask('modles')).stderr, /Did you mean kedge models\?/)
    assert.match((await place.ask('help')).stdout, /^Usage: kedge /)
    assert.match((await place.ask('version')).stdout, /^2\.1\.50 \(Kedge /)
    assert.deepEqual(place.server.requests, [])
    assert.equal((await place.ask('-p', 'config')).stdout, 'Hello.\n')
    assert.equal((await place.ask('fix the bug')).stdout, 'Hello.\n')
  })
})
