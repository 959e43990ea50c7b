/** What `kedge -p` prints about MCP servers that can't be used: the answer lacks their tools. Loaded when there is one. */
import { printableText, terminalSafeText } from '../../platform/visible-text.js'
import type { McpServerStatus } from '../../protocol/mcp-servers.js'
import { explainMcpFailure } from './mcp-failure-text.js'
import { MCP_SCOPES, readMcpServers } from './mcp-files.js'

/** Returns one line per server. `kedge mcp test` knows only servers of files, so others are pointed to their flag. */
export async function mcpWarnings(failed: readonly McpServerStatus[]): Promise<string[]> {
  const configured = await Promise.all(MCP_SCOPES.map((scope) => readMcpServers(scope).catch(() => ({}))))
  return failed.map((status) => {
    const name = printableText(status.name, 200)
    const { problem } = explainMcpFailure({ ...status, name }, {})
    // The first line only: what a server printed is for `kedge mcp test`.
    const [first = '', second] = terminalSafeText(problem).split('\n')
    const text = second === undefined ? first : `${first} ${second}${/[.!?]$/.test(second) ? '' : '.'}`
    const isConfigured = configured.some((servers) => Object.hasOwn(servers, status.name))
    const command = status.status === 'needs-auth' ? `kedge mcp login ${name}` : `kedge mcp test ${name}`
    const fix = isConfigured ? `Run \`${command}\`.` : 'Correct it in --mcp-config.'
    return `Warning: MCP server ${text.slice(0, 500)} ${fix}`
  })
}
