/** Prompts that come again and again: rows with the next time, by the database's clock, each once however many look. */
import { Cron } from 'croner'
import { KedgeError } from '../../errors.js'
import type { Prompt } from '../../protocol/session-log/prompt-types.js'
import { messageOf } from '../../protocol/thrown.js'
import type { TenantDatabase } from '../database/database.js'
import { ClusterSessions } from './cluster-sessions.js'
import type { RunPorts } from './run-changes.js'

export type Schedule = {
  id: string
  session: string
  /** Minute, hour, day, month, day of the week. */
  cron: string
  /** As in `Europe/Berlin`. Default: UTC. */
  timeZone?: string
  prompt: Prompt['content']
  /** What happens with times at which no worker was running. Default: `skip`. `once`: one of them is made up for. */
  missed?: 'skip' | 'once'
}
export type ScheduleInfo = Required<Omit<Schedule, 'prompt'>> & { prompt: unknown; paused: boolean; next: number }

/** So late a time still counts as met. */
const LATE_MS = 60_000

/** The next time after this one. Throws `invalid_option` when it is none, or never comes. */
export function nextScheduledTime(cron: string, timeZone: string, after: Date): Date {
  let next: Date | null
  try {
    if (cron.trim().split(/\s+/).length !== 5 && !cron.startsWith('@'))
      throw new Error('it needs five parts: minute, hour, day, month, weekday')
    next = new Cron(cron, { timezone: timeZone, paused: true }).nextRun(after)
  } catch (error) {
    const why = messageOf(error)
    throw new KedgeError(
      'invalid_option',
      `"${cron.slice(0, 100)}" in ${timeZone.slice(0, 100)} isn't a valid schedule: ${why}`,
    )
  }
  if (!next)
    throw new KedgeError('invalid_option', `The schedule "${cron.slice(0, 100)}" never runs: no date matches it.`)
  return next
}

/** One of the same id is replaced. */
export async function saveSchedule(database: TenantDatabase, schedule: Schedule): Promise<ScheduleInfo> {
  const { id, session, cron, timeZone = 'UTC', prompt, missed = 'skip' } = schedule
  const [clock] = await database.query<{ now: Date }>('select now() as now')
  const next = nextScheduledTime(cron, timeZone, clock?.now ?? new Date())
  const saved = await database.query(
    `insert into kedge.schedules (tenant, id, session, cron, time_zone, prompt, missed, next_at)
     select $1, $2, one.id, $4, $5, $6, $7, $8 from kedge.sessions as one where one.tenant = $1 and one.id = $3
     on conflict (tenant, id) do update set session = excluded.session, cron = excluded.cron,
       time_zone = excluded.time_zone, prompt = excluded.prompt, missed = excluded.missed, next_at = excluded.next_at
     returning id`,
    [database.tenant, id, session, cron, timeZone, JSON.stringify(prompt), missed, next],
  )
  if (saved.length === 0) throw new KedgeError('session_not_found', `There is no session ${session}.`)
  return { id, session, cron, timeZone, prompt, missed, paused: false, next: next.getTime() }
}

export async function listSchedules(database: TenantDatabase): Promise<ScheduleInfo[]> {
  const rows = await database.query<Row>(
    `select id, session, cron, time_zone, prompt, missed, paused, next_at from kedge.schedules where tenant = $1 order by id`,
    [database.tenant],
  )
  return rows.map(({ time_zone, prompt, next_at, ...same }) => ({
    ...same,
    timeZone: time_zone,
    prompt: JSON.parse(prompt),
    next: next_at.getTime(),
  }))
}

type Row = {
  id: string
  session: string
  cron: string
  time_zone: string
  prompt: string
  missed: 'skip' | 'once'
  paused: boolean
  next_at: Date
}

/** False: there is none. */
export async function removeSchedule(database: TenantDatabase, id: string): Promise<boolean> {
  const gone = await database.query('delete from kedge.schedules where tenant = $1 and id = $2 returning id', [
    database.tenant,
    id,
  ])
  return gone.length > 0
}

/** What is due. */
export const DUE_SCHEDULES_SQL = `select tenant, id, session, cron, time_zone, prompt, missed, next_at, now() as now
  from kedge.schedules where not paused and next_at <= now()`

/**
 * Sends due prompts. The same time is the same prompt, whichever worker sends it. `ports.database` must be the
 * operator's.
 */
export async function submitScheduledPrompts(ports: RunPorts): Promise<number> {
  const { database } = ports
  const due = await database.query<Row & { tenant: string; now: Date }>(
    `${DUE_SCHEDULES_SQL} order by next_at limit 100`,
  )
  for (const { tenant, id, session, cron, time_zone, prompt, missed, next_at, now } of due) {
    const isLate = now.getTime() - next_at.getTime() > LATE_MS
    const own = { ...ports, database: asTenant(database, tenant) }
    if (!isLate || missed === 'once') {
      const clientId = `schedule ${id} ${next_at.toISOString()}`
      const body = JSON.parse(prompt)
      // A tenant that may not now has missed it.
      await new ClusterSessions(own)
        .submit(session, { clientId, body, by: { name: id, interface: 'schedule' } })
        .catch(refused)
    }
    const next = nextScheduledTime(cron, time_zone, now)
    await database.query(MOVE_ON, [tenant, id, next])
  }
  return due.length
}

function refused(error: unknown): void {
  if (!KedgeError.isInstance(error) || !['budget_spent', 'tenant_paused'].includes(error.code)) throw error
}

/** The operator, on behalf of one. */
function asTenant(operator: TenantDatabase, tenant: string): TenantDatabase {
  return { tenant, query: operator.query, transaction: operator.transaction }
}

/** Unless another process has done so meanwhile. */
const MOVE_ON = 'update kedge.schedules set next_at = $3 where tenant = $1 and id = $2 and next_at <= now()'
