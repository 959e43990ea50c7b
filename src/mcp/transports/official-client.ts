/**
 * What we take of the official client library: streamable HTTP, SSE, and OAuth. In a file of its own: it is large, and
 * loaded on first use. One file, because each that is loaded later has its own copy of what it imports.
 */
import {
  auth,
  checkResourceAllowed,
  computeScopeUnion,
  discoverOAuthProtectedResourceMetadata,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  refreshAuthorization,
  registerClient,
  resourceUrlFromServerUrl,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  selectClientAuthMethod,
} from '@modelcontextprotocol/client'

export {
  auth,
  checkResourceAllowed,
  computeScopeUnion,
  discoverOAuthProtectedResourceMetadata,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  refreshAuthorization,
  registerClient,
  resourceUrlFromServerUrl,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  selectClientAuthMethod,
}
