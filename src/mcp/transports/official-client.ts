/** Streamable HTTP and SSE, as the official client library speaks them. In a file of its own: it is large, and loaded on first use. */
import {
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'

export {
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  SSEClientTransport,
  StreamableHTTPClientTransport,
}
