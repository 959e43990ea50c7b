/** Leases of sessions that are kept in memory: one holder at a time, and tokens that only grow. */
import { KedgeError } from '../errors.js'
import type { SessionKey, SessionLeases } from '../protocol/stored-sessions.js'

/** `until` is 0 when it was released; the token is remembered all the same. */
type Lease = { token: number; holder: string; until: number }

export type MemoryLeases = SessionLeases & {
  /** Throws when a later lease was given than the one of this token. Without a token nobody has asked for one. */
  check(key: SessionKey, token: number | undefined): void
}

export function createMemoryLeases(now: () => number): MemoryLeases {
  const leases = new Map<string, Lease>()
  const held = (key: SessionKey, token: number) => {
    const lease = leases.get(nameOf(key))
    return lease?.token === token ? lease : undefined
  }
  return {
    async acquire(key, holder, ttlMs) {
      const last = leases.get(nameOf(key))
      if (last && last.until > now()) return { heldBy: last.holder }
      const token = (last?.token ?? 0) + 1
      leases.set(nameOf(key), { token, holder, until: now() + ttlMs })
      return { token }
    },
    async renew(key, token, ttlMs) {
      const lease = held(key, token)
      if (lease) lease.until = now() + ttlMs
      return lease !== undefined
    },
    async release(key, token) {
      const lease = held(key, token)
      if (lease) lease.until = 0
    },
    check(key, token) {
      const last = leases.get(nameOf(key))
      if (token === undefined || last === undefined || token >= last.token) return
      throw new KedgeError('session_fenced', `${last.holder} has taken over session ${key.sessionId}`)
    },
  }
}

/** What belongs to a session is under its lease. */
function nameOf({ projectKey, sessionId }: SessionKey): string {
  return JSON.stringify([projectKey, sessionId])
}
