/** The hub of this process: live sessions that outlast the client that started them, with one numbered log each. */
import { KedgeError } from '../errors.js'
import type { FolderTrust } from '../protocol/folder-settings-types.js'
import type { Options } from '../protocol/options.js'
import type { Query } from '../protocol/query.js'
import type {
  AnswerOutcome,
  Ask,
  AskAnswer,
  CheckOpenAsk,
  InboxFilter,
  InboxPage,
  Person,
} from '../protocol/session-log/ask-types.js'
import type { LogEntry, LogItem, SerializedLogEntry, SessionStatus } from '../protocol/session-log/entries.js'
import type { NewPrompt, Prompt, PromptReceipt } from '../protocol/session-log/prompt-types.js'
import type { SessionMessage, SessionStore } from '../protocol/stored-sessions.js'
import { createInboxPage } from './inbox-page.js'
import { mergeSessionLists, pageOfSessions } from './list-sessions.js'
import { AllSessionsFeed, FEED_LOG_NAME, type NumberedFeedEntry } from './log/feed.js'
import type { LogReadOptions } from './log/session-log.js'
import { type OpenedAgentSession, type OpenSessionPorts, openAgentSession } from './open-session.js'
import { rewindSessionConversation, rewindSessionFiles } from './rewind.js'
import { type SearchPage, type SessionTextSearchQuery, searchSessionTexts } from './search-sessions.js'
import type { SessionLibrary } from './session-library.js'
import type {
  ListFilter,
  RewindChanges,
  RewindTarget,
  SessionChangeRequest,
  SessionInfo,
  SessionPage,
  SessionSpec,
  StoredSessionLine,
} from './session-types.js'
import type { LocalHub } from './sessions.js'

export type HubPorts = Omit<OpenSessionPorts, 'storedInfo' | 'feed' | 'folderTrust'> & {
  library: SessionLibrary
  all: boolean
}

export class Hub implements LocalHub {
  readonly #ports: HubPorts & Omit<OpenSessionPorts, 'feed'>
  readonly #open = new Map<string, Promise<OpenedAgentSession>>()
  readonly #deleting = new Set<string>()
  /** Opened with the first session, or reader. */
  #feed: Promise<AllSessionsFeed> | undefined
  /** Receives everything that is written. */
  #noted: AllSessionsFeed | undefined
  #hasAll: boolean
  #closed = false

  constructor(ports: HubPorts) {
    this.#hasAll = ports.all
    this.#ports = {
      ...ports,
      folderTrust: ports.library.folderTrust,
      storedInfo: (session, cwd) => ports.library.getSessionInfo(session, cwd === undefined ? {} : { dir: cwd }),
    }
  }

  async create(spec: SessionSpec): Promise<SessionInfo> {
    const id = spec.id ?? this.#ports.newId()
    if (spec.id !== undefined) await this.mustBeFree(id)
    return (await this.#opened(id, spec)).info()
  }

  async receive(
    session: string,
    cwd: string,
    entries: AsyncIterable<readonly LogEntry[]>,
    then: () => void,
  ): Promise<SessionInfo> {
    const { store } = this.#ports
    await this.mustBeFree(session)
    await store.receive({ session, cwd }, entries)
    try {
      then()
    } catch (error) {
      await store.remove(session)
      throw error
    }
    return this.info(session)
  }

  async open(session: string, options?: Options): Promise<SessionInfo> {
    const opened = await this.#opened(session)
    if (options) opened.use(options)
    return opened.info()
  }

  async agent(session: string): Promise<Query> {
    return (await this.#opened(session)).live.driver.started()
  }

  async use(session: string, options: Options): Promise<void> {
    const opened = await this.#opened(session)
    opened.use(options)
    if (opened.state.status !== 'running' && opened.state.status !== 'needs-you') await opened.live.driver.end()
  }

  async messages(session: string): Promise<SessionMessage[]> {
    const { cwd } = (await this.#opened(session)).state
    return this.#ports.library.getSessionMessages(session, { dir: cwd })
  }

  async history(session: string): Promise<SessionMessage[]> {
    const { cwd: dir } = (await this.#opened(session)).state
    const whole = { includeCompacted: true, includeSystemMessages: true }
    return this.#ports.library.getSessionMessages(session, { dir, ...whole })
  }

  async storedLines(session: string): Promise<StoredSessionLine[]> {
    const { cwd: dir } = (await this.#opened(session)).state
    const lines: StoredSessionLine[] = []
    const store: SessionStore = {
      async append({ subpath }, entries) {
        for (const line of entries) lines.push({ ...(subpath ? { subpath } : {}), line })
      },
      load: async () => null,
    }
    await this.#ports.library.importSessionToStore(session, store, { dir }).catch((error: unknown) => {
      // The session has no messages yet.
      if (!KedgeError.isInstance(error) || error.code !== 'session_not_found') throw error
    })
    return lines
  }

  async agentMessages(session: string): Promise<Map<string, SessionMessage[]>> {
    const { library } = this.#ports
    const { cwd: dir } = (await this.#opened(session)).state
    const byCall = new Map<string, SessionMessage[]>()
    for (const agent of await library.listSubagents(session, { dir })) {
      for (const message of await library.getSubagentMessages(session, agent, { dir })) {
        const call = message.parent_tool_use_id
        if (call === null) continue
        const said = byCall.get(call)
        if (said) said.push(message)
        else byCall.set(call, [message])
      }
    }
    return byCall
  }

  folderTrust(cwd: string): Promise<FolderTrust> {
    return this.#ports.library.folderTrust(cwd)
  }

  trustFolder(cwd: string): Promise<{ isRemembered: boolean; reason?: string }> {
    return this.#ports.library.trustFolder(cwd)
  }

  async info(session: string): Promise<SessionInfo> {
    return (await this.#opened(session)).info()
  }

  async list(filter: ListFilter = {}): Promise<SessionPage> {
    const { library, store } = this.#ports
    const [stored, logs, open] = await Promise.all([
      library.listSessions(filter.cwd === undefined ? {} : { dir: filter.cwd }),
      store.list(),
      // One that could not be opened is none.
      Promise.all(this.#settled().map(async (session) => (await session)?.info())),
    ])
    const live = open.filter((info) => info !== undefined)
    return pageOfSessions(mergeSessionLists(stored, logs, live), filter)
  }

  /** Searches the text of all sessions. Opens none of them. */
  search(query: SessionTextSearchQuery): Promise<SearchPage> {
    const { library, store, clock } = this.#ports
    return searchSessionTexts(query, {
      list: (filter) => this.list(filter),
      messages: (session, dir) => library.getSessionMessages(session, { dir }),
      store,
      now: clock.now,
    })
  }

  async send(session: string, prompt: NewPrompt): Promise<PromptReceipt> {
    return (await this.#opened(session)).live.send(prompt)
  }

  async queue(session: string): Promise<Prompt[]> {
    return (await this.#opened(session)).queue()
  }

  async resumeTurn(session: string): Promise<void> {
    ;(await this.#opened(session)).live.resumeTurn()
  }

  /** The tasks that run in its agent, beside its turns; opens nothing else than the session. */
  async runningTasks(session: string): Promise<string[]> {
    return (await this.#opened(session)).live.driver.tasks.ids
  }

  async removePrompt(session: string, id: string, by?: Person): Promise<void> {
    await (await this.#opened(session)).live.remove(id, by)
  }

  async reorder(session: string, order: string[]): Promise<void> {
    await (await this.#opened(session)).live.reorder(order)
  }

  async interrupt(session: string, scope: 'turn' | 'all' | { task: string } = 'turn'): Promise<void> {
    const opened = await this.#opened(session)
    if (typeof scope === 'string') opened.pending.withdrawLeft('The turn that asked was stopped.')
    await opened.live.interrupt(scope)
  }

  async asks({ session }: { session?: string } = {}): Promise<Ask[]> {
    const sessions = session === undefined ? await Promise.all(this.#settled()) : [await this.#opened(session)]
    const asks = (await Promise.all(sessions.map((one) => one?.asks() ?? []))).flat()
    return asks.sort((a, b) => a.since.localeCompare(b.since))
  }

  async listAsks({ session, ...filter }: InboxFilter = {}): Promise<InboxPage> {
    return createInboxPage(await this.asks(session === undefined ? {} : { session }), filter)
  }

  async answer(
    session: string,
    ask: string,
    answer: AskAnswer,
    by: Person,
    check?: CheckOpenAsk,
  ): Promise<AnswerOutcome> {
    return (await this.#opened(session)).pending.answer(ask, answer, by, check)
  }

  async change(session: string, state: SessionChangeRequest): Promise<SessionInfo> {
    const opened = await this.#opened(session)
    await opened.live.driver.change(state)
    if (typeof state.title === 'string') await this.#rename(session, state.title)
    if (Object.keys(state).length > 0) opened.log.add({ kind: 'state', data: state })
    await opened.log.flushed()
    // It is chosen when an agent starts.
    if (state.effort !== undefined) await opened.live.driver.end()
    await opened.summarize()
    return opened.info()
  }

  async setMcpServers(session: string, servers: NonNullable<Options['mcpServers']>): Promise<void> {
    const query = await (await this.#opened(session)).live.driver.agent
    await query?.setMcpServers(servers, { replaceAll: true })
  }

  async rewindConversation(session: string, to: RewindTarget): Promise<RewindChanges> {
    return rewindSessionConversation(await this.#opened(session), session, to, this.#ports.library)
  }

  async rewindFiles(session: string, to: RewindTarget): Promise<RewindChanges> {
    return rewindSessionFiles(await this.#opened(session), session, to, this.#ports.library)
  }

  async fork(session: string, at?: { message: string }, options?: Options): Promise<SessionInfo> {
    const { cwd, mode, model } = await this.info(session)
    const upTo = at ? { upToMessageId: at.message } : {}
    const { sessionId } = await this.#ports.library.forkSession(session, upTo)
    const kept = { ...(mode ? { mode } : {}), ...(model ? { model } : {}), ...(options ? { options } : {}) }
    return (await this.#opened(sessionId, { id: sessionId, cwd, ...kept })).info()
  }

  read(session: 'all', options?: LogReadOptions): AsyncGenerator<NumberedFeedEntry, void>
  read(session: string, options?: LogReadOptions): AsyncGenerator<LogItem, void>
  async *read(session: string, options?: LogReadOptions): AsyncGenerator<LogItem, void> {
    if (session === FEED_LOG_NAME) yield* (await this.#feedOf()).read(options)
    else yield* (await this.#opened(session)).log.read(options)
  }

  async *readSome(session: string, options?: LogReadOptions): AsyncGenerator<readonly LogItem[], void> {
    yield* (await this.#opened(session)).log.readSome(options)
  }

  async *readTexts(
    session: string,
    options?: LogReadOptions,
  ): AsyncGenerator<readonly (LogItem | SerializedLogEntry)[], void> {
    yield* (await this.#opened(session)).log.readTexts(options)
  }

  async openFeed(): Promise<void> {
    if (this.#hasAll) return
    this.#hasAll = true
    const feed = await this.#feedOf().catch((error: unknown) => {
      this.#hasAll = false
      this.#feed = undefined
      throw error
    })
    // What they wrote while it was being opened.
    for (const session of this.#open.keys()) await feed.catchUp(session)
  }

  stored(session: string, after: number): AsyncIterable<readonly LogEntry[]> {
    return this.#ports.store.read(session, after)
  }

  async last(session: string = FEED_LOG_NAME): Promise<number> {
    if (session === FEED_LOG_NAME) return (await this.#feedOf()).last
    const { log, state } = await this.#opened(session)
    await log.flushed()
    return state.seq
  }

  async folderOf(session: string): Promise<string | undefined> {
    const open = await this.#open.get(session)?.catch(() => undefined)
    if (open) return open.state.cwd
    for await (const [first] of this.#ports.store.read(session, 0))
      return first?.kind === 'state' ? first.data.cwd : undefined
    return (await this.#ports.storedInfo(session))?.cwd
  }

  /**
   * Restores what an earlier process left: open asks and waiting prompts. Prompts are resumed, except if a turn was cut
   * off: then a user must look first.
   */
  async recover(): Promise<void> {
    if (this.#hasAll) await this.#feedOf()
    for (const { session, summary } of await this.#ports.store.list()) {
      if (summary?.final && summary.waiting === 0 && !summary.asks) continue
      // Another process has it, or its folder is gone.
      const opened = await this.#opened(session).catch(() => undefined)
      if (!opened) continue
      if (!opened.state.isCut) opened.live.resumeTurn()
      await this.closeIfIdle(session)
    }
  }

  async closeIfIdle(session: string): Promise<boolean> {
    const opening = this.#open.get(session)
    const opened = await opening
    if (!opened || opened.isBusy() || this.#open.get(session) !== opening) return false
    this.#open.delete(session)
    await opened.close(opened.state.status)
    return true
  }

  get size(): number {
    return this.#open.size
  }

  async statuses(): Promise<SessionStatus[]> {
    const open = await Promise.all([...this.#open.values()].map((session) => session.catch(() => undefined)))
    return open.flatMap((session) => (session ? [session.state.status] : []))
  }

  isOpen(session: string): boolean {
    return this.#open.has(session)
  }

  /** Ends its agent and lets it go; it stays stored. */
  async close(session: string): Promise<void> {
    const opened = this.#open.get(session)
    this.#open.delete(session)
    await (await opened)?.close('done')
  }

  async delete(session: string): Promise<void> {
    const opened = this.#open.get(session)
    this.#open.delete(session)
    this.#deleting.add(session)
    try {
      await (await opened?.catch(() => undefined))?.close('done')
      await this.#ports.library.deleteSession(session).catch((error: unknown) => {
        if (!KedgeError.isInstance(error) || error.code !== 'session_not_found') throw error
      })
      await this.#ports.store.remove(session)
      ;(await this.#feed)?.forget(session)
    } finally {
      this.#deleting.delete(session)
    }
  }

  /** Ends all agents. What waits stays stored. */
  async end(): Promise<void> {
    this.#closed = true
    const open = [...this.#open.values()]
    this.#open.clear()
    await Promise.allSettled(open.map(async (session) => (await session).leave()))
    await (await this.#feed?.catch(() => undefined))?.end()
  }

  async mustBeFree(session: string): Promise<void> {
    const isTaken = this.#open.has(session) || (await this.#ports.storedInfo(session)) !== undefined
    if (isTaken) throw new KedgeError('session_in_use', `There is a session ${session} already.`)
  }

  #settled(): Promise<OpenedAgentSession | undefined>[] {
    return [...this.#open.values()].map((session) => session.catch(() => undefined))
  }

  #opened(session: string, spec?: SessionSpec): Promise<OpenedAgentSession> {
    if (this.#closed)
      return Promise.reject(new KedgeError('session_closed', 'The server or program that has this session is closing.'))
    // A reader that reconnects now would open what is about to be gone, and so keep it.
    if (this.#deleting.has(session))
      return Promise.reject(new KedgeError('session_not_found', `Session ${session} is being deleted.`))
    const known = this.#open.get(session)
    if (known) return known
    const opening = this.#begin(session, spec)
    this.#open.set(session, opening)
    opening.catch(() => {
      if (this.#open.get(session) === opening) this.#open.delete(session)
    })
    return opening
  }

  async #begin(session: string, spec: SessionSpec | undefined): Promise<OpenedAgentSession> {
    if (this.#hasAll) await this.#feedOf()
    return openAgentSession(session, { ...this.#ports, feed: () => this.#noted }, spec)
  }

  #feedOf(): Promise<AllSessionsFeed> {
    if (this.#closed)
      return Promise.reject(new KedgeError('session_closed', 'The server or program that has this session is closing.'))
    if (!this.#hasAll)
      return Promise.reject(new KedgeError('unsupported_option', 'There is no stream of all sessions here.'))
    const { store, clock } = this.#ports
    this.#feed ??= AllSessionsFeed.open({ store, now: clock.now }).then((feed) => {
      this.#noted = feed
      return feed
    })
    return this.#feed
  }

  /** Where others look for it too, once there is a conversation. */
  async #rename(session: string, title: string): Promise<void> {
    if (await this.#ports.storedInfo(session)) await this.#ports.library.renameSession(session, title)
  }
}
