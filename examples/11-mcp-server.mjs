// An MCP server as a program: Kedge starts it with the query, calls its tools mcp__NAME__TOOL, and ends it with the query. This one
// is written with the MCP library; any server that speaks stdio, HTTP, or SSE works. A scripted model stands in for a real one.
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { query } from 'kedge'
import { startModelServer, testOptions } from 'kedge/testing'
import { z } from 'zod'

if (process.argv[2] === 'serve') await serve()
else await ask()

async function serve() {
  const server = new McpServer({ name: 'weather', version: '1.0.0' })
  server.registerTool(
    'forecast',
    { description: 'The weather', inputSchema: { city: z.string() } },
    async ({ city }) => ({
      content: [{ type: 'text', text: `${city}: 21 °C, sunny (${process.env.UNITS})` }],
    }),
  )
  await server.connect(new StdioServerTransport())
}

async function ask() {
  const model = await startModelServer([
    { tools: [{ name: 'mcp__weather__forecast', input: { city: 'Bern' } }] },
    { text: 'Take sunglasses.', expect: { toolResult: /Bern: 21 °C, sunny \(metric\)/ } },
  ])
  const program = {
    command: process.execPath,
    args: [fileURLToPath(import.meta.url), 'serve'],
    env: { UNITS: 'metric' },
  }
  const options = testOptions(model, { mcpServers: { weather: program }, allowedTools: ['mcp__weather'] })
  const seen = {}
  for await (const message of query({ prompt: 'What to wear in Bern?', options })) {
    if (message.subtype === 'init') seen.servers = message.mcp_servers
    if (message.type === 'result') seen.answer = message.result
  }
  await options[Symbol.asyncDispose]()
  await model.close()
  console.log(seen)
  assert.equal(seen.answer, 'Take sunglasses.')
  assert.deepEqual(
    seen.servers.map(({ name }) => name),
    ['weather'],
  )
  model.assertDone()
}
