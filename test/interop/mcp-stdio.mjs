// A small MCP server over stdio, written by hand: two tools, a prompt, a resource.
import { createInterface } from 'node:readline'

const tools = [
  {
    name: 'echo',
    description: 'Echoes',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    annotations: { readOnlyHint: true },
  },
  { name: 'boom', description: 'Fails', inputSchema: { type: 'object', properties: {} } },
]
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, prompts: {}, resources: {} },
    serverInfo: { name: 'stdio-fake', version: '9.9.9' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: { text } = {} }) =>
    name === 'echo'
      ? { content: [{ type: 'text', text: `echo: ${text}` }], structuredContent: { echoed: text } }
      : { content: [{ type: 'text', text: 'boom happened' }], isError: true },
  'prompts/list': () => ({ prompts: [{ name: 'greet', description: 'Greets', arguments: [] }] }),
  'prompts/get': () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }] }),
  'resources/list': () => ({ resources: [{ name: 'r1', uri: 'fake://r1', mimeType: 'text/plain' }] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, mimeType: 'text/plain', text: 'resource body' }] }),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined || method === undefined) return
  const answer = answers[method]
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: 'Method not found' } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`)
})
