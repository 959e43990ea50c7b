// A panel that shows MCP servers and switches them.
import {
  AbortError,
  type McpHttpServerConfig,
  type McpServerConfig,
  type McpServerStatus,
  type McpSetServersResult,
  type Query,
  query,
} from '@anthropic-ai/claude-agent-sdk'

const icons: Record<McpServerStatus['status'], string> = {
  connected: '●',
  failed: '✗',
  'needs-auth': '!',
  pending: '…',
  disabled: '○',
}

function secured(url: string, token: string): McpHttpServerConfig {
  return { type: 'http', url, headers: { Authorization: `Bearer ${token}` } }
}

export async function panel(running: Query): Promise<string[]> {
  const statuses = await running.mcpServerStatus()
  return statuses.map((server) => {
    const version = server.serverInfo?.version ?? '?'
    const tools = server.tools?.filter((tool) => tool.annotations?.readOnly !== false).map((tool) => tool.name) ?? []
    const url = server.config && 'url' in server.config ? server.config.url : ''
    return `${icons[server.status]} ${server.name} ${version} ${tools.join()} ${url} ${server.scope ?? ''} ${server.error ?? ''}`
  })
}

export async function swap(running: Query, servers: Record<string, McpServerConfig>): Promise<McpSetServersResult> {
  const result = await running.setMcpServers({ ...servers, api: secured('https://example.com', 'x') })
  for (const [name, error] of Object.entries(result.errors)) {
    console.error(name, error.slice(0, 80))
    await running.reconnectMcpServer(name)
    await running.toggleMcpServer(name, false)
  }
  await running.stopTask('task')
  return result
}

export async function main(): Promise<void> {
  try {
    const running = query({ prompt: 'hi', options: { strictMcpConfig: true } })
    await panel(running)
    const step = await running.next()
    if (!step.done) console.log(step.value.type)
    await running.return()
  } catch (error) {
    if (error instanceof AbortError) return
    throw error
  }
}
