/** What it takes to put a request to the user of a client. */
import type { AgentContext } from '@agentclientprotocol/sdk/unstable'
import type { AcpClientAbilities } from '../acp-client.js'
import type { PermissionRequestContext } from './permission.js'

export type ClientAskPorts = PermissionRequestContext & {
  context: AgentContext
  client: AcpClientAbilities
  /** Aborted when the answer is no longer needed. */
  signal: AbortSignal
}
