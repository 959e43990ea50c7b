/**
 * The hub of many machines: what interfaces call writes rows that workers act on, and what they read comes from the log
 * that workers write. It runs no agent, and holds nothing that another node could miss.
 */

import { setMaxListeners } from 'node:events'
import { KedgeError } from '../../errors.js'
import { checkAnswerFitsAsk } from '../../hub/answers.js'
import { ASKS_IN_PAGE, readAskCursor, writeAskCursor } from '../../hub/inbox-page.js'
import type { NumberedFeedEntry } from '../../hub/log/feed.js'
import type { LogReadOptions } from '../../hub/log/session-log.js'
import { type SearchPage, type SessionTextSearchQuery, searchSessionTexts } from '../../hub/search-sessions.js'
import type { SessionLibrary } from '../../hub/session-library.js'
import type {
  ListFilter,
  RewindChanges,
  RewindTarget,
  SessionChangeRequest,
  SessionInfo,
  SessionPage,
  SessionSpec,
  StoredSessionLine,
} from '../../hub/session-types.js'
import type { Sessions } from '../../hub/sessions.js'
import { type FirstAbort, firstAbort } from '../../platform/first-abort.js'
import type { Options } from '../../protocol/options.js'
import type {
  AnswerOutcome,
  Ask,
  AskAnswer,
  CheckOpenAsk,
  InboxFilter,
  InboxPage,
  Person,
} from '../../protocol/session-log/ask-types.js'
import type { EntryBody, LogEntry, LogItem, SerializedLogEntry } from '../../protocol/session-log/entries.js'
import type { NewPrompt, Prompt, PromptReceipt } from '../../protocol/session-log/prompt-types.js'
import type { SessionMessage, SessionStore } from '../../protocol/stored-sessions.js'
import type { TenantDatabase } from '../database/database.js'
import type { WakeUps } from '../database/wake-ups.js'
import { writeAuditRow } from '../runs/audit.js'
import { CLUSTER_PROJECT_KEY } from '../runs/claimed-run.js'
import { ClusterSessions } from '../runs/cluster-sessions.js'
import { forgetSession } from '../runs/forget.js'
import {
  addLogEntries,
  createSessionStatusEntries,
  DUE_PROMPTS_SQL,
  PROMPT_IS_DUE_SQL,
  type RunPorts,
} from '../runs/run-changes.js'
import { ClusterFeed } from '../store/cluster-feed.js'
import { ALL_SESSIONS_WAKE_NAME, followLogBatches } from '../store/follow-log.js'
import type { PostgresHubStore } from '../store/postgres-log-store.js'
import { listSessionRows, readSessionInfo } from './session-rows.js'
import { storableOptions } from './storable-options.js'

export type ClusterHubPorts = {
  runs: RunPorts
  store: PostgresHubStore
  /** Transcripts of this tenant. */
  transcripts: SessionStore
  wakeUps: WakeUps
  library: Omit<SessionLibrary, 'folderTrust' | 'trustFolder'>
  newId(): string
  now(): number
  /** Which app new sessions are of. */
  app: string
}

export class ClusterHub implements Sessions {
  readonly #ports: ClusterHubPorts
  readonly #database: TenantDatabase
  readonly #sessions: ClusterSessions
  readonly #feed: ClusterFeed
  readonly #over = new AbortController()

  constructor(ports: ClusterHubPorts) {
    this.#ports = ports
    this.#database = ports.runs.database
    this.#sessions = new ClusterSessions(ports.runs)
    this.#feed = new ClusterFeed({ database: this.#database, wakeUps: ports.wakeUps })
    // Every concurrent reader listens to this signal.
    setMaxListeners(0, this.#over.signal)
  }

  async create(spec: SessionSpec): Promise<SessionInfo> {
    const { newId, app } = this.#ports
    const id = spec.id ?? newId()
    const { cwd, title, mode, model, effort } = spec
    const given = Object.fromEntries(
      Object.entries({ title, mode, model, effort }).filter(([, value]) => value !== undefined),
    )
    const first: EntryBody[] = [{ kind: 'state', data: { cwd, status: 'idle', ...given } }]
    const options = storableOptions(spec.options ?? {})
    if (!(await this.#sessions.create({ id, cwd, app, options, first }))) throw inUse(id)
    this.#ports.runs.wake(this.#database.tenant, id)
    return this.info(id)
  }

  async receive(
    session: string,
    cwd: string,
    entries: AsyncIterable<readonly LogEntry[]>,
    then: () => void,
  ): Promise<SessionInfo> {
    const { store } = this.#ports
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
    if (options) await this.use(session, options)
    return this.info(session)
  }

  async use(session: string, options: Options): Promise<void> {
    const text = JSON.stringify(storableOptions(options))
    await this.#sessions.change(session, async (tx, row) => {
      await tx.query('update kedge.sessions set options = $3 where tenant = $1 and id = $2', [row.tenant, row.id, text])
    })
  }

  async messages(session: string): Promise<SessionMessage[]> {
    return this.#ports.library.getSessionMessages(session, { sessionStore: this.#ports.transcripts })
  }

  async history(session: string): Promise<SessionMessage[]> {
    const whole = { includeCompacted: true, includeSystemMessages: true }
    return this.#ports.library.getSessionMessages(session, { sessionStore: this.#ports.transcripts, ...whole })
  }

  async storedLines(session: string): Promise<StoredSessionLine[]> {
    const { transcripts } = this.#ports
    const key = { projectKey: CLUSTER_PROJECT_KEY, sessionId: session }
    const lines: StoredSessionLine[] = ((await transcripts.load(key)) ?? []).map((line) => ({ line }))
    for (const subpath of (await transcripts.listSubkeys?.(key)) ?? []) {
      for (const line of (await transcripts.load({ ...key, subpath })) ?? []) lines.push({ subpath, line })
    }
    return lines
  }

  async agentMessages(session: string): Promise<Map<string, SessionMessage[]>> {
    const { library, transcripts: sessionStore } = this.#ports
    const byCall = new Map<string, SessionMessage[]>()
    for (const agent of await library.listSubagents(session, { sessionStore })) {
      for (const message of await library.getSubagentMessages(session, agent, { sessionStore })) {
        const call = message.parent_tool_use_id
        if (call !== null) byCall.set(call, [...(byCall.get(call) ?? []), message])
      }
    }
    return byCall
  }

  info(session: string): Promise<SessionInfo> {
    return readSessionInfo(this.#database, session)
  }

  list(filter: ListFilter = {}): Promise<SessionPage> {
    return listSessionRows(this.#database, filter)
  }

  search(query: SessionTextSearchQuery): Promise<SearchPage> {
    return searchSessionTexts(query, {
      list: (filter) => this.list(filter),
      messages: (session) => this.messages(session),
      store: this.#ports.store,
      now: this.#ports.now,
    })
  }

  async send(session: string, { id, content, when = 'queue', by }: NewPrompt): Promise<PromptReceipt> {
    const { seq, repeated } = await this.#sessions.submit(session, {
      clientId: id,
      body: content,
      by,
      steer: when === 'steer',
    })
    return { id, seq, repeated }
  }

  async queue(session: string): Promise<Prompt[]> {
    await this.info(session)
    const rows = await this.#database.query<{ client_id: string; body: string; steer: boolean }>(WAITING, [
      this.#database.tenant,
      session,
    ])
    return rows.map(({ client_id, body, steer }) => ({
      id: client_id,
      content: JSON.parse(body),
      when: steer ? 'steer' : 'queue',
    }))
  }

  /** From its log: a worker doesn't leave a session while tasks run in it, and says with each result which they are. */
  async runningTasks(session: string): Promise<string[]> {
    let tasks: readonly string[] = []
    for await (const entries of this.stored(session, 0))
      for (const { kind, data } of entries)
        if (kind === 'message' && data.type === 'result')
          tasks = (data.pending_tasks ?? []).map(({ task_id: id }) => id)
        else if (kind === 'message' && data.type === 'system' && data.subtype === 'task_notification')
          tasks = tasks.filter((id) => id !== data.task_id)
    return [...tasks]
  }

  async resumeTurn(session: string): Promise<void> {
    await this.#sessions.resumeTurn(session, `resume ${this.#ports.newId()}`)
  }

  async removePrompt(session: string, id: string, by?: Person): Promise<void> {
    await this.#sessions.change(session, async (tx, row) => {
      const gone = await tx.query(
        `update kedge.inbox set done = true where tenant = $1 and session = $2 and client_id = $3
           and kind = 'prompt' and not done and taken_run is null returning n`,
        [row.tenant, session, id],
      )
      if (gone.length === 0) throw new KedgeError('prompt_not_found', `No prompt ${id} waits in session ${session}.`)
      await addLogEntries(tx, row, [{ kind: 'prompt', data: { change: 'removed', id, ...(by ? { by } : {}) } }])
    })
  }

  async reorder(session: string, order: string[]): Promise<void> {
    await this.#sessions.change(session, async (tx, row) => {
      const waiting = await tx.query<{ client_id: string }>(WAITING, [row.tenant, session])
      const names = new Set(waiting.map(({ client_id }) => client_id))
      const missing = order.find((id) => !names.has(id))
      if (missing !== undefined)
        throw new KedgeError('prompt_not_found', `No prompt ${missing} waits in session ${session}.`)
      // Those that are not named stay behind the others.
      await tx.query(
        `update kedge.inbox set place = one.place - 1e9 from unnest($3::text[]) with ordinality as one (client_id, place)
         where tenant = $1 and session = $2 and inbox.client_id = one.client_id`,
        [row.tenant, session, order],
      )
      await addLogEntries(tx, row, [{ kind: 'prompt', data: { change: 'reordered', order } }])
    })
  }

  async interrupt(session: string, scope: 'turn' | 'all' | { task: string } = 'turn'): Promise<void> {
    const { newId } = this.#ports
    if (typeof scope === 'string') await this.#sessions.interrupt(session, `interrupt ${newId()}`)
    else await this.#sessions.wish(session, `wish ${newId()}`, { stopTask: scope.task })
  }

  async asks({ session }: { session?: string } = {}): Promise<Ask[]> {
    if (session !== undefined) await this.info(session)
    const rows = await this.#database.query<{ request: string }>(
      `select request from kedge.asks where tenant = $1 and state = 'open' and ($2::text is null or session = $2)
       order by asked, id`,
      [this.#database.tenant, session ?? null],
    )
    return rows.map(({ request }): Ask => JSON.parse(request)) // a worker wrote it
  }

  async listAsks({ session, among, limit = ASKS_IN_PAGE, cursor }: InboxFilter = {}): Promise<InboxPage> {
    if (session !== undefined) await this.info(session)
    const place = cursor === undefined ? undefined : readAskCursor(cursor)
    if (cursor !== undefined && !place) return { asks: [] }
    // One more than the page shows whether there is another page.
    const rows = await this.#database.query<{ id: string; at: string; request: string }>(
      `select id, request, to_char(asked at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
       from kedge.asks where tenant = $1 and state = 'open' and ($2::text is null or session = $2)
         and ($3::text[] is null or session = any($3))
         and ($4::timestamptz is null or (asked, id) > ($4::timestamptz, $5::text))
       order by asked, id limit $6`,
      [this.#database.tenant, session ?? null, among ?? null, place?.at ?? null, place?.id ?? null, limit + 1],
    )
    const page = rows.slice(0, limit)
    const asks = page.map(({ request }): Ask => JSON.parse(request)) // a worker wrote it
    const last = page.at(-1)
    return last && rows.length > limit ? { asks, next: writeAskCursor(last.at, last.id) } : { asks }
  }

  async answer(
    session: string,
    ask: string,
    answer: AskAnswer,
    by: Person,
    check?: CheckOpenAsk,
  ): Promise<AnswerOutcome> {
    const none = () => new KedgeError('ask_not_found', `Session ${session} has no open request ${ask}.`)
    const answered = await this.#sessions
      .answer(ask, answer, by, (request) => {
        const asked = request as Ask // a worker wrote it
        if (asked.session !== session) throw none()
        checkAnswerFitsAsk(asked, answer)
        check?.(asked)
      })
      .catch((error: unknown) => {
        throw KedgeError.isInstance(error) && error.code === 'ask_not_found' ? none() : error
      })
    if (answered === 'accepted') return 'accepted'
    return 'already' in answered ? { already: answered.already } : { already: 'withdrawn' }
  }

  async change(session: string, state: SessionChangeRequest): Promise<SessionInfo> {
    const { newId } = this.#ports
    if (Object.keys(state).length > 0)
      await this.#sessions.change(session, async (tx, row) => {
        await addLogEntries(tx, row, [{ kind: 'state', data: state }])
        await writeAuditRow(tx, row.tenant, { who: state.by?.name ?? '', what: 'change', session, details: state })
      })
    if (state.mode !== undefined) await this.#sessions.wish(session, `wish ${newId()}`, { mode: state.mode })
    if (state.model !== undefined) await this.#sessions.wish(session, `wish ${newId()}`, { model: state.model })
    return this.info(session)
  }

  async rewindConversation(session: string, { message, dryRun = false }: RewindTarget): Promise<RewindChanges> {
    const messages = await this.messages(session)
    const at = messages.findIndex(({ uuid }) => uuid === message)
    if (at < 0) throw new KedgeError('message_not_found', `Session ${session} has no message ${message}.`)
    const last = messages.slice(0, at).findLast(({ type }) => type === 'assistant')
    if (!last)
      throw new KedgeError(
        'message_not_found',
        `Nothing comes before the first prompt, so the conversation can't be rewound. Start a new session.`,
      )
    if (!dryRun)
      await this.#sessions.change(session, async (tx, row) => {
        if (row.state !== 'idle') throw new KedgeError('session_in_use', 'A turn is under way: interrupt it first.')
        await tx.query('update kedge.sessions set resume_at = $3 where tenant = $1 and id = $2', [
          ...[row.tenant, session, last.uuid],
        ])
        await addLogEntries(tx, row, [{ kind: 'state', data: { rewound: { message } } }])
      })
    return { files: [], insertions: 0, deletions: 0, messages: messages.length - at }
  }

  async fork(session: string, at?: { message: string }, options?: Options): Promise<SessionInfo> {
    const { cwd, mode, model } = await this.info(session)
    const { library, transcripts: sessionStore } = this.#ports
    const upTo = at ? { upToMessageId: at.message } : {}
    const { sessionId: id } = await library.forkSession(session, { sessionStore, ...upTo })
    const [row] = await this.#database.query<{ options: string }>(
      'select options from kedge.sessions where tenant = $1 and id = $2',
      [this.#database.tenant, session],
    )
    const kept = { ...(mode ? { mode } : {}), ...(model ? { model } : {}) }
    return this.create({ id, cwd, ...kept, options: options ?? JSON.parse(row?.options ?? '{}') })
  }

  read(session: 'all', options?: LogReadOptions): AsyncGenerator<NumberedFeedEntry, void>
  read(session: string, options?: LogReadOptions): AsyncGenerator<LogItem, void>
  async *read(session: string, options: LogReadOptions = {}): AsyncGenerator<LogItem, void> {
    if (session === ALL_SESSIONS_WAKE_NAME) {
      const { signal, release } = this.#until(options.signal)
      try {
        yield* this.#feed.read({ ...options, signal })
      } finally {
        release()
      }
      return
    }
    for await (const items of this.readSome(session, options)) yield* items
  }

  async *readSome(session: string, options: LogReadOptions = {}): AsyncGenerator<readonly LogItem[], void> {
    const { store } = this.#ports
    yield* this.#follow(session, (after) => store.read(session, after), options)
  }

  async *readTexts(
    session: string,
    options: LogReadOptions = {},
  ): AsyncGenerator<readonly (LogItem | SerializedLogEntry)[], void> {
    const { store } = this.#ports
    yield* this.#follow<LogItem | SerializedLogEntry>(
      session,
      (after) => (store.readTexts ?? store.read)(session, after),
      options,
    )
  }

  stored(session: string, after: number): AsyncIterable<readonly LogEntry[]> {
    return this.#ports.store.read(session, after)
  }

  async last(session: string = ALL_SESSIONS_WAKE_NAME): Promise<number> {
    return session === ALL_SESSIONS_WAKE_NAME ? this.#feed.last() : (await this.info(session)).seq
  }

  async folderOf(session: string): Promise<string | undefined> {
    const [row] = await this.#database.query<{ cwd: string }>(
      'select cwd from kedge.sessions where tenant = $1 and id = $2',
      [this.#database.tenant, session],
    )
    return row?.cwd
  }

  async close(session: string): Promise<void> {
    const { newId } = this.#ports
    await this.#sessions.interrupt(session, `interrupt ${newId()}`)
    await this.#sessions.change(session, async (tx, row) => {
      if (row.state === 'idle') await addLogEntries(tx, row, createSessionStatusEntries(row, 'done'))
    })
  }

  async delete(session: string): Promise<void> {
    await forgetSession(this.#database, session, 'user')
    this.#ports.runs.wake(this.#database.tenant, session)
  }

  async end(): Promise<void> {
    this.#over.abort()
  }

  async mustBeFree(session: string): Promise<void> {
    if ((await this.folderOf(session)) !== undefined) throw inUse(session)
  }

  async *#follow<T extends { seq: number }>(
    session: string,
    read: (after: number) => AsyncIterable<readonly T[]>,
    options: LogReadOptions,
  ): AsyncGenerator<readonly (LogItem | T)[], void> {
    await this.info(session)
    const { wakeUps } = this.#ports
    const { signal, release } = this.#until(options.signal)
    try {
      yield* followLogBatches({ database: this.#database, wakeUps }, session, read, { ...options, signal })
    } finally {
      release()
    }
  }

  #until(signal: AbortSignal | undefined): FirstAbort {
    return firstAbort([signal, this.#over.signal])
  }
}

function inUse(session: string): KedgeError {
  return new KedgeError('session_in_use', `There is a session ${session} already.`)
}

const WAITING = `${DUE_PROMPTS_SQL.replace(
  'select n::float8, client_id, body,',
  'select steer, n::float8, client_id, body,',
).replace(`not done and ${PROMPT_IS_DUE_SQL}`, 'not done and taken_run is null')}`
