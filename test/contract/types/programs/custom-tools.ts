// Tools of one's own, in process, with arguments inferred from zod shapes.
import {
  createSdkMcpServer,
  type InferShape,
  type McpSdkServerConfigWithInstance,
  query,
  type SdkMcpToolDefinition,
  tool,
} from '@anthropic-ai/claude-agent-sdk'
import { z } from 'zod'

const weather = tool(
  'weather',
  'Weather of a city',
  {
    city: z.string().describe('Where'),
    days: z.number().int().min(1).max(7).default(1),
    unit: z.enum(['C', 'F']).optional(),
    tags: z.array(z.string()),
  },
  async (args) => {
    const city: string = args.city
    const days: number = args.days
    const unit: 'C' | 'F' | undefined = args.unit
    return {
      content: [{ type: 'text', text: `${city.toUpperCase()} ${days.toFixed()} ${unit ?? 'C'} ${args.tags.join()}` }],
    }
  },
  { annotations: { readOnlyHint: true, title: 'Weather', openWorldHint: true } },
)

const picture = tool(
  'picture',
  'Draws',
  { width: z.number(), title: z.string().nullable() },
  async ({ width, title }, extra) => {
    console.log(extra, title?.length)
    if (width > 100) return { content: [{ type: 'text', text: 'too wide' }], isError: true }
    return { content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }], structuredContent: { width } }
  },
)

const ping = tool('ping', 'Answers', {}, async () => ({ content: [{ type: 'text', text: 'pong' }] }))

export const server: McpSdkServerConfigWithInstance = createSdkMcpServer({
  name: 'demo',
  version: '1.2.3',
  tools: [weather, picture, ping],
})

const search = { query: z.string(), limit: z.number() }
export async function find(args: InferShape<typeof search>): Promise<string> {
  return args.query.repeat(args.limit)
}

// biome-ignore lint/suspicious/noExplicitAny: what people write for a list of tools
export function serverOf(name: string, tools: SdkMcpToolDefinition<any>[]): McpSdkServerConfigWithInstance {
  return createSdkMcpServer({ name, tools })
}

export async function test(): Promise<string | undefined> {
  const result = await weather.handler({ city: 'Bern', days: 1, unit: undefined, tags: [] }, {})
  const [first] = result.content
  return first?.type === 'text' ? first.text : undefined
}

export const running = query({
  prompt: 'What is the weather in Bern?',
  options: {
    mcpServers: {
      demo: server,
      [server.name]: serverOf('more', [weather, ping]),
      files: { command: 'npx', args: ['-y', 'some-server'], env: { TOKEN: 'x' } },
      remote: { type: 'http', url: 'https://example.com/mcp', headers: { authorization: 'Bearer x' } },
    },
    allowedTools: ['mcp__demo__weather'],
  },
})
