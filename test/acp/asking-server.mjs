// An MCP server whose tool asks the user: by a form, or by a page to visit.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'

const server = new McpServer({ name: 'asking', version: '1.0.0' })
const say = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] })
const requestedSchema = {
  type: 'object',
  properties: {
    size: { type: 'string', title: 'Size', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
    count: { type: 'integer', minimum: 1 },
  },
  required: ['size'],
}
server.registerTool('form', { description: 'Asks' }, async () =>
  say(await server.server.elicitInput({ message: 'Which size?', requestedSchema })),
)
server.registerTool('page', { description: 'Asks' }, async () => {
  // Only to clients that say they can show pages.
  const answer = await server.server.elicitInput({
    mode: 'url',
    message: 'Please sign in',
    url: 'https://example.com/in',
    elicitationId: 'e1',
  })
  const done = { method: 'notifications/elicitation/complete', params: { elicitationId: 'e1' } }
  if (answer.action === 'accept') await server.server.notification(done)
  return say(answer)
})
await server.connect(new StdioServerTransport())
