/** Shapes that exist for the JSON Schemas only: the options without what can't be written as JSON. */
import type { McpServerConfigForProcessTransport } from './mcp-servers.js'
import type { Options } from './options.js'

/** Options of `query()` that are plain data. */
export type PlainDataOptions = Omit<
  Options,
  | 'abortController'
  | 'canUseTool'
  | 'getMcpToken'
  | 'hooks'
  | 'mcpServers'
  | 'onElicitation'
  | 'onMcpSignIn'
  | 'onUserDialog'
  | 'sessionStore'
  | 'spawnClaudeCodeProcess'
  | 'stderr'
  | 'summarize'
  | 'transport'
  | 'workspace'
> & { mcpServers?: Record<string, McpServerConfigForProcessTransport> }
