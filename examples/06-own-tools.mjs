// Custom tools: a zod shape describes a tool's input, and the handler receives it checked. The server lives in this process, and one
// server serves any number of queries. A scripted model stands in for a real one, so this runs offline.
import assert from 'node:assert/strict'
import { createSdkMcpServer, query, tool } from 'kedge'
import { startModelServer, testOptions } from 'kedge/testing'
import { z } from 'zod'

const stock = new Map([['apples', 3]])
const take = tool(
  'take',
  'Takes things out of the store',
  { what: z.string().describe('Which thing'), count: z.number().int().min(1).default(1) },
  async ({ what, count }) => {
    const left = (stock.get(what) ?? 0) - count
    if (left < 0) throw new Error(`There are not enough ${what}.`)
    stock.set(what, left)
    return { content: [{ type: 'text', text: `${left} ${what} left` }] }
  },
)
const store = createSdkMcpServer({ name: 'store', tools: [take] })

const call = (input) => ({ tools: [{ name: 'mcp__store__take', input }] })
const model = await startModelServer([call({ what: 'apples' }), call({ what: 'pears' }), call({ what: 7 }), 'Done.'])
const options = testOptions(model, { mcpServers: { store }, allowedTools: ['mcp__store__take'] })
const answers = []
for await (const message of query({ prompt: 'Take some fruit.', options })) {
  if (message.type === 'user') answers.push(JSON.stringify(message.message.content))
}
await options[Symbol.asyncDispose]()
await model.close()

console.log(answers.join('\n'))
assert.match(answers[0], /2 apples left/)
assert.match(answers[1], /not enough pears/)
assert.match(answers[2], /expected string, received number/)
