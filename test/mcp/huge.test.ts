/** Messages of more than 100 MB: the call fails with the reason, the session goes on, and so does the server. */
import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openSession } from './session.js'

const oddServer = fileURLToPath(new URL('../badinput/odd-mcp-server.js', import.meta.url))
const MEGABYTE = Buffer.alloc(1024 * 1024, 'x')

test('a message of more than 100 MB: stdio', async () => {
  const odd = { command: process.execPath, args: [oddServer, 'huge'] }
  await using session = await openSession({ mcpServers: { odd }, allowedTools: ['mcp__odd'] })
  await session.ready('odd')
  const { text, isError, result } = await session.call('mcp__odd__ask')
  assert.equal(isError, true)
  assert.match(text, /it sent a message of more than 100 MB/)
  assert.equal(result.subtype, 'success')
  await session.ready('odd')
})

for (const type of ['application/json', 'text/event-stream']) {
  test(`a message of more than 100 MB: http, ${type}`, async () => {
    const answers: Record<string, object> = {
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'h', version: '1' },
      },
      'tools/list': { tools: [{ name: 'ask', inputSchema: { type: 'object' } }] },
    }
    const server = createServer(async (request, response) => {
      if (request.method !== 'POST') return void response.writeHead(405).end()
      const { id, method } = JSON.parse(Buffer.concat(await request.toArray()).toString())
      if (id === undefined) return void response.writeHead(202).end()
      const result = answers[method]
      response.writeHead(200, { 'content-type': result ? 'application/json' : type })
      if (result) response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      else await pour(response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // it listens on a port
    try {
      const big = { type: 'http' as const, url: `http://127.0.0.1:${port}/mcp` }
      await using session = await openSession({ mcpServers: { big }, allowedTools: ['mcp__big'] })
      await session.ready('big')
      const { text, isError, result } = await session.call('mcp__big__ask')
      assert.equal(isError, true)
      assert.match(text, /a message of more than 100 MB/)
      assert.equal(result.subtype, 'success')
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })
}

/** Without an end, as long as somebody takes it. */
async function pour(response: ServerResponse): Promise<void> {
  response.write('data: {"jsonrpc":"2.0","id":9,"result":{"content":[{"type":"text","text":"')
  const endless = function* () {
    for (;;) yield MEGABYTE
  }
  await pipeline(Readable.from(endless()), response).catch(() => {})
}
