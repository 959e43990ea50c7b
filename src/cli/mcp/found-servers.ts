/** Servers as the commands of `kedge mcp` pass them around. */
import type { McpServerStatus } from '../../protocol/mcp-servers.js'
import type { McpScope } from './mcp-files.js'

/** A server of a configuration file. */
export type FoundMcpServer = { name: string; scope: McpScope; config: unknown }

/** Connects to servers and returns how they are. */
export type FetchServerStatuses = (
  servers: Readonly<Record<string, unknown>>,
  options?: FetchStatusesOptions,
) => Promise<readonly Pick<McpServerStatus, 'name' | 'status' | 'error' | 'auth' | 'tools' | 'serverInfo'>[]>

/** `note`: receives what is printed while they connect. Default: stderr. */
export type FetchStatusesOptions = { env?: NodeJS.ProcessEnv; note?(text: string): void }
