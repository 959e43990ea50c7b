/** A real authorization server (oidc-provider) and an MCP server that takes its tokens. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type GuardedServer, startGuardedServer } from './guarded-server.js'

export type OidcWorld = AsyncDisposable & {
  server: GuardedServer
  issuer: string
  /** Paths of the authorization server that were asked for, with the method. */
  asked: string[]
}

/** What of the provider a test uses: its types are a package of their own, which nothing else here needs. */
type OidcProvider = {
  callback(): (request: object, response: object) => void
  AccessToken: { find(token: string): Promise<{ aud: string; scope: string } | undefined> }
}

/** It warns of everything that is for development only, which a test is. */
async function makeProvider(issuer: string, configuration: object): Promise<OidcProvider> {
  const { warn } = console
  console.warn = () => {}
  try {
    const name = 'oidc-provider'
    const { default: Provider } = await import(name)
    return new Provider(issuer, configuration)
  } finally {
    console.warn = warn
  }
}

export async function startOidcWorld(): Promise<OidcWorld> {
  const asked: string[] = []
  let handle: ReturnType<OidcProvider['callback']> = () => {}
  const http = createServer((request, response) => {
    asked.push(`${request.method} ${new URL(request.url ?? '/', 'http://x').pathname}`)
    handle(request, response)
  })
  await new Promise<void>((resolve) => http.listen(0, 'localhost', resolve))
  const issuer = `http://localhost:${(http.address() as AddressInfo).port}`
  let provider: OidcProvider | undefined
  const server = await startGuardedServer({
    async check(token) {
      const found = await provider?.AccessToken.find(token)
      return found?.aud === server.url ? { scopes: String(found.scope).split(' ') } : undefined
    },
    describe: (url) => ({ resource: url, authorization_servers: [issuer], scopes_supported: ['tools:read'] }),
  })
  provider = await makeProvider(issuer, {
    scopes: ['openid', 'offline_access', 'tools:read', 'tools:write'],
    cookies: { keys: ['of a test'] },
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      revocation: { enabled: true },
      deviceFlow: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context: unknown, resource: string) => ({
          scope: 'tools:read tools:write',
          audience: resource,
          accessTokenFormat: 'opaque',
        }),
      },
    },
    issueRefreshToken: async () => true,
    findAccount: (_context: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
  })
  handle = provider.callback()
  return {
    server,
    issuer,
    asked,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await new Promise<void>((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      })
    },
  }
}
