/** Sessions as the hub's callers see them, from their rows. */
import { KedgeError } from '../../errors.js'
import type { ListFilter, SessionInfo, SessionPage } from '../../hub/session-types.js'
import type { TenantDatabase } from '../database/database.js'
import type { SessionListFields } from '../runs/session-list-fields.js'

type InfoRow = {
  id: string
  cwd: string
  state: string
  facts: SessionListFields
  seq: number
  changed: number
  waiting: number
  asks: number
}

export async function readSessionInfo(database: TenantDatabase, session: string): Promise<SessionInfo> {
  const [row] = await database.query<InfoRow>(`${SELECT} where one.tenant = $1 and one.id = $2`, [
    database.tenant,
    session,
  ])
  if (!row) throw new KedgeError('session_not_found', `There is no session ${session}.`)
  return toInfo(row)
}

const PAGE = 200

/** Those that changed last first. */
export async function listSessionRows(database: TenantDatabase, filter: ListFilter): Promise<SessionPage> {
  const { limit = 100, where = () => true } = filter
  const found: SessionInfo[] = []
  for (let cursor = filter.cursor; ; ) {
    const rows = await somePage(database, filter, cursor)
    for (const row of rows) {
      const info = toInfo(row)
      cursor = `${info.lastActivity} ${info.id}`
      if (!where(info)) continue
      // One more than wanted says that there are more.
      if (found.length === limit) {
        const last = found.at(-1)
        return { sessions: found, ...(last ? { next: `${last.lastActivity} ${last.id}` } : {}) }
      }
      found.push(info)
    }
    if (rows.length < PAGE) return { sessions: found }
  }
}

function somePage(database: TenantDatabase, filter: ListFilter, cursor: string | undefined): Promise<InfoRow[]> {
  const { cwd, status, archived = false, text } = filter
  const [at = '', id = ''] = cursor?.split(' ') ?? []
  const before = cursor === undefined ? null : Number(at) || 0
  const values = [cwd ?? null, status ?? null, archived === 'any' ? null : archived, text?.toLowerCase() ?? null]
  return database.query<InfoRow>(LIST, [database.tenant, ...values, before, id, PAGE])
}

function toInfo({ id, cwd, facts, seq, changed, waiting, asks }: InfoRow): SessionInfo {
  const { status = 'idle', title, summary, mode, model, effort, archived = false, costUsd = 0, error, lastTurn } = facts
  return {
    id,
    cwd,
    status,
    title: title ?? summary,
    mode,
    model,
    effort,
    archived,
    costUsd,
    seq,
    waiting,
    asks,
    lastActivity: changed,
    isOpen: true,
    ...(error == null ? {} : { error }),
    ...(lastTurn == null ? {} : { lastTurn }),
  }
}

const CHANGED = 'floor(extract(epoch from one.updated)::float8 * 1000)'
const SELECT = `select one.id, one.cwd, one.state, one.facts, one.event_seq::float8 as seq, ${CHANGED} as changed,
    (select count(*)::int from kedge.inbox as prompt where prompt.tenant = one.tenant and prompt.session = one.id
      and prompt.kind = 'prompt' and not prompt.done and prompt.taken_run is null) as waiting,
    (select count(*)::int from kedge.asks as ask where ask.tenant = one.tenant and ask.session = one.id
      and ask.state = 'open') as asks
  from kedge.sessions as one`
const LIST = `${SELECT} where one.tenant = $1 and one.has_log and one.id <> 'all' and ($2::text is null or one.cwd = $2)
    and ($3::text[] is null or coalesce(one.facts ->> 'status', 'idle') = any($3))
    and ($4::boolean is null or coalesce((one.facts ->> 'archived')::boolean, false) = $4)
    and ($5::text is null or strpos(lower(coalesce(one.facts ->> 'title', one.facts ->> 'summary', '')), $5) > 0)
    and ($6::float8 is null or ${CHANGED} < $6 or (${CHANGED} = $6 and one.id > $7))
  order by ${CHANGED} desc, one.id limit $8`
