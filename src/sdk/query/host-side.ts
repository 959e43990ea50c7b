/** What the agent can ask of this process: permission, hooks, in-process servers; and the line both sides ask each other on. */
import type { KedgeError } from '../../errors.js'
import type { Options } from '../../protocol/options.js'
import { createPeer, type Peer } from '../../transport/peer.js'
import type { AgentConnection } from '../agent-connection.js'
import { createHostServers, type HostServers } from '../mcp/host-servers.js'
import { createCallbacks, type QueryCallbacks } from './callbacks.js'

export type QueryHostSide = {
  peer: Peer
  mcp: HostServers
  /** As `initialize` tells the agent of them. */
  hooks: QueryCallbacks['hooks']
  /** The agent may call back at any time. */
  hasCallbacks(): boolean
}

export type HostSideOptions = {
  options: Options
  channel: AgentConnection['channel']
  /** Returns the session's id; undefined until the agent has named it. */
  sessionId(): string | undefined
  /** Hears of answers of the caller that mean nothing. */
  onMistake(error: KedgeError): void
}

export function createHostSide({ options, channel, sessionId, onMistake }: HostSideOptions): QueryHostSide {
  const mcp = createHostServers({
    servers: options.mcpServers,
    tell: (request) => peer.request(request),
    sessionId,
  })
  const { hooks, handle } = createCallbacks(options, onMistake, mcp)
  const peer = createPeer({
    send: (message) => void channel.send(message),
    newId: () => Math.random().toString(36).slice(2),
    handle,
    report: () => {},
  })
  return {
    peer,
    mcp,
    hooks,
    hasCallbacks: () => Boolean(options.canUseTool || hooks || mcp.names().length > 0),
  }
}
