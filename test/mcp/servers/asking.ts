/** Servers that ask a user during a call: with a state of revision 2026-07-28, or on their connection. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { done, type RawServer, rawTool, startRawServer, statelessReply } from './raw-http.js'

export const QUESTION = {
  message: 'Deploy where?',
  requestedSchema: { type: 'object', properties: { where: { type: 'string' } } },
}

const LIVE_QUESTION = {
  message: QUESTION.message,
  requestedSchema: { type: 'object' as const, properties: { where: { type: 'string' as const } } },
}

/** Asks as many rounds as it has questions; the state says how far a call is. */
export function startAskingServer(rounds: Record<string, object>[] = [{ where: QUESTION }]): Promise<RawServer> {
  return startRawServer(
    statelessReply({
      tools: [rawTool('deploy', { app: { type: 'string' } })],
      reply({ params: { arguments: input, requestState, inputResponses } }) {
        const seen: unknown[] = requestState ? JSON.parse(requestState) : []
        if (inputResponses) seen.push(inputResponses)
        const questions = rounds[seen.length]
        if (!questions) return done(`deployed ${input.app}: ${JSON.stringify(seen)}`)
        const inputRequests = Object.fromEntries(
          Object.entries(questions).map(([key, params]) => [key, { method: 'elicitation/create', params }]),
        )
        return { result: { resultType: 'input_required', inputRequests, requestState: JSON.stringify(seen) } }
      },
    }),
  )
}

export type LiveServer = AsyncDisposable & { url: string; calls: string[] }

/** A server of the official library, of an older revision: `look` only reads, `change` doesn't. */
export async function startLiveServer(): Promise<LiveServer> {
  const calls: string[] = []
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  const servers: McpServer[] = []
  const open = async () => {
    const server = new McpServer({ name: 'live', version: '1' })
    for (const [name, readOnlyHint] of [
      ['look', true],
      ['change', false],
    ] as const)
      server.registerTool(name, { description: name, inputSchema: {}, annotations: { readOnlyHint } }, async () => {
        calls.push(name)
        const { action, content } = await server.server.elicitInput(LIVE_QUESTION)
        calls.push(`${name}: ${action}`)
        return { content: [{ type: 'text', text: `${name}: ${action} ${JSON.stringify(content ?? {})}` }] }
      })
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    })
    servers.push(server)
    await server.connect(transport)
    return transport
  }
  const http = createServer(async (request, response) => {
    const id = String(request.headers['mcp-session-id'] ?? '')
    await (sessions.get(id) ?? (await open())).handleRequest(request, response)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    calls,
    async [Symbol.asyncDispose]() {
      for (const server of servers) await server.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
