/** The one door to MCP for the rest of the agent: loaded when a session has a server. */
export { runHeadersHelper } from './headers-helper.js'
export { readLimits } from './limits.js'
export { createRemoteTransport } from './remote-transport.js'
export { RpcRefusal } from './rpc.js'
export { createServers } from './servers.js'
