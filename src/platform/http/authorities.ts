/** Who vouches for servers when somebody names further authorities: those, and the ones that are built in. */
import type { SecureContext } from 'node:tls'

/** For a request. The list is for runtimes that do not know contexts. */
export type Authorities = { ca: string[]; secureContext: SecureContext }

/**
 * Reads each list of authorities once: the built-in ones alone take as long as a dozen requests, and Node would read them for every
 * connection. What the returned function gives may throw, as the request itself would.
 */
export function createAuthorities(): (certificates: string) => Promise<() => Authorities> {
  let last: { certificates: string; authorities: Authorities } | undefined
  return async (certificates) => {
    const { createSecureContext, rootCertificates } = await import('node:tls')
    return () => {
      if (last?.certificates === certificates) return last.authorities
      // `ca` replaces the built-in authorities, so these are named again.
      const ca = [...rootCertificates, certificates]
      const authorities = { ca, secureContext: createSecureContext({ ca }) }
      last = { certificates, authorities }
      return authorities
    }
  }
}
