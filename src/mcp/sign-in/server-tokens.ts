/** The tokens of one server in a session: the host's, if it gives any, else those of a sign-in that is kept. */
import type { Clock } from '../../platform/clock.js'
import type { McpTokenRequest } from '../../protocol/mcp-servers.js'
import { messageOf } from '../../protocol/thrown.js'
import { cleanServerLine } from '../clean-text.js'
import { McpError } from '../mcp-error.js'
import { refreshSignIn, type SignInRefreshPorts } from './refresh-sign-in.js'
import type { SignInChallenge } from './sign-in-ports.js'
import type { ServerIdentity } from './stored-sign-in.js'

/** Why a token was not taken: it is none, or over; or it is good and does not allow what was asked for. */
export type TokenChallenge = SignInChallenge & { status: 401 | 403 }

export type ServerTokens = {
  /** For the next request. */
  current(): Promise<string | undefined>
  /** A request was refused. Returns whether there is another token to try. */
  renew(challenge: TokenChallenge, refused: string | undefined): Promise<boolean>
  /** No token was taken, this one neither. */
  giveUp(last: string | undefined): void
}

export type ServerTokensPorts = {
  /** Asks the host; undefined: it gives no tokens. */
  askHost?: ((request: McpTokenRequest) => Promise<string | undefined>) | undefined
  /** Sign-ins that are kept; undefined: this session uses none. */
  kept?: Omit<SignInRefreshPorts, 'clock'> | undefined
  clock: Pick<Clock, 'now'>
  /** A token is good for nothing. */
  onUseless?(token: string): void
}

/** A token that is over in less than this is renewed before it is used. */
const ALMOST_OVER_MS = 30_000

export function createServerTokens(
  server: ServerIdentity,
  { askHost, kept, clock, onUseless }: ServerTokensPorts,
): ServerTokens {
  let token: string | undefined
  let ofHost = false
  let begun: Promise<void> | undefined
  let renewing: Promise<boolean> | undefined

  const ask = async (reason: McpTokenRequest['reason'], challenge?: TokenChallenge): Promise<string | undefined> => {
    const { scope, resourceMetadataUrl } = challenge ?? {}
    return askHost?.({
      server: server.server,
      url: server.url,
      reason,
      ...(scope === undefined ? {} : { scopes: scope.split(/\s+/).filter(Boolean) }),
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    })
  }
  const begin = async () => {
    token = await ask('connect')
    ofHost = token !== undefined
    if (ofHost || !kept) return
    const known = await kept.store.find(server)
    token = known?.tokens?.access_token
    const isAlmostOver = known?.expiresAt !== undefined && known.expiresAt - ALMOST_OVER_MS < clock.now()
    // Whatever comes of it, the server has the last word about the old one.
    if (isAlmostOver && known?.tokens?.refresh_token) await fromKept({ status: 401 }, token).catch(() => false)
  }
  const fromKept = async (challenge: TokenChallenge, refused: string | undefined): Promise<boolean> => {
    if (!kept) return false
    if (challenge.status === 401) {
      const found = await refreshSignIn(server, refused, { ...kept, clock }).catch((error: unknown) => {
        throw new McpError('mcp_closed', `The sign-in can't be renewed now: ${cleanServerLine(messageOf(error), 300)}`)
      })
      token = found?.tokens?.access_token
      return token !== undefined && token !== refused
    }
    const known = await kept.store.find(server)
    const other = known?.tokens?.access_token
    if (other !== undefined && other !== refused) {
      token = other
      return true
    }
    const { computeScopeUnion } = await kept.library()
    const wantedScope = computeScopeUnion(known?.wantedScope, challenge.scope)
    if (known && wantedScope !== undefined && wantedScope !== known.wantedScope)
      await kept.store.change(server, (signIn) => ({ ...signIn, wantedScope }))
    return false
  }
  const renew = async (challenge: TokenChallenge, refused: string | undefined): Promise<boolean> => {
    if (token !== refused) return token !== undefined
    const given = await ask(challenge.status === 401 ? 'rejected' : 'insufficient_scope', challenge)
    if (given !== undefined && given !== refused) {
      token = given
      ofHost = true
      return true
    }
    // A token of the host's is not replaced by one that somebody else signed in for.
    return ofHost ? false : fromKept(challenge, refused)
  }

  return {
    async current() {
      begun ??= begin()
      await begun
      return token
    },
    giveUp(last) {
      if (last !== undefined) onUseless?.(last)
    },
    /** Several requests can be refused at once: one renewal is for all of them. */
    renew(challenge, refused) {
      renewing ??= renew(challenge, refused).finally(() => {
        renewing = undefined
      })
      return renewing
    },
  }
}
