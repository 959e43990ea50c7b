/** The one door to MCP for the rest of the agent: loaded when a session has a server. */
export { runHeadersHelper } from './headers-helper.js'
export { createRemoteTransport } from './remote-transport.js'
export { RpcRefusal } from './rpc.js'
export { readLimits } from './server-limits.js'
export { createServers } from './servers.js'
