/** Where the tokens of a session's servers come from: its host, or the sign-ins that are kept for its user. */
import type { RemoteConfig } from '../../mcp/servers.js'
import type { SignInStore } from '../../mcp/sign-in/sign-in-store.js'
import type { RemotePorts } from '../../mcp/transports/remote-transport.js'
import { printableText } from '../../platform/visible-text.js'
import type { McpTokenRequest } from '../../protocol/mcp-servers.js'
import type { Conversation } from '../conversation.js'

type Settings = Conversation['shared']['settings']

/** Asks the host; undefined: it has no token. */
export type GiveMcpToken = (request: McpTokenRequest) => Promise<string | undefined>

export type SessionSignIns = Awaited<ReturnType<typeof createSessionSignIns>>

export async function createSessionSignIns(
  { settings, platform }: Pick<Conversation['shared'], 'settings' | 'platform'>,
  askHost: GiveMcpToken | undefined,
) {
  const usesKept = usesKeptSignIns(settings)
  const store = usesKept ? await openSignInStore(settings.configDir, platform) : undefined
  const { createServerTokens, createSignInFetch } = await import('../../mcp/open.js')
  const useless = new Set<string>()
  return {
    async isSignedIn(server: string, url: string): Promise<boolean> {
      const token = (await store?.find({ server, url }).catch(() => undefined))?.tokens?.access_token
      return token !== undefined && !useless.has(token)
    },
    portsOf(server: string, config: RemoteConfig): Pick<RemotePorts, 'tokens' | 'signInAdvice'> {
      const web = createSignInFetch({
        serverUrl: config.url,
        allowPrivateAddress: config.allowPrivateAddress === true,
        network: platform.network,
      })
      const library = () => import('../../mcp/transports/official-client.js')
      return {
        tokens: createServerTokens(
          { server, url: config.url },
          {
            askHost,
            clock: platform.clock,
            onUseless: (token) => useless.add(token),
            kept: store && { store, library, fetch: web.fetch },
          },
        ),
        signInAdvice: adviceFor(server, usesKept, askHost !== undefined),
      }
    },
  }
}

/** Whether sign-ins that are kept for its user apply to a session. */
export function usesKeptSignIns({ mcpSignIns, sources }: Pick<Settings, 'mcpSignIns' | 'sources'>): boolean {
  return mcpSignIns ?? sources.includes('user')
}

/** Where the user's sign-ins are kept. */
export async function openSignInStore(
  configDir: string,
  { files, clock, identity }: Pick<Conversation['shared']['platform'], 'files' | 'clock' | 'identity'>,
): Promise<SignInStore> {
  const { createSignInStore } = await import('../../mcp/open.js')
  const keyring = async () => (await import('../../mcp/open.js')).openSystemKeyring()
  const { openMcpSignInFile } = await import('../../settings/settings-parts.js')
  return createSignInStore(openMcpSignInFile({ configDir, files, clock, uid: identity.uid, keyring }))
}

function adviceFor(server: string, usesKept: boolean, asksHost: boolean): string {
  if (asksHost) return 'getMcpToken gave no token that it takes'
  if (usesKept) return `run \`kedge mcp login ${shellWord(server)}\``
  return 'give it a token with `getMcpToken`, `headers`, or `headersHelper`, or set `mcpSignIns` to use those of `kedge mcp login`'
}

/** As a person can type it; a name that needs more than quotes is no name of a command. */
function shellWord(server: string): string {
  const name = printableText(server, 100)
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`
}
