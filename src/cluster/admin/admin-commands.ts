/** The commands of an operator. Each returns what it did, for people and for programs. */
import { type ClusterFigures, clusterFigures } from '../hub/cluster-figures.js'
import {
  describeClusterHealthProblems,
  findWriteProblem,
  isWorkerAtCapacity,
  isWorkerDead,
} from '../hub/cluster-health.js'
import { writeAuditRow } from '../runs/audit.js'
import { ClusterSessions } from '../runs/cluster-sessions.js'
import { forgetSession, forgetTenant } from '../runs/forget.js'
import { listSchedules, removeSchedule, saveSchedule } from '../runs/schedules.js'
import type { AdminAnswer, AdminContext } from './admin-context.js'
import { deleteFilesOfForgottenSessions } from './forget-workspaces.js'

type AdminCommand = (context: AdminContext) => Promise<AdminAnswer>

/** By their names in the command table. */
export const ADMIN_COMMANDS: { readonly [name: string]: AdminCommand | undefined } = {
  async 'admin status'({ cluster }) {
    const database = cluster.database.asOperator()
    const figures = await clusterFigures(database)
    const disk = await findWriteProblem(database)
    const problems = [...(disk === undefined ? [] : [disk]), ...describeClusterHealthProblems(figures)]
    return { shown: { ...figures, problems }, text: statusText(figures, problems), code: problems.length > 0 ? 1 : 0 }
  },

  async 'admin list'({ cluster, tenant, values }) {
    const rows = await cluster.database.as(tenant).query<ListedRow>(LIST, [tenant, values['state'] ?? null])
    const lines = rows.map(
      ({ id, state, owner, title, held }) =>
        `${id}  ${state.padEnd(8)} ${owner ?? ''}  ${title ?? ''}${held === null ? '' : `  (can't be parked: ${held})`}\n`,
    )
    return { shown: rows, text: lines.join('') || 'There are no sessions.\n' }
  },

  'admin cancel': onSession('canceled', (sessions, session, id) => sessions.interrupt(session, id)),
  'admin park': onSession('parked', (sessions, session, id) => sessions.park(session, id)),
  'admin move': onSession('moved', (sessions, session, id) => sessions.wish(session, id, { leave: 'move' })),
  'admin resume': onSession('resumed', async (sessions, session, id) => {
    await sessions.resumeTurn(session, id)
    return true
  }),

  async 'admin forget'({ cluster, tenant, words: [session], values, environment }) {
    if (!values['yes']) throw new Error('This permanently deletes the data. Confirm with --yes.')
    if (values['all'] && session !== undefined) throw new Error('Give either SESSION or --all.')
    if (!values['all'] && session === undefined) throw new Error('Give a SESSION, or --all for all data of the tenant.')
    const database = cluster.database.as(tenant)
    const gone = session === undefined ? await forgetTenant(database) : await forgetSession(database, session)
    if (!gone) return { shown: { forgotten: false }, text: `There is no session ${session}.\n` }
    const { removed, left } = await deleteFilesOfForgottenSessions(tenant, gone.files, environment)
    const done = session === undefined ? { sessions: gone.sessions } : { forgotten: true }
    const all = `${gone.sessions} sessions of ${tenant} are gone, with all that belonged to them.`
    const lines = [
      session === undefined ? all : `${session} is gone.`,
      ...(removed > 0 ? [`Saved files of ${removed} ${removed === 1 ? 'session' : 'sessions'} were removed.`] : []),
      ...left.map((one) => `Not removed: ${one.where} (session ${one.session}): ${one.why}`),
    ]
    return {
      shown: { ...done, ...(gone.files.length > 0 ? { removed, left } : {}) },
      code: left.length > 0 ? 1 : 0,
      text: `${lines.join('\n')}\n`,
    }
  },

  async 'admin tenant'({ cluster, tenant, values }) {
    const amount = values['budget']
    if (amount !== undefined && !/^\d{1,12}(\.\d+)?$/.test(String(amount)))
      throw new Error(
        `--budget must be an amount in US dollars, such as 100 or 2.50, got '${String(amount).slice(0, 50)}'.`,
      )
    if (amount !== undefined && values['no-budget']) throw new Error('Give either --budget or --no-budget.')
    const budget = values['no-budget'] ? null : amount === undefined ? undefined : Number(amount)
    if (values['pause'] && values['resume']) throw new Error('Give either --pause or --resume.')
    const paused = values['pause'] ? true : values['resume'] ? false : undefined
    const database = cluster.database.as(tenant)
    const [row] = await database.query<ClusterFigures['tenants'][number]>(TENANT, [
      ...[tenant, budget !== undefined, budget ?? null, paused ?? null],
    ])
    if (budget !== undefined || paused !== undefined)
      await writeAuditRow(database, tenant, { who: 'operator', what: 'tenant', details: { budget, paused } })
    const limit = row?.budget == null ? 'no budget' : `a budget of $${row.budget.toFixed(2)}`
    const state = row?.paused ? ', and is paused' : ''
    return { shown: row, text: `${tenant} has spent $${(row?.spent ?? 0).toFixed(2)}, has ${limit}${state}.\n` }
  },

  async 'admin schedule list'({ cluster, tenant }) {
    const all = await listSchedules(cluster.database.as(tenant))
    const lines = all.map((one) => `${one.id}  ${one.cron} ${one.timeZone}  next ${new Date(one.next).toISOString()}\n`)
    return { shown: all, text: lines.join('') || 'There are no schedules.\n' }
  },

  async 'admin schedule remove'({ cluster, tenant, words: [id = ''] }) {
    const isGone = await removeSchedule(cluster.database.as(tenant), id)
    return { shown: { removed: isGone }, text: isGone ? `Removed ${id}.\n` : `There is no schedule ${id}.\n` }
  },

  async 'admin schedule add'({ cluster, tenant, words: [id = ''], values }) {
    const [session, cron, prompt] = [text(values, 'session'), text(values, 'cron'), text(values, 'prompt')]
    const missed = values['missed'] === 'once' ? 'once' : 'skip'
    const timeZone = String(values['time-zone'] ?? 'UTC')
    const saved = await saveSchedule(cluster.database.as(tenant), { id, session, cron, prompt, missed, timeZone })
    return { shown: saved, text: `${id} runs next at ${new Date(saved.next).toISOString()}.\n` }
  },

  'admin mcp-login': async (context) => (await import('./admin-sign-ins.js')).signInForTenant(context),
  'admin mcp-logout': async (context) => (await import('./admin-sign-ins.js')).signOutForTenant(context),

  async 'admin audit'({ cluster, tenant, values }) {
    const rows = await cluster.database
      .as(tenant)
      .query<{ at: Date; who: string; what: string; session: string | null; details: string }>(AUDIT, [
        ...[tenant, values['session'] ?? null],
      ])
    const lines = rows.map(
      ({ at, who, what, session, details }) => `${at.toISOString()}  ${who}  ${what}  ${session ?? ''}  ${details}\n`,
    )
    return { shown: rows, text: lines.join('') || 'Nothing was answered or changed.\n' }
  },
}

type ListedRow = { id: string; state: string; owner: string | null; title: string | null; held: string | null }

function onSession(
  done: string,
  work: (sessions: ClusterSessions, session: string, id: string) => Promise<boolean>,
): AdminCommand {
  return async ({ cluster, tenant, words: [session = ''] }) => {
    const isDone = await work(new ClusterSessions(cluster.ports(tenant)), session, `admin ${crypto.randomUUID()}`)
    const database = cluster.database.as(tenant)
    await writeAuditRow(database, tenant, { who: 'operator', what: done, session, details: { isDone } })
    return {
      shown: { [done]: isDone },
      text: isDone ? `${session} is ${done}.\n` : `Nothing is under way in ${session}.\n`,
    }
  }
}

function text(values: AdminContext['values'], name: string): string {
  const value = values[name]
  if (typeof value !== 'string' || value === '') throw new Error(`kedge admin schedule add needs --${name}.`)
  return value
}

function statusText(
  { workers, states, parked, queued, asks, takeovers, fencedWrites }: ClusterFigures,
  problems: readonly string[],
): string {
  const seconds = (ms: number) => `${Math.round(ms / 1000)} s`
  const sessions = Object.entries(states).map(([state, count]) => `${count} ${state}`)
  return [
    ...workers.map((worker) => {
      const { id, version, load, capacity, silentMs, draining } = worker
      const state = isWorkerDead(worker)
        ? '  dead'
        : draining
          ? '  draining'
          : isWorkerAtCapacity(worker)
            ? '  full'
            : ''
      return `worker ${id}  ${version}  ${load} of ${capacity}  heartbeat ${seconds(silentMs)} ago${state}`
    }),
    `sessions: ${sessions.join(', ') || 'none'}${parked > 0 ? `; ${parked} parked by an operator` : ''}`,
    `queued runs: ${queued.count}${queued.count > 0 ? `, the oldest for ${seconds(queued.oldestMs)}` : ''}`,
    `open requests: ${asks.open}${asks.open > 0 ? `, the oldest for ${seconds(asks.oldestMs)}` : ''}`,
    `takeovers: ${takeovers}, rejected writes: ${fencedWrites}`,
    ...problems.map((problem) => `problem: ${problem}`),
    '',
  ].join('\n')
}

const LIST = `select id, state, owner, coalesce(facts ->> 'title', facts ->> 'summary') as title,
    case when state = 'running' then facts ->> 'held' end as held from kedge.sessions
  where tenant = $1 and has_log and ($2::text is null or state = $2) order by updated desc limit 1000`
const TENANT = `insert into kedge.tenants (tenant, budget_usd, paused) values ($1, $3, coalesce($4, false))
  on conflict (tenant) do update set budget_usd = case when $2 then excluded.budget_usd else tenants.budget_usd end,
    paused = coalesce($4, tenants.paused)
  returning tenant, budget_usd as budget, spent_usd as spent, paused`
const AUDIT = `select at, who, what, session, details from kedge.audit
  where tenant = $1 and ($2::text is null or session = $2) order by n desc limit 1000`
