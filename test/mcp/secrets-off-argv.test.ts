/** Nothing of an MCP server's headers, variables or address is on a command line, which every user of the machine can read. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createSdkMcpServer, type Options, query, type SpawnOptions, tool } from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'
import { sampledTest } from '../support/tier.js'

const stdioServer = fileURLToPath(new URL('../../../test/interop/mcp-stdio.mjs', import.meta.url))
const ownProgram = fileURLToPath(new URL('../../../dist/kedge.cjs', import.meta.url))
const SECRET = 'hunter2-of-a-server'
const OPTIONS_OF_LINUX = process.platform === 'linux' ? {} : { skip: 'there is no /proc' }

/** A server of HTTP that answers nothing useful; the session goes on without it. */
async function startSilentServer() {
  const seen: (string | undefined)[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization)
    response.writeHead(500).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    seen,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${SECRET}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** Command lines of all processes that hold the secret. */
function linesWithSecret(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        return line.includes(SECRET) ? [line.replaceAll('\0', ' ')] : []
      } catch {
        return []
      }
    })
}

const servers = (url: string): Options['mcpServers'] => ({
  st: { command: process.execPath, args: [stdioServer], env: { A_SECRET: SECRET } },
  web: { type: 'http', url, headers: { Authorization: `Bearer ${SECRET}` } },
  mine: createSdkMcpServer({ name: 'mine', tools: [tool('t', 'A tool', {}, async () => ({ content: [] }))] }),
})

/** What a session looks like from outside while a turn runs. */
async function watch(given: Options) {
  await using web = await startSilentServer()
  let lines: string[] | undefined
  await using model = await startModelServer(() => {
    lines ??= linesWithSecret()
    return 'Done.'
  })
  await using options = testOptions(model, { ...given, mcpServers: servers(web.url) })
  const running = query({ prompt: 'Hi.', options })
  const ready = running.initializationResult().catch((error: unknown) => error)
  const run = await collect(running)
  const init = run.messages.find((message) => message.type === 'system' && message.subtype === 'init')
  const statuses = init && 'mcp_servers' in init ? init.mcp_servers : []
  const applied = ((await ready) as { mcp_servers_applied?: boolean }).mcp_servers_applied
  return { run, lines, statuses, applied, tokens: web.seen }
}

const allThere = [
  { name: 'st', status: 'connected' },
  { name: 'web', status: 'failed' },
  { name: 'mine', status: 'connected' },
]
const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)

for (const [how, given] of Object.entries<Options>({
  'as a process': { isolation: 'process' },
  'through a spawn function': {
    spawnClaudeCodeProcess: ({ command, args, cwd, env }: SpawnOptions) =>
      spawn(command, args, { cwd, env: env as NodeJS.ProcessEnv, stdio: ['pipe', 'pipe', 'inherit'] }),
  },
  'by a path': { pathToClaudeCodeExecutable: ownProgram },
})) {
  sampledTest(
    `an agent ${how} gets its servers in the first message, and no command line holds a secret`,
    OPTIONS_OF_LINUX,
    async () => {
      const { run, lines, statuses, applied, tokens } = await watch(given)
      assert.equal(run.error, undefined)
      assert.deepEqual(lines, [])
      assert.deepEqual([...statuses].sort(byName), [...allThere].sort(byName))
      assert.equal(applied, true)
      assert.ok(tokens.includes(`Bearer ${SECRET}`))
    },
  )
}

sampledTest("'argv' keeps them on the command line", OPTIONS_OF_LINUX, async () => {
  const { lines, statuses, applied } = await watch({ isolation: 'process', mcpServersDelivery: 'argv' })
  assert.match(lines?.[0] ?? '', /--mcp-config/)
  assert.deepEqual([...statuses].sort(byName), [...allThere].sort(byName))
  assert.equal(applied, undefined)
})

test("in this process 'initialize' works as well", async () => {
  const { statuses, applied } = await watch({ mcpServersDelivery: 'initialize' })
  assert.deepEqual([...statuses].sort(byName), [...allThere].sort(byName))
  assert.equal(applied, true)
})

sampledTest('another program that does not take them ends the query with an error that names the option', async () => {
  const program = [
    "const lines = require('node:readline').createInterface({ input: process.stdin })",
    "lines.on('line', (line) => {",
    '  const { type, request_id, request } = JSON.parse(line)',
    "  if (type === 'user') process.exit(9)",
    '  if (!request) return',
    "  const response = { subtype: 'success', request_id, response: { commands: [] } }",
    "  console.log(JSON.stringify({ type: 'control_response', response }))",
    '})',
  ].join('\n')
  await using model = await startModelServer([])
  let args: string[] = []
  await using options = testOptions(model, {
    mcpServers: servers('http://127.0.0.1:9/'),
    spawnClaudeCodeProcess: (asked: SpawnOptions) => {
      args = asked.args
      return spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] })
    },
  })
  const run = await collect(query({ prompt: 'Hi.', options }))
  assert.match(String(run.error), /mcpServersDelivery: 'argv'/)
  assert.ok(args.includes('--await-initialize'))
  assert.doesNotMatch(args.join(' '), /hunter2/)
})

test('a value that is none of the two throws at once', () => {
  const wrong = { mcpServersDelivery: 'mail' } as unknown as Options
  assert.throws(() => query({ prompt: 'Hi.', options: wrong }), /mcpServersDelivery must be 'argv' or 'initialize'/)
})
