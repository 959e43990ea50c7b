// The smallest server over stdio: one tool, which says when it was called, or as many as its argument says.
import { createInterface } from 'node:readline'

const about = { description: 'Says when.', inputSchema: { type: 'object', properties: {} } }
const count = Number(process.argv[2] ?? 1)
const tools = Array.from({ length: count }, (_, at) => ({ name: at === 0 ? 'stamp' : `stamp_${at}`, ...about }))
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'bench', version: '1' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': () => ({ content: [{ type: 'text', text: String(performance.timeOrigin + performance.now()) }] }),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method]
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: 'Method not found' } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`)
})
