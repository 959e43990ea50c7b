/**
 * C01: every query() pays a cold start of seconds.
 * https://github.com/anthropics/claude-agent-sdk-typescript/issues/34 · https://github.com/anthropics/claude-agent-sdk-typescript/issues/32
 * https://github.com/anthropics/claude-agent-sdk-typescript/issues/33 · https://github.com/anthropics/claude-code/issues/4615
 * https://github.com/anthropics/claude-code/issues/16005 · https://github.com/anthropics/claude-code/issues/29314
 * https://github.com/anthropics/claude-code/issues/37211 · https://github.com/anthropics/claude-agent-sdk-python/issues/62
 * https://github.com/agentclientprotocol/claude-agent-acp/issues/567 · https://github.com/siteboon/claudecodeui/issues/379
 * https://github.com/code-yeongyu/senpi/issues/1038
 *
 * T: a query is ready at once in-process and soon when spawned; a hundred queries one after another do not get more expensive; a slow
 * MCP server does not hold `init` up; importing the package is cheap. Milliseconds are `npm run bench` A, as ratios to a bare Node
 * program in the same run; here are the counts behind them, which do not jitter.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { query } from 'kedge'
import { collect } from 'kedge/testing'
import { childrenOf, command, growth, root, runProgram, withModel } from '../support/stage.js'
import { sampledTest as test } from '../support/tier.js'

test('C01 in-process a query starts no process, and init comes before the first request to the model', async () => {
  await withModel(['Hello.'], {}, async ({ server, options }) => {
    const before = childrenOf(process.pid)
    for await (const message of query({ prompt: 'Go.', options })) {
      if (message.type !== 'system') break
      assert.equal(message.subtype, 'init')
      assert.equal(server.requests.length, 0)
      assert.deepEqual(childrenOf(process.pid), before)
    }
    assert.equal(server.requests.length, 1)
  })
})

test('C01 with mcpWait: false an MCP server that never answers does not delay init nor the first turn', async () => {
  const silent = { command: process.execPath, args: ['-e', 'process.stdin.resume()'] }
  await withModel(['Hello.'], { mcpServers: { silent }, mcpWait: false }, async ({ options }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    const [init] = run.messages
    assert.ok(init?.type === 'system' && init.subtype === 'init')
    assert.deepEqual(init.mcp_servers, [{ name: 'silent', status: 'pending' }])
    assert.equal(run.result?.subtype, 'success')
  })
})

test('C01 a hundred queries one after another: no process, no handle and no memory is left of each', async () => {
  const left = await growth({ what: 'queries', warm: 50, times: 100 })
  // Keep-alive connections come and go; a handle for each query would be a hundred.
  assert.ok(left.handles <= 5, `${left.handles} handles`)
  assert.equal(left.listeners, 0)
  assert.equal(left.children, 0)
  assert.ok(left.heap / 100 < 20_000, `${left.heap} bytes are kept after 100 queries`)
})

test('C01 importing the package, and starting the command, loads little: no schema library, no MCP client, no second copy', async () => {
  const imported = await loaded(['--input-type=module', '-e', "import 'kedge'"])
  const started = await loaded([command, '--version'])
  for (const files of [imported, started]) {
    assert.deepEqual(
      files.filter((file) => file.includes('node_modules')),
      [],
    )
  }
  const bytes = (files: string[]) => files.reduce((sum, file) => sum + statSync(file).size, 0)
  assert.ok(bytes(imported) > 0 && bytes(imported) < 650_000, `${bytes(imported)} bytes in ${imported.length} files`)
  assert.ok(bytes(started) < 731_000, `${bytes(started)} bytes in ${started.length} files`)
})

/** The files of ours and of others that Node reads for this; by its own account, as it counts coverage. */
async function loaded(args: string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-loaded-'))
  try {
    const env = { PATH: process.env['PATH'], NODE_V8_COVERAGE: folder }
    const { code, stderr } = await runProgram(process.execPath, args, { cwd: root, env })
    assert.equal(code, 0, stderr)
    const urls = readdirSync(folder).flatMap((file) => {
      const { result }: { result: { url: string }[] } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
      return result.map(({ url }) => url).filter((url) => /^file:.*js$/.test(url))
    })
    return [...new Set(urls)].map((url) => fileURLToPath(url))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
