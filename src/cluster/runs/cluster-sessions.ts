/** What anybody may do to a session from any machine: send prompts, answer, interrupt. No worker is needed for it. */
import { KedgeError } from '../../errors.js'
import type { Transaction } from '../database/database.js'
import { lockSession, OPEN_PROMPTS, queueNext, type RunPorts, rest, type SessionRow } from './run-changes.js'

export type NewSession = { id: string; app?: string; cwd?: string; projectKey?: string }
export type NewPrompt = {
  /** The caller's: the same one is the same prompt. */
  clientId: string
  body: unknown
  /** Lower is sooner. */
  priority?: number
  /** By the database's clock. */
  notBefore?: Date
}
export type Answered = 'accepted' | { already: string } | { void: string }

export class ClusterSessions {
  readonly #ports: RunPorts

  constructor(ports: RunPorts) {
    this.#ports = ports
  }

  /** False: it is there already. */
  async create({ id, app = '', cwd = '', projectKey = '' }: NewSession): Promise<boolean> {
    const { database } = this.#ports
    const rows = await database.query(
      `insert into kedge.sessions (tenant, id, app, cwd, project_key) values ($1, $2, $3, $4, $5)
       on conflict do nothing returning id`,
      [database.tenant, id, app, cwd, projectKey],
    )
    return rows.length > 0
  }

  /** False: a prompt of this id was accepted before, and nothing was changed. */
  async submit(session: string, { clientId, body, priority = 0, notBefore }: NewPrompt): Promise<boolean> {
    return this.#change(session, async (tx, row) => {
      const values = [row.tenant, session, clientId, JSON.stringify(body), priority, notBefore ?? null]
      const added = await tx.query(
        `insert into kedge.inbox (tenant, session, client_id, kind, body, priority, not_before)
         values ($1, $2, $3, 'prompt', $4, $5, coalesce($6, now())) on conflict do nothing returning n`,
        values,
      )
      if (added.length > 0 && row.state === 'idle') await this.#begin(tx, row, priority)
      return added.length > 0
    })
  }

  /** Sessions that rest although a prompt of theirs is due. For who looks after all of them, once a second. */
  async wakeDue(): Promise<number> {
    const { database } = this.#ports
    const due = await database.query<{ tenant: string; id: string }>(
      `select distinct one.tenant, one.id from kedge.sessions as one
       join kedge.inbox as prompt on prompt.tenant = one.tenant and prompt.session = one.id
       where one.state = 'idle' and prompt.kind = 'prompt' and not prompt.done and prompt.not_before <= now() limit 100`,
    )
    for (const { tenant, id } of due) {
      await database.transaction(async (tx) => {
        const row = await lockSession(tx, tenant, id)
        if (row.state === 'idle') await this.#begin(tx, row, 0)
      })
    }
    return due.length
  }

  /** The first answer counts; who comes second is told who was first. */
  async answer(ask: string, answer: unknown, by: string): Promise<Answered> {
    const { database } = this.#ports
    const [asked] = await database.query<{ session: string }>(
      'select session from kedge.asks where tenant = $1 and id = $2',
      [database.tenant, ask],
    )
    if (!asked) throw new KedgeError('ask_not_found', `There is no ask ${ask}.`)
    return this.#change(asked.session, async (tx, row) => {
      const [open] = await tx.query(
        `update kedge.asks set state = 'answered', answer = $3, by = $4, answered = now()
         where tenant = $1 and id = $2 and state = 'open' returning id`,
        [row.tenant, ask, JSON.stringify(answer), by],
      )
      if (open) {
        if (row.state === 'waiting' && (await openAsks(tx, row)) === 0) await queueNext(tx, this.#ports, row)
        return 'accepted'
      }
      const [decided] = await tx.query<{ by: string | null; reason: string | null }>(
        'select by, reason from kedge.asks where tenant = $1 and id = $2',
        [row.tenant, ask],
      )
      return decided?.by == null ? { void: decided?.reason ?? '' } : { already: decided.by }
    })
  }

  /**
   * The turn that is under way, or the prompt that is next, ends without having been finished. False: nothing is under way, or
   * this was asked for before.
   */
  async interrupt(session: string, clientId: string): Promise<boolean> {
    const { engine } = this.#ports
    let orphan: number | undefined
    const isDone = await this.#change(session, async (tx, row) => {
      const prompts = await tx.query(OPEN_PROMPTS, [row.tenant, session])
      if (row.state === 'idle' || prompts.length === 0) return false
      const added = await tx.query(
        `insert into kedge.inbox (tenant, session, client_id, kind, body) values ($1, $2, $3, 'interrupt', 'null')
         on conflict do nothing returning n`,
        [row.tenant, session, clientId],
      )
      if (added.length === 0) return false
      await tx.query(
        `update kedge.asks set state = 'void', reason = 'interrupted', answered = now()
         where tenant = $1 and session = $2 and state = 'open'`,
        [row.tenant, session],
      )
      // Its owner is told, and sees to it.
      if (row.state === 'running') return true
      if (row.state === 'queued') orphan = row.run
      await queueNext(tx, this.#ports, row)
      return true
    })
    if (orphan !== undefined) await engine.cancel({ tenant: this.#ports.database.tenant, session, run: orphan })
    return isDone
  }

  async #begin(tx: Transaction, row: SessionRow, priority: number): Promise<void> {
    const due = await tx.query(OPEN_PROMPTS, [row.tenant, row.id])
    if (due.length > 0) await queueNext(tx, this.#ports, row, priority)
    else await rest(tx, row, 'idle')
  }

  async #change<T>(session: string, work: (tx: Transaction, row: SessionRow) => Promise<T>): Promise<T> {
    const { database, wake } = this.#ports
    const result = await database.transaction(async (tx) => work(tx, await lockSession(tx, database.tenant, session)))
    wake(session)
    return result
  }
}

export async function openAsks(tx: Transaction, { tenant, id }: SessionRow): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::int as count from kedge.asks where tenant = $1 and session = $2 and state = 'open'`,
    [tenant, id],
  )
  return row?.count ?? 0
}
