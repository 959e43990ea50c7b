/** MCP servers that the client itself is (`type: "acp"`): their messages go over its own connection. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Wire } from './acp-schema.js'
import { openRig } from './rig.js'
import { use } from './rows-turn.js'

test("the model calls a tool of the client; what the server says meanwhile is heard, and its errors are the tool's", async () => {
  await using rig = await openRig('raw', { flavor: 'unstable' })
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

test('prompts of a server are commands as soon as it is there, before anything was said, and can be typed by that name', async () => {
  await using rig = await openRig('raw', { flavor: 'unstable' })
  rig.person.other = (_, request: Wire) => {
    switch (request.method) {
      case 'initialize': {
        const { protocolVersion } = request.params
        const serverInfo = { name: 'e', version: '1' }
        return { result: { protocolVersion, capabilities: { prompts: {} }, serverInfo } }
      }
      case 'prompts/list':
        return {
          result: {
            prompts: [{ name: 'size up', description: 'Sizes', arguments: [{ name: 'what', required: true }] }],
          },
        }
      case 'prompts/get':
        return {
          result: {
            messages: [
              { role: 'user', content: { type: 'text', text: `How large? ${request.params.arguments.what}` } },
            ],
          },
        }
      default:
        return { error: { code: -32601, message: 'no' } }
    }
  }
  const session = await rig.begin({ mcpServers: [{ type: 'acp', name: 'editor', serverId: 'srv-1' }] })
  const isTold = ({ availableCommands }: Wire) => availableCommands.some(({ name }: Wire) => name.startsWith('mcp:'))
  const { availableCommands } = await session.update('available_commands_update', isTold)
  assert.deepEqual(
    availableCommands.filter(({ name }: Wire) => name.startsWith('mcp:')),
    [{ name: 'mcp:editor:size_up', description: 'Sizes', input: { hint: '<what>' } }],
  )
  const played = await session.play(['Very.'], '/mcp:editor:size_up')
  assert.equal(played.text(), 'Very.')
  assert.match(rig.model.server.requests.at(-1)?.prompt ?? '', /How large\? \[\[p\d+\]\]$/)
})
