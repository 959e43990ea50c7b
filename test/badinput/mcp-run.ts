/** Runs a query against one odd MCP server and shows what everybody saw. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type McpServerStatus, type Options, query, type SDKMessage } from 'kedge'
import { collect, type ModelServer, startModelServer, type Turn, testOptions } from 'kedge/testing'

export const oddServer = fileURLToPath(new URL('./odd-mcp-server.js', import.meta.url))

type Heard = {
  method?: string
  id?: number
  params?: Record<string, unknown>
  result?: unknown
  error?: { code: number }
}

export type OddRun = {
  messages: SDKMessage[]
  error: unknown
  /** When the first turn began. */
  status: McpServerStatus | undefined
  stderr: string
  /** What the server noted. */
  heard: (Heard & { started?: number; env?: string[] })[]
  /** The content of each tool result, in order, as text. */
  results: string[]
  requests: ModelServer['requests']
}

export async function runOdd(
  what: string,
  turns: Turn[],
  overrides: Options = {},
  config: object = {},
): Promise<OddRun> {
  await using server = await startModelServer(turns)
  await using options = testOptions(server, {
    allowedTools: ['mcp__odd'],
    mcpServers: { odd: { command: process.execPath, args: [oddServer, what], alwaysLoad: true, ...config } },
    ...overrides,
  })
  const log = join(options.cwd, 'odd.log')
  options.env['ODD_LOG'] = log
  let stderr = ''
  options.stderr = (text) => {
    stderr += text
  }
  let status: McpServerStatus | undefined
  const running = query({ prompt: 'Go.', options })
  const watched = (async function* () {
    for await (const message of running) {
      if (message.type === 'system' && message.subtype === 'init') [status] = await running.mcpServerStatus()
      yield message
    }
  })()
  const { messages, error } = await collect(watched)
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
  return {
    messages,
    error,
    status,
    stderr,
    heard: lines.filter(Boolean).map((line) => JSON.parse(line)),
    results: messages.flatMap((message) => (message.type === 'user' ? resultText(message) : [])),
    requests: server.requests,
  }
}

function resultText(message: Extract<SDKMessage, { type: 'user' }>): string[] {
  const { content } = message.message
  if (!Array.isArray(content)) return []
  return content.flatMap((block) =>
    block.type === 'tool_result'
      ? [typeof block.content === 'string' ? block.content : JSON.stringify(block.content)]
      : [],
  )
}
