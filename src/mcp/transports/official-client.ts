/**
 * What we take of the official client library: streamable HTTP, SSE, and OAuth. In a file of its own: it is large, and
 * loaded on first use. One file, because each that is loaded later has its own copy of what it imports.
 */
import {
  auth,
  computeScopeUnion,
  discoverOAuthProtectedResourceMetadata,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  refreshAuthorization,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  selectClientAuthMethod,
} from '@modelcontextprotocol/client'

export {
  auth,
  computeScopeUnion,
  discoverOAuthProtectedResourceMetadata,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  refreshAuthorization,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  selectClientAuthMethod,
}
