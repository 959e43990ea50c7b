/**
 * C18: one in-process server can't serve several queries. C19: time limits of tools are fixed, without effect, or wrong.
 * C21: servers that are not ready, and OAuth without a person.
 * C18: https://github.com/anthropics/claude-agent-sdk-typescript/issues/122
 * C19: https://github.com/anthropics/claude-agent-sdk-typescript/issues/98 · https://github.com/anthropics/claude-agent-sdk-typescript/issues/114
 * https://github.com/anthropics/claude-code/issues/43299 · https://github.com/anthropics/claude-code/issues/424
 * https://github.com/wafflebase/wafflebase/issues/600 · https://github.com/anthropics/claude-code/issues/24532
 * C21: https://github.com/anthropics/claude-code/issues/67602 · https://github.com/anthropics/claude-code/issues/65036
 * https://github.com/agentclientprotocol/claude-agent-acp/issues/411
 *
 * T (C18): one value in 50 queries at once: all tools listed, each call reaches its own session, nobody waits.
 * T (C19): limits per server and per tool, from a second to hours; progress extends them; the error says the limit; no second timer.
 * T (C21): a server that is needed holds the first turn up or fails loudly; changes of its tools and reconnects keep the session;
 * its status can be asked for at any time (a message for each change: open). (Issue 7 beats the wish for a sign-in of our own: such a server is `needs-auth`, with what a host
 * needs to sign in, and tokens come from `headersHelper`, which is asked again at every connection.)
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createSdkMcpServer, query, tool } from 'kedge'
import { collect } from 'kedge/testing'
import { call, pause, play, prompts, say, toolResults, until, withModel } from '../support/stage.js'

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })

test('C18 one createSdkMcpServer value in 50 queries at once', async () => {
  const seen = new Map<string, number>()
  const server = createSdkMcpServer({
    name: 'shared',
    tools: [
      tool('who', 'Says who asks.', {}, async (_input, { sessionId }) => {
        seen.set(String(sessionId), (seen.get(String(sessionId)) ?? 0) + 1)
        return text(`for ${sessionId}`)
      }),
    ],
  })
  const options = { mcpServers: { shared: server }, allowedTools: ['mcp__shared__who'] }
  const answer = ({ toolResults: results, tools }: { toolResults: readonly unknown[]; tools: readonly string[] }) => {
    if (!tools.includes('mcp__shared__who')) return 'No such tool.'
    return results.length > 0 ? 'Done.' : call('mcp__shared__who', {})
  }
  await withModel(answer, options, async (world) => {
    const runs = await Promise.all(
      Array.from({ length: 50 }, () => collect(query({ prompt: 'Go.', options: world.options }))),
    )
    for (const run of runs) {
      assert.ok(run.result?.subtype === 'success')
      assert.equal(run.result.result, 'Done.')
      assert.equal(toolResults(run.messages)[0]?.text, `for ${run.result.session_id}`)
    }
    assert.deepEqual([seen.size, ...new Set(seen.values())], [50, 1])
  })
})

test('C19 the limit of a server counts, its error says how long that was, and progress extends it', async () => {
  const slow = tool('slow', 'Takes a while.', {}, async (_input, { signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return text('too late')
  })
  const steady = tool('steady', 'Reports.', {}, async (_input, { reportProgress }) => {
    for (let n = 1; n <= 4; n += 1) {
      await pause(600)
      await reportProgress(n, 4, 'on my way')
    }
    return text('arrived')
  })
  const server = createSdkMcpServer({ name: 'host', tools: [slow, steady], timeout: 1000 })
  const run = await play([call('mcp__host__slow', {}), call('mcp__host__steady', {}, 'toolu_2'), 'Done.'], {
    mcpServers: { host: server },
    allowedTools: ['mcp__host'],
  })
  const [late, arrived] = toolResults(run.messages)
  assert.deepEqual([late?.isError, arrived?.text], [true, 'arrived'])
  assert.match(late?.text ?? '', /within 1 s/)
})

test('C19 the limit of one tool counts before that of its server, in both directions', async () => {
  const wait = (ms: number) => async () => {
    await pause(ms)
    return text('waited')
  }
  const server = createSdkMcpServer({
    name: 'host',
    timeout: 1000,
    tools: [
      tool('patient', 'Takes longer.', {}, wait(1600), { timeout: 6 * 3_600_000 }),
      tool('hasty', 'Takes longer than it may.', {}, wait(60_000), { timeout: 1000 }),
    ],
  })
  const both = {
    tools: [...call('mcp__host__patient', {}, 'toolu_1').tools, ...call('mcp__host__hasty', {}, 'toolu_2').tools],
  }
  const run = await play([both, 'Done.'], { mcpServers: { host: server }, allowedTools: ['mcp__host'] })
  const texts = toolResults(run.messages)
  assert.deepEqual(
    texts.map(({ isError }) => isError),
    [false, true],
  )
  assert.match(texts[1]?.text ?? '', /within 1 s/)
})

test('C21 alwaysLoad holds the first turn up until the tools are there', async () => {
  const slowStart = `
    setTimeout(() => require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line)
      const say = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
      if (method === 'initialize') say({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } })
      if (method === 'tools/list') say({ tools: [{ name: 'late', inputSchema: { type: 'object' } }] })
    }), 400)`
  const mcpServers = { s: { command: process.execPath, args: ['-e', slowStart], alwaysLoad: true } }
  const run = await play(['Hello.'], { mcpServers })
  assert.ok(run.server.requests[0]?.tools.includes('mcp__s__late'))
})

test('C21 a server that is needed and does not come is a loud failure: required ends the run', async () => {
  const mcpServers = { s: { command: process.execPath, args: ['-e', 'process.exit(7)'], required: true } }
  const run = await play([], { mcpServers })
  assert.equal(run.result?.is_error, true)
  assert.deepEqual([run.result?.error_code, run.result?.terminal_reason], ['mcp_required', 'mcp_required'])
  assert.match(run.result?.subtype === 'success' ? '' : (run.result?.errors.join() ?? ''), /\bs\b/)
  assert.equal(run.server.requests.length, 0)
})

test('C21 tools that change while the session runs are offered, and so are those of a server that comes back', async () => {
  const server = createSdkMcpServer({ name: 'host', tools: [tool('one', 'One.', {}, async () => text('1'))] })
  await withModel(['Hello.', 'Hello.'], { mcpServers: { host: server } }, async (world) => {
    const input = prompts()
    await using running = query({ prompt: input.stream, options: world.options })
    const turn = (words: string) => {
      input.send(say(words))
      return until(async () => (await running.next()).value?.type === 'result')
    }
    const status = async () => (await running.mcpServerStatus())[0]
    await turn('Go.')
    server.instance.addTool(tool('two', 'Two.', {}, async () => text('2')))
    await until(async () => (await status())?.tools?.length === 2)
    await running.toggleMcpServer('host', false)
    assert.equal((await status())?.status, 'disabled')
    await running.toggleMcpServer('host', true)
    await until(async () => (await status())?.status === 'connected')
    await turn('Again.')
    input.end()
    await collect(running)
    const offered = world.server.requests.map(({ tools }) => tools.filter((name) => name.startsWith('mcp__host')))
    assert.deepEqual(offered, [['mcp__host__one'], ['mcp__host__one', 'mcp__host__two']])
  })
})

test('C21 a server that wants a sign-in: needs-auth with what a host needs, and a helper that brings a new token reconnects it', async () => {
  let valid = 'none'
  const web = createServer((request, response) => {
    const { port } = web.address() as AddressInfo
    if (request.headers.authorization !== `Bearer ${valid}`) {
      const meta = `http://127.0.0.1:${port}/.well-known/oauth-protected-resource`
      response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${meta}"` }).end()
      return
    }
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { id, method, params } = JSON.parse(body || '{}')
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'w', version: '1' },
        },
        'tools/list': { tools: [{ name: 'open', inputSchema: { type: 'object' } }] },
      }
      const result = results[method]
      if (!result) return response.writeHead(202).end()
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  const { port } = web.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/mcp`
  const headersHelper = `printf '{"Authorization":"Bearer fresh"}'`
  try {
    await withModel(['Hello.'], { mcpServers: { w: { type: 'http', url, headersHelper } } }, async ({ options }) => {
      const input = prompts()
      await using running = query({ prompt: input.stream, options })
      input.send(say('Go.'))
      await until(async () => (await running.next()).value?.type === 'result')
      await until(async () => (await running.mcpServerStatus())[0]?.status === 'needs-auth')
      const [status] = await running.mcpServerStatus()
      assert.match(JSON.stringify(status?.auth), /oauth-protected-resource/)
      valid = 'fresh'
      await running.reconnectMcpServer('w')
      await until(async () => (await running.mcpServerStatus())[0]?.status === 'connected')
      input.end()
      await collect(running)
    })
  } finally {
    web.closeAllConnections()
    web.close()
  }
})
