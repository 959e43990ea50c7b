/** Searches the text of all sessions, one after another, page by page. Each page names where the next one starts. */
import { isObject } from '../protocol/json.js'
import type { LogEntry } from '../protocol/session-log/entries.js'
import type { SessionMessage } from '../protocol/stored-sessions.js'
import type { HubStore } from './log/log-store.js'
import type { ListFilter, SessionInfo, SessionPage } from './session-types.js'

export type SessionTextSearchQuery = Omit<ListFilter, 'text' | 'limit' | 'status'> & {
  text: string
  /** Only in this one. */
  session?: string
  /** Hits. */
  limit?: number
}

/** A place where the searched text was found. */
export type SearchHit = {
  /** The session it was found in. */
  session: string
  /** The title of the session. */
  title: string | undefined
  /** The folder of the session. */
  cwd: string
  /** Number of the log entry; in a session without a log, the number of the message. */
  seq: number
  /** The `uuid` of the message, or the id of the prompt. */
  message: string
  /** The speaker; `tool`: the result of a call. */
  role: 'user' | 'assistant' | 'tool'
  /** When, in ISO 8601. */
  at: string
  /** The text around the place; the place itself is `length` characters from `start` on. */
  snippet: string
  /** Where in `snippet` the place begins. */
  start: number
  /** How long it is, in characters. */
  length: number
}

/** Without `next` everything was looked through. A page may have no hits: its time was up. */
export type SearchPage = { hits: SearchHit[]; next?: string }

export type SessionSearchPorts = {
  list(filter: ListFilter): Promise<SessionPage>
  store: Pick<HubStore, 'read'>
  /** Returns the messages of a session without a log. */
  messages(session: string, cwd: string): Promise<SessionMessage[]>
  now(): number
}

/** Other requests need their turn too, so a search returns a page after this time. */
const TIME_MS = 1500
const SESSIONS_AT_ONCE = 50
/** On each side of what was found. */
const AROUND = 80

type Said = { role: SearchHit['role']; text: string }
/** One entry or message, and the texts in it. */
type Saying = Pick<SearchHit, 'seq' | 'message' | 'at'> & { texts: Said[] }
/** Where a page ended: a session as the list sorts it, and the last entry of it that was looked at. */
type Place = { lastActivity: number; session: string; seq: number }
const END = Number.MAX_SAFE_INTEGER

export async function searchSessionTexts(
  query: SessionTextSearchQuery,
  ports: SessionSearchPorts,
): Promise<SearchPage> {
  const { text, limit = 20, cursor, session, ...filter } = query
  const until = ports.now() + TIME_MS
  const hits: SearchHit[] = []
  const wanted = text.toLowerCase()
  const isOver = () => hits.length >= limit || ports.now() > until
  const from = cursor === undefined ? undefined : placeOf(cursor)
  for await (const { info, after } of sessionsFrom(from, session, filter, ports)) {
    const { id, title, cwd } = info
    for await (const { texts, ...place } of sayingsIn(info, after, ports)) {
      // One hit an entry: it is the entry that is gone to.
      const [hit] = texts.flatMap((said) => found(said, wanted) ?? [])
      if (hit) hits.push({ session: id, title, cwd, ...place, ...hit })
      if (isOver()) return { hits, next: nextOf(info, place.seq) }
    }
    if (isOver()) return { hits, next: nextOf(info, END) }
  }
  return { hits }
}

async function* sessionsFrom(
  from: Place | undefined,
  only: string | undefined,
  filter: ListFilter,
  ports: SessionSearchPorts,
): AsyncGenerator<{ info: SessionInfo; after: number }> {
  const one = only ?? (from && from.seq < END ? from.session : undefined)
  if (one !== undefined) {
    const { where = () => true } = filter
    const { sessions } = await ports.list({ ...filter, where: (info) => info.id === one && where(info) })
    for (const info of sessions) yield { info, after: from?.seq ?? 0 }
  }
  if (only !== undefined) return
  let next = from && `${from.lastActivity} ${from.session}`
  do {
    const page = await ports.list({
      ...filter,
      limit: SESSIONS_AT_ONCE,
      ...(next === undefined ? {} : { cursor: next }),
    })
    for (const info of page.sessions) yield { info, after: 0 }
    next = page.next
  } while (next !== undefined)
}

async function* sayingsIn(
  { id, cwd, seq }: SessionInfo,
  after: number,
  ports: SessionSearchPorts,
): AsyncGenerator<Saying> {
  if (seq > 0) {
    for await (const entries of ports.store.read(id, after)) for (const entry of entries) yield sayingOf(entry)
    return
  }
  for (const [n, { uuid, message, type, timestamp = '' }] of (await ports.messages(id, cwd)).entries()) {
    // Numbered here, so that the next page finds its place.
    if (n < after || !isObject(message)) continue
    const texts = textsOf(message['content'], type === 'assistant' ? 'assistant' : 'user')
    yield { seq: n + 1, message: uuid, at: timestamp, texts }
  }
}

function sayingOf(entry: LogEntry): Saying {
  const { seq, at } = entry
  if (entry.kind === 'prompt' && entry.data.change === 'queued') {
    const { id, content } = entry.data.prompt
    return { seq, at, message: id, texts: textsOf(content, 'user') }
  }
  if (entry.kind !== 'message' || (entry.data.type !== 'assistant' && entry.data.type !== 'user'))
    return { seq, at, message: '', texts: [] }
  const { message, uuid = '', type } = entry.data
  return { seq, at, message: uuid, texts: textsOf(message.content, type) }
}

function textsOf(content: unknown, role: 'user' | 'assistant'): Said[] {
  if (typeof content === 'string') return [{ text: content, role }]
  if (!Array.isArray(content)) return []
  return content.flatMap((block: unknown): Said[] => {
    if (!isObject(block)) return []
    if (typeof block['text'] === 'string') return [{ text: block['text'], role }]
    if (typeof block['thinking'] === 'string') return [{ text: block['thinking'], role }]
    if (block['type'] === 'tool_use') return [{ text: JSON.stringify(block['input'] ?? {}), role }]
    if (block['type'] !== 'tool_result') return []
    return textsOf(block['content'], role).map(({ text }) => ({ text, role: 'tool' }))
  })
}

function found(
  { text, role }: Said,
  wanted: string,
): Pick<SearchHit, 'role' | 'snippet' | 'start' | 'length'> | undefined {
  const at = text.toLowerCase().indexOf(wanted)
  if (at < 0) return undefined
  const from = Math.max(0, at - AROUND)
  return { role, snippet: text.slice(from, at + wanted.length + AROUND), start: at - from, length: wanted.length }
}

function nextOf({ lastActivity, id }: SessionInfo, seq: number): string {
  return `${lastActivity} ${id} ${seq}`
}

function placeOf(cursor: string): Place {
  const [lastActivity = '', session = '', seq = ''] = cursor.split(' ')
  return { lastActivity: Number(lastActivity) || 0, session, seq: Number(seq) || 0 }
}
