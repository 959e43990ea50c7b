/** `InMemorySessionStore`: a session store for tests and trials; what it holds is gone with the process. */
import { foldSessionSummary } from '../protocol/session-summary.js'
import type {
  SessionKey,
  SessionLeases,
  SessionStore,
  SessionStoreEntry,
  SessionSummaryEntry,
} from '../protocol/stored-sessions.js'
import { createMemoryLeases, type MemoryLeases } from './memory-leases.js'

/** `now` is for tests: when leases run out. */
export type MemoryStoreOptions = { now?: () => number }

type Kept = { key: SessionKey; entries: SessionStoreEntry[]; uuids: Set<string>; mtime: number }

/** A session store for tests and trials: everything is gone with the process. */
export class InMemorySessionStore implements SessionStore {
  readonly #kept = new Map<string, Kept>()
  readonly #summaries = new Map<string, SessionSummaryEntry>()
  readonly #leases: MemoryLeases
  #lastTime = 0

  constructor({ now = Date.now }: MemoryStoreOptions = {}) {
    this.#leases = createMemoryLeases(now)
  }

  get leases(): SessionLeases {
    return this.#leases
  }

  async append(key: SessionKey, entries: SessionStoreEntry[], token?: number): Promise<void> {
    this.#leases.check(key, token)
    const name = nameOf(key)
    const kept = this.#kept.get(name) ?? { key: { ...key }, entries: [], uuids: new Set(), mtime: 0 }
    const added = entries.filter(({ uuid }) => uuid === undefined || !kept.uuids.has(uuid)).map(copyOf)
    for (const { uuid } of added) if (uuid !== undefined) kept.uuids.add(uuid)
    kept.entries.push(...added)
    kept.mtime = this.#now()
    this.#kept.set(name, kept)
    if (key.subpath !== undefined) return
    this.#summaries.set(name, foldSessionSummary(this.#summaries.get(name), key, added, { mtime: kept.mtime }))
  }

  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    return this.#kept.get(nameOf(key))?.entries.map(copyOf) ?? null
  }

  /** The sessions of a project, with the time of their last change. */
  async listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    return this.#sessions(projectKey).map(({ key, mtime }) => ({ sessionId: key.sessionId, mtime }))
  }

  /** The sessions of a project, with what a list shows of each. */
  async listSessionSummaries(projectKey: string): Promise<SessionSummaryEntry[]> {
    return this.#sessions(projectKey).flatMap(({ key }) => this.#summaries.get(nameOf(key)) ?? [])
  }

  async delete(key: SessionKey): Promise<void> {
    for (const [name, { key: other }] of this.#kept) {
      const belongs = other.projectKey === key.projectKey && other.sessionId === key.sessionId
      if (!belongs || (key.subpath !== undefined && other.subpath !== key.subpath)) continue
      this.#kept.delete(name)
      this.#summaries.delete(name)
    }
  }

  /** The conversations of a session's sub-agents. */
  async listSubkeys({
    projectKey,
    sessionId,
  }: {
    /** The project, as the session store names it. */
    projectKey: string
    /** The session. */
    sessionId: string
  }): Promise<string[]> {
    return [...this.#kept.values()].flatMap(({ key }) => {
      return key.projectKey === projectKey && key.sessionId === sessionId ? (key.subpath ?? []) : []
    })
  }

  /** For tests: what is kept under a key. */
  getEntries(key: SessionKey): SessionStoreEntry[] {
    return this.#kept.get(nameOf(key))?.entries.map(copyOf) ?? []
  }

  /** Sessions, without what belongs to them. */
  get size(): number {
    return this.#summaries.size
  }

  /** Forgets everything. */
  clear(): void {
    this.#kept.clear()
    this.#summaries.clear()
  }

  #sessions(projectKey: string): Kept[] {
    return [...this.#kept.values()].filter(({ key }) => key.projectKey === projectKey && key.subpath === undefined)
  }

  /** Later appends have later times, also within a millisecond. */
  #now(): number {
    this.#lastTime = Math.max(Date.now(), this.#lastTime + 1)
    return this.#lastTime
  }
}

function nameOf({ projectKey, sessionId, subpath }: SessionKey): string {
  return JSON.stringify([projectKey, sessionId, subpath ?? null])
}

/** Nobody outside changes what is kept. */
function copyOf(entry: SessionStoreEntry): SessionStoreEntry {
  return structuredClone(entry)
}
