/** An MCP server as a program: it asks its user for values, and answers with pictures. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const server = new McpServer({ name: 'harbor', version: '1.0.0' })

server.registerTool('picture', { description: 'Draws.', annotations: { readOnlyHint: true } }, async () => ({
  content: [
    { type: 'text', text: 'The quay at noon' },
    { type: 'image', data: PIXEL, mimeType: 'image/png' },
  ],
}))
server.registerTool('book', { description: 'Asks for a berth.', annotations: { readOnlyHint: true } }, async () => {
  const answer = await server.server.elicitInput(
    {
      message: 'Which berth?',
      requestedSchema: {
        type: 'object',
        properties: {
          ship: { type: 'string', title: 'Ship' },
          length: { type: 'integer', title: 'Length', description: 'in meters' },
          crane: { type: 'boolean', title: 'Crane needed' },
          side: {
            type: 'string',
            title: 'Side',
            oneOf: [
              { const: 'n', title: 'North quay' },
              { const: 's', title: 'South quay' },
            ],
          },
          goods: { type: 'array', title: 'Goods', items: { type: 'string', enum: ['grain', 'timber', 'wine'] } },
        },
        required: ['ship', 'crane', 'side'],
      },
      // People take longer than the minute that a server waits by itself.
    },
    { timeout: 600_000 },
  )
  return { content: [{ type: 'text', text: JSON.stringify(answer) }] }
})
await server.connect(new StdioServerTransport())
