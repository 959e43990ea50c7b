/** The client: `Sessions` of the hub, over the API of a server. */

import type { NumberedFeedEntry } from '../hub/log/feed.js'
import type { SearchHit } from '../hub/search-sessions.js'
import type { ListFilter, SessionInfo } from '../hub/session-types.js'
import { isObject } from '../protocol/json.js'
import type { Ask, InboxFilter, InboxPage } from '../protocol/session-log/ask-types.js'
import type { LogItem } from '../protocol/session-log/entries.js'
import { createApiRequests } from './api-requests.js'
import { ConflictError, NotFoundError, ServerUnreachableError } from './client-errors.js'
import type { ApiRequestOptions, CallOptions, ClientOptions, NewSession, ReadOptions } from './client-types.js'
import { type EventStreamSettings, followEvents } from './follow-events.js'
import { createLiveView, type LiveView } from './live-view.js'
import { newId } from './new-id.js'
import { createMemoryClientStorage, createOutbox, type Outbox } from './outbox.js'
import { createLiveOverview, type LiveOverview } from './overview.js'
import type { SessionOperations } from './session-api.js'
import { createSessionOperations } from './session-calls.js'

/** Selects sessions of `list()`. */
export type SessionFilter = Omit<ListFilter, 'where' | 'archived'> & {
  /** Only archived ones, or (the default) only others. */
  archived?: boolean
}

/** A page of sessions. */
export type ListedSessions = {
  /** Those that changed last first. */
  sessions: SessionInfo[]
  /** The `cursor` of the following page; missing on the last one. */
  next?: string
  /** `read('all', { after: last })` misses nothing that is newer than this list. */
  last: number
}

/** What `search()` looks for. */
export type SearchRequest = {
  /** The text, in any case. */
  text: string
  /** Only in this session. */
  session?: string
  /** Only in sessions that work in this folder. */
  cwd?: string
  /** Only in archived sessions, or only in others. */
  archived?: boolean
  /** The most hits of a page. */
  limit?: number
  /** `next` of the page before. */
  cursor?: string
}

/** The caller, as the server knows it. */
export type SignedInCaller = {
  /** The id of the token. */
  id: string
  /** The name of the token. */
  name: string
  /** What the token permits: `read`, `prompt`, `answer`, `admin`. */
  scopes: string[]
  /** The token is for these sessions only. */
  sessions?: string[]
  /** Sessions work in these folders and below. */
  folders?: string[]
  /** Workers run the sessions: what needs their files or agents is `not_on_cluster`. */
  isCluster?: boolean
}

type Bound<T> = {
  [K in keyof T]: T[K] extends (session: string, ...rest: infer A) => infer R ? (...rest: A) => R : never
}

/** One session: every operation without its id, its live view, and its outbox. */
export type ClientSession = Bound<SessionOperations> & {
  /** The session's id. */
  readonly id: string
  /** Returns what the session shows, always current. The code for it is loaded when it's first watched. */
  view(): LiveView
  /** Stores a prompt and delivers it when the server can be reached. Returns its id. */
  sendLater(prompt: Parameters<Outbox['send']>[1]): string
}

/** A server's sessions. The operations on one session take its id first; `session(id)` has them without. */
export type Client = Omit<SessionOperations, 'read'> & {
  /** Returns one session. Nothing is sent. */
  session(id: string): ClientSession
  /** Returns all sessions and all open requests, always current. */
  overview(): LiveOverview
  /** Creates a session. Nothing runs before its first prompt. */
  create(spec: NewSession, options?: CallOptions): Promise<SessionInfo>
  /** Returns a stored session; nothing runs before its next prompt. */
  open(session: string, options?: CallOptions): Promise<SessionInfo>
  /** Lists sessions in pages, those that changed last first. */
  list(filter?: SessionFilter, options?: CallOptions): Promise<ListedSessions>
  /** Searches the text of all sessions, in pages. Continue with `next`, even if a page has no hits. */
  search(query: SearchRequest, options?: CallOptions): Promise<{ hits: SearchHit[]; next?: string }>
  /** Returns the folder a session works in; undefined if it doesn't exist. */
  folderOf(session: string, options?: CallOptions): Promise<string | undefined>
  /** Rejects with `session_in_use` if a session has this id. */
  mustBeFree(session: string, options?: CallOptions): Promise<void>
  /** Returns the open requests, oldest first: of one session, or of all. */
  asks(
    of?: {
      /** Only those of this session. */
      session?: string
    },
    options?: CallOptions,
  ): Promise<Ask[]>
  /** Lists open requests in pages, oldest first. */
  listAsks(filter?: Omit<InboxFilter, 'among'>, options?: CallOptions): Promise<InboxPage>
  /** Yields the entries of all sessions after a number, then new ones, without end and without deltas. */
  read(session: 'all', options?: ReadOptions): AsyncGenerator<NumberedFeedEntry, void>
  /** Yields everything in a session after a number, then new items, without end. */
  read(session: string, options?: ReadOptions): AsyncGenerator<LogItem, void>
  /** `read('all')`, as many at a time as there are. */
  readAll(options?: ReadOptions): AsyncGenerator<readonly NumberedFeedEntry[], void>
  /** Returns the number of the last entry, of a session or (left out) of all. */
  last(session?: string, options?: CallOptions): Promise<number>
  /** Takes a session from a file that `export()` gave. */
  importSession(file: string | Blob, options?: CallOptions & { cwd?: string }): Promise<SessionInfo>
  /** Returns the caller: the name and scopes of the token. */
  me(options?: CallOptions): Promise<SignedInCaller>
  /** Exchanges a token for a cookie. In a page only; needs `pageKey`. */
  signIn(token: string, options?: CallOptions): Promise<void>
  /** Removes the cookie. */
  signOut(options?: CallOptions): Promise<void>
  /** Prompts that the server doesn't have yet. */
  readonly outbox: Outbox
  /** Calls an operation that has no method here, by its path below `/v1`. */
  request<R>(method: string, path: string, options?: ApiRequestOptions): Promise<R>
  /** Ends all calls, streams, and views of this client. Sessions continue on the server. */
  end(): Promise<void>
}

const SILENCE_MS = 40_000
const STREAM_BACKOFF = { firstMs: 250, longestMs: 5000 }

/** Returns a client of a server. Nothing is sent before the first call. */
export function createClient(options: ClientOptions = {}): Client {
  const { stream = 'sse', pageKey, silenceMs = SILENCE_MS, backoff = STREAM_BACKOFF } = options
  if (stream === 'websocket' && !pageKey)
    throw new TypeError("stream: 'websocket' needs pageKey: a browser can't send a token with a WebSocket.")
  const ended = new AbortController()
  const requests = createApiRequests(options, ended.signal)
  const settings: EventStreamSettings = { requests, stream, silenceMs, backoff, ended: ended.signal }
  const operations = createSessionOperations(settings)
  const outbox = createOutbox({
    deliver: (session, prompt, signal) => operations.send(session, prompt, { signal }),
    storage: options.storage ?? createMemoryClientStorage(),
    backoff,
  })
  const catalog = catalogOf(settings, operations)
  let overview: LiveOverview | undefined
  return {
    ...operations,
    ...catalog,
    overview() {
      overview ??= createLiveOverview({ ...catalog, info: operations.info, backoff })
      return overview
    },
    outbox,
    session: (id) => sessionOf(id, settings, { operations, outbox }),
    signIn: (token, { signal } = {}) =>
      requests.call('POST', '/login', {
        signal,
        body: { key: pageKey?.() },
        headers: { authorization: `Bearer ${token}` },
        isRepeatable: true,
      }),
    signOut: (more) => requests.call('POST', '/logout', { ...more, body: {}, isRepeatable: true }),
    request: requests.call,
    async end() {
      ended.abort(
        new ServerUnreachableError({
          code: 'client_ended',
          message: 'This client was ended.',
          fix: 'Create another one.',
        }),
      )
    },
  }
}

type Catalog = Omit<
  Client,
  keyof SessionOperations | 'outbox' | 'session' | 'overview' | 'signIn' | 'signOut' | 'request' | 'end'
> &
  Pick<Client, 'read'>

function catalogOf(settings: EventStreamSettings, { info, log, read }: SessionOperations): Catalog {
  const { requests } = settings
  const list: Catalog['list'] = (filter = {}, { signal } = {}) =>
    requests.call('GET', '/sessions', { query: filter, signal })
  const listAsks: Catalog['listAsks'] = (filter = {}, { signal } = {}) =>
    requests.call('GET', '/asks', { query: filter, signal })
  // Only the stream over all sessions has such entries.
  const readAll: Catalog['readAll'] = (more) =>
    followEvents(settings, undefined, { ...more, deltas: true }) as AsyncGenerator<readonly NumberedFeedEntry[], void>
  return {
    list,
    listAsks,
    readAll,
    // By the name, as in the hub.
    read: ((session: string, more?: ReadOptions) =>
      session === 'all' ? eachOf(readAll(more)) : read(session, more)) as Client['read'],
    open: info,
    async create(spec, more) {
      const body = { id: newId(), ...spec }
      try {
        return await requests.call('POST', '/sessions', { ...more, body, isRepeatable: true })
      } catch (error) {
        // The id is ours: an earlier attempt arrived, and its answer didn't.
        if (spec.id === undefined && isCode(error, 'session_in_use')) return info(body.id, more)
        throw error
      }
    },
    search: (query, { signal } = {}) => requests.call('GET', '/search', { query, signal }),
    folderOf: (session, more) =>
      info(session, more).then(
        ({ cwd }) => cwd,
        (error: unknown) => {
          if (error instanceof NotFoundError) return undefined
          throw error
        },
      ),
    async mustBeFree(session, more) {
      const found = await info(session, more).catch((error: unknown) => {
        if (!(error instanceof NotFoundError)) throw error
      })
      if (!found) return
      const fix = 'Use another id.'
      throw new ConflictError({ code: 'session_in_use', message: `A session has the id ${session}.`, fix, status: 409 })
    },
    async asks(of, more) {
      const all: Ask[] = []
      for (let cursor: string | undefined; ; ) {
        const { asks, next } = await listAsks({ ...of, ...(cursor === undefined ? {} : { cursor }) }, more)
        all.push(...asks)
        if (next === undefined) return all
        cursor = next
      }
    },
    last: async (session, more) =>
      session === undefined ? (await list({ limit: 1 }, more)).last : (await log(session, { limit: 1, ...more })).last,
    importSession: (file, { cwd, signal } = {}) =>
      requests.call('POST', '/sessions/import', {
        query: { cwd },
        body: file,
        headers: { 'content-type': 'application/x-ndjson' },
        signal,
      }),
    me: (more) => requests.call('GET', '/me', more),
  }
}

async function* eachOf<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T, void> {
  for await (const batch of batches) yield* batch
}

function isCode(error: unknown, code: string): boolean {
  return isObject(error) && error['code'] === code
}

function sessionOf(
  id: string,
  settings: EventStreamSettings,
  { operations, outbox }: { operations: SessionOperations; outbox: Outbox },
): ClientSession {
  let view: LiveView | undefined
  // The same calls, without their first argument.
  const bound = Object.fromEntries(
    Object.entries(operations).map(([name, run]) => [
      name,
      // Each takes the id first.
      (...rest: unknown[]) => (run as (...all: unknown[]) => unknown)(id, ...rest),
    ]),
  ) as Bound<SessionOperations> // by the names of the calls
  return {
    ...bound,
    id,
    view: () => {
      view ??= createLiveView({
        backoff: settings.backoff,
        earlier: (signal) => operations.earlier(id, { signal }),
        log: (after, signal) => operations.log(id, { after, signal }),
        follow: (more) => followEvents(settings, id, more),
      })
      return view
    },
    sendLater: (prompt) => outbox.send(id, prompt),
  }
}
