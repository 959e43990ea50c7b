/** What `kedge mcp` gets from the agent's bundle. */
import type { FetchServerStatuses } from './found-servers.js'

/** What the command loads of the agent, whose bundle isn't its own. */
export type McpCommandParts = {
  ask: FetchServerStatuses
  signIn(): Promise<typeof import('./mcp-sign-in.js')>
  library(): Promise<typeof import('../../mcp/transports/official-client.js')>
}
