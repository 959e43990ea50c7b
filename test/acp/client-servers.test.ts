/** MCP servers that the client itself is (`type: "acp"`): their messages go over its own connection. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Wire } from './acp-schema.js'
import { openRig } from './rig.js'
import { use } from './rows-turn.js'

test("the model calls a tool of the client; what the server says meanwhile is heard, and its errors are the tool's", async () => {
  await using rig = await openRig('raw', { flavour: 'unstable' })
  assert.equal(rig.initialized.agentCapabilities.mcpCapabilities.acp, true)
  const asked: string[] = []
  rig.person.other = (method, request: Wire) => {
    assert.equal(method, 'mcp/message')
    assert.equal(request.serverId, 'srv-1')
    asked.push(request.method)
    switch (request.method) {
      case 'initialize':
        return {
          result: {
            protocolVersion: request.params.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 'e', version: '1' },
          },
        }
      case 'tools/list':
        return { result: { tools: ['add', 'fail'].map((name) => ({ name, inputSchema: { type: 'object' } })) } }
      case 'tools/call': {
        const { name, arguments: given } = request.params
        if (name === 'fail') return { error: { code: -32000, message: 'It is closed.' } }
        return { result: { content: [{ type: 'text', text: `sum ${given.a + given.b}` }] } }
      }
      default:
        return { error: { code: -32601, message: 'no' } }
    }
  }
  const session = await rig.begin({ mcpServers: [{ type: 'acp', name: 'editor', serverId: 'srv-1' }] })
  // Servers are connected in the background; the first turn may be over before.
  for (let tries = 0; tries < 100 && !asked.includes('tools/list'); tries += 1) await session.play(['Not yet.'])
  const played = await session.play([use('mcp__editor__add', { a: 2, b: 3 }), use('mcp__editor__fail', {}), 'Five.'])
  const ends = played.updates('tool_call_update').filter(({ status }) => status === 'completed' || status === 'failed')
  assert.deepEqual(
    ends.map(({ status, content }) => [status, content[0].content.text]),
    [
      ['completed', 'sum 5'],
      ['failed', 'MCP error -32000: It is closed.'],
    ],
  )
  assert.deepEqual([...new Set(asked)], ['initialize', 'tools/list', 'tools/call'])
})
