/** What every operation works with: the hub, and what the server adds to it: folders, tokens, readers, limits. */

import type { SessionInfo } from '../hub/session-types.js'
import { type LocalAgents, requireLocalAgents, type Sessions } from '../hub/sessions.js'
import { nodeClock } from '../platform/clock.js'
import type { Options } from '../protocol/options.js'
import type { Query } from '../protocol/query.js'
import type { Person } from '../protocol/session-log/ask-types.js'
import type { LogEntry } from '../protocol/session-log/entries.js'
import type { AccessTokens, Caller } from './access/access-tokens.js'
import type { AllowedRootFolders } from './access/allowed-root-folders.js'
import type { AuditLog } from './access/audit-log.js'
import { AcpConnections } from './acp-http/acp-connections.js'
import { HttpProblem } from './api/problems.js'
import type { EventReaders } from './events/event-readers.js'
import { AppFrames } from './mcp/app-frames.js'
import { PushSender } from './notify/push-sender.js'
import type { PostSender } from './notify/send-post.js'
import { WebhookSender } from './notify/webhook-sender.js'
import type { ServerLog } from './server-log.js'
import type { ServerMetrics } from './server-metrics.js'
import { UniversalReader } from './universal/universal-reader.js'

export type ServerContextParts = {
  hub: Sessions
  /** Undefined: sessions run on other machines. */
  agents: LocalAgents | undefined
  roots: AllowedRootFolders
  tokens: AccessTokens
  readers: EventReaders
  metrics: ServerMetrics
  audit: AuditLog
  log: ServerLog
  maxOpenSessions: number
  /** Bytes of a request. */
  maxBody: number
  /** For every agent. */
  options: Options
  /** Folder of the server's own files. */
  folder: string
  /** Contact for push services. */
  contact: string
  post: PostSender
  /** Origins of other pages that may call. */
  embedders: readonly string[]
}

export class ServerContext {
  readonly hub: Sessions
  /** Undefined: sessions run on other machines. */
  readonly agents: LocalAgents | undefined
  readonly roots: AllowedRootFolders
  readonly tokens: AccessTokens
  readonly readers: EventReaders
  readonly metrics: ServerMetrics
  readonly audit: AuditLog
  readonly log: ServerLog
  readonly maxBody: number
  readonly options: Options
  readonly #maxOpen: number
  /** Where each session works, as far as it was asked for. */
  readonly #folders = new Map<string, string>()
  /** Sessions that were used, the latest last. */
  readonly #used = new Set<string>()
  /** Entries as they were sent. */
  readonly written = new WeakMap<object, string>()
  readonly universal: UniversalReader
  readonly acp = new AcpConnections(this)
  readonly appFrames = new AppFrames()
  /** Origins of other pages that can show frames of this server. */
  readonly embedders: readonly string[]
  readonly push: PushSender
  readonly webhooks: WebhookSender
  /** Sessions that came from files, and how far they are old news. */
  readonly #imported = new Map<string, number>()
  isDraining = false

  constructor({ hub, agents, roots, tokens, readers, metrics, audit, log, ...given }: ServerContextParts) {
    this.hub = hub
    this.agents = agents
    this.universal = new UniversalReader(hub)
    this.roots = roots
    this.tokens = tokens
    this.readers = readers
    this.metrics = metrics
    this.audit = audit
    this.log = log
    this.maxBody = given.maxBody
    this.options = given.options
    this.embedders = given.embedders
    this.#maxOpen = given.maxOpenSessions
    const { folder, post, contact } = given
    const common = { folder, post, log, titleOf: (session: string) => this.#titleOf(session), wait: nodeClock.sleep }
    this.push = new PushSender({
      ...common,
      contact,
      callerOf: (id) => tokens.callerOf(id),
      lastingId: (caller) => tokens.lastingId(caller),
      maySee: (caller, session) => this.maySee(caller, session),
    })
    this.webhooks = new WebhookSender({
      ...common,
      hub,
      now: Date.now,
      isSilent: async (item) => this.isImported(item) || !(await this.maySee(ANYBODY, item.session)),
    })
  }

  /** Throws when there is no such session for this caller; after it the session may be used. */
  async use(caller: Caller, session: string): Promise<void> {
    if (caller.sessions && !caller.sessions.includes(session))
      throw new HttpProblem('forbidden_session', 'The token is for other sessions.')
    const folder = await this.#folderOf(session)
    // Sessions elsewhere on this machine are none of this server's.
    if (folder === undefined || !this.roots.holds(folder))
      throw new HttpProblem('session_not_found', `There is no session ${session}.`)
    await this.#makeRoom(session)
    this.#touch(session)
  }

  /** Room for one more; throws when there is none. */
  async makeRoom(): Promise<void> {
    await this.#makeRoom(undefined)
  }

  async maySee(caller: Caller, session: string): Promise<boolean> {
    if (caller.sessions && !caller.sessions.includes(session)) return false
    const folder = await this.#folderOf(session)
    return folder !== undefined && this.roots.holds(folder)
  }

  /** Whether a listed session is for the caller; needs no lookup. */
  isFor(caller: Caller, { id, cwd }: Pick<SessionInfo, 'id' | 'cwd'>): boolean {
    if (caller.sessions && !caller.sessions.includes(id)) return false
    this.#folders.set(id, cwd)
    return this.roots.holds(cwd)
  }

  /** Returns a session's agent; rejects with `not_on_cluster` where it runs on another machine. */
  async agentOf(session: string): Promise<Query> {
    return requireLocalAgents(this.agents).agent(session)
  }

  noteNew({ id, cwd }: SessionInfo): void {
    this.#folders.set(id, cwd)
    this.#touch(id)
  }

  /** What is in it up to this entry happened elsewhere, and isn't new. */
  noteImported(session: string, seq: number): void {
    this.#imported.set(session, seq)
  }

  isImported({ session, seq }: Pick<LogEntry, 'session' | 'seq'>): boolean {
    return seq <= (this.#imported.get(session) ?? 0)
  }

  noteGone(session: string): void {
    this.#folders.delete(session)
    this.#used.delete(session)
  }

  /** A folder for a new session. */
  folder(wanted: string): string {
    const folder = this.roots.resolve(wanted)
    if (folder === undefined) throw new HttpProblem('invalid_folder', "Sessions can't work in that folder.")
    return folder
  }

  checkNotDraining(): void {
    if (this.isDraining)
      throw new HttpProblem('draining', 'The server takes nothing new.', { headers: { 'retry-after': '5' } })
  }

  async #folderOf(session: string): Promise<string | undefined> {
    const known = this.#folders.get(session)
    if (known !== undefined) return known
    const folder = await this.hub.folderOf(session)
    if (folder !== undefined) this.#folders.set(session, folder)
    return folder
  }

  async #titleOf(session: string): Promise<string | undefined> {
    const isKnown = this.agents?.isOpen(session) ?? true
    return isKnown ? (await this.hub.info(session)).title : undefined
  }

  async #makeRoom(session: string | undefined): Promise<void> {
    const { agents } = this
    if (!agents || agents.size < this.#maxOpen || (session !== undefined && agents.isOpen(session))) return
    for (const used of this.#used) {
      if (!agents.isOpen(used)) this.#used.delete(used)
      else if (await agents.closeIfIdle(used)) {
        this.#used.delete(used)
        return
      }
    }
    throw new HttpProblem('too_many_sessions', `${this.#maxOpen} sessions are open, and something runs in each.`)
  }

  #touch(session: string): void {
    this.#used.delete(session)
    this.#used.add(session)
  }
}

/** For what is not done for a caller. */
const ANYBODY: Caller = { id: '', name: '', scopes: ['read'] }

/** Returns the person that a caller's token stands for, as the log and the audit log name them. */
export function personOfCaller({ name }: Caller): Person {
  return { name, interface: 'server' }
}
