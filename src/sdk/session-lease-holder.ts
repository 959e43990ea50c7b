/**
 * The right to write to the sessions of one query in a caller's store: asked for before the first line, kept while the query lives,
 * given back at its end. A store without leases is written to as it is.
 */
import { KedgeError } from '../errors.js'
import type { SessionKey, SessionLeases, SessionStore } from '../protocol/stored-sessions.js'

/** How long another program waits before taking over from an unresponsive one. */
const TTL_MS = 30_000
/** A query that was just closed still tidies up. */
const PATIENCE_MS = 3000
const PAUSE_MS = 50

export interface SessionLeaseHolder {
  /** Rejects with `session_in_use` while somebody else writes. Undefined: the store has no leases. */
  take(key: SessionKey): Promise<number | undefined>
  /** Calls back, once, when the lease of a session is somebody else's, or can be by now. */
  onLost(tell: () => void): void
  /** Others may continue with the sessions now. Never rejects. */
  release(): Promise<void>
}

/** `until`: by our clock, when others may have it. */
type Held = { leases: SessionLeases; key: SessionKey; token: number; until: number }

export function createSessionLeaseHolder({ leases }: SessionStore): SessionLeaseHolder {
  const taken = new Map<string, Promise<Held>>()
  const ttl = leases?.ttlMs ?? TTL_MS
  let timer: NodeJS.Timeout | undefined
  let onLost = () => {}

  const lose = () => {
    clearInterval(timer)
    onLost()
    onLost = () => {}
  }
  /** A store that is down for a moment has not given the lease to anybody else, as long as it has not run out. */
  const renewAll = async () => {
    for (const held of await settled(taken.values())) {
      const asked = performance.now()
      const isOurs = await held.leases.renew(held.key, held.token, ttl).catch(() => undefined)
      if (isOurs) held.until = asked + ttl
      else if (isOurs === false || performance.now() > held.until) return lose()
    }
  }
  const hold = (from: SessionLeases, key: SessionKey): Promise<Held> => {
    const name = JSON.stringify([key.projectKey, key.sessionId])
    const known = taken.get(name)
    if (known) return known
    const asked = acquire(from, { projectKey: key.projectKey, sessionId: key.sessionId }, ttl)
    taken.set(name, asked)
    // One that was refused may be had later.
    asked.catch(() => taken.delete(name))
    timer ??= setInterval(() => void renewAll(), ttl / 3).unref()
    return asked
  }

  return {
    take: async (key) => (leases ? (await hold(leases, key)).token : undefined),
    onLost(tell) {
      onLost = tell
    },
    async release() {
      clearInterval(timer)
      const held = await settled(taken.values())
      taken.clear()
      await Promise.all(held.map(({ leases: from, key, token }) => from.release(key, token).catch(() => undefined)))
    },
  }
}

async function acquire(leases: SessionLeases, key: SessionKey, ttl: number): Promise<Held> {
  const holder = await ownName()
  for (const deadline = Date.now() + PATIENCE_MS; ; ) {
    const asked = performance.now()
    const answer = await leases.acquire(key, holder, ttl)
    if ('token' in answer) return { leases, key, token: answer.token, until: asked + ttl }
    if (Date.now() >= deadline) {
      throw new KedgeError('session_in_use', `Session ${key.sessionId} is in use by ${answer.heldBy}: end that first.`)
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

async function ownName(): Promise<string> {
  const { ownerProcessChecker } = await import('../platform/processes/owner-process.js')
  const { pid, host } = ownerProcessChecker.own()
  return `process ${pid} on ${host}`
}

async function settled(promises: Iterable<Promise<Held>>): Promise<Held[]> {
  const results = await Promise.allSettled(promises)
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
}
