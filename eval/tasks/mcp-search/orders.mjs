// An MCP server with sixty tools, one of which knows the answer: requests and answers are lines of JSON.
import { createInterface } from 'node:readline'

const schema = { type: 'object', properties: { id: { type: 'string', description: 'The order.' } }, required: ['id'] }
const topics = ['invoice', 'refund', 'stock', 'carrier', 'coupon', 'return']
const tools = topics.flatMap((topic) =>
  Array.from({ length: 10 }, (_, at) => ({
    name: `${topic}_report_${at}`,
    description: `Report ${at} about each ${topic}.`,
    inputSchema: schema,
  })),
)
tools[35] = { name: 'track_parcel', description: 'Where the parcel of an order is.', inputSchema: schema }

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'orders', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: { id } }) => ({
    content: [{ type: 'text', text: name === 'track_parcel' ? `Order ${id}: in Rotterdam` : `No ${name} for ${id}` }],
  }),
  ping: () => ({}),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method]
  const error = { code: -32601, message: `There is no ${method}` }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(answer ? { result: answer(params) } : { error }) }))
})
