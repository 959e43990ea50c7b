/** The one door to MCP for the rest of the agent: loaded when a session has a server. */

export { openSystemKeyring } from '../platform/programs/system-keyring.js'
export { completeMcpArgument } from './complete-argument.js'
export { RpcRefusal } from './rpc.js'
export { readLimits } from './server-limits.js'
export { createMcpServers } from './servers.js'
export { leadSignIn } from './sign-in/lead-sign-in.js'
export { createServerTokens } from './sign-in/server-tokens.js'
export { createSignInFetch } from './sign-in/sign-in-fetch.js'
export { createSignInStore } from './sign-in/sign-in-store.js'
export { runHeadersHelper } from './transports/headers-helper.js'
export { createRemoteTransport } from './transports/remote-transport.js'
