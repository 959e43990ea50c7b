/** Deletes all traces: of a session, or of a tenant. What the audit says of it stays, without what was in it. */
import type { TenantDatabase } from '../database/database.js'
import { writeAuditRow } from './audit.js'
import { CLUSTER_PROJECT_KEY } from './claimed-run.js'

/** Where its files are saved, as its row said. */
export type ForgottenFiles = { session: string; epoch: number; workspace: string }
export type ForgetResult = { sessions: number; files: ForgottenFiles[] }

/** Deletes a session with everything stored about it. Undefined: there is none. A worker that has it is fenced. */
export async function forgetSession(
  database: TenantDatabase,
  session: string,
  who = 'operator',
): Promise<ForgetResult | undefined> {
  const { tenant } = database
  return database.transaction(async (tx) => {
    const gone = await tx.query<GoneRow>(`delete from kedge.sessions where tenant = $1 and id = $2 ${GONE}`, [
      tenant,
      session,
    ])
    const lines = await tx.query(
      'delete from kedge.transcript_lines where tenant = $1 and project_key = $2 and session = $3 returning seq',
      [tenant, CLUSTER_PROJECT_KEY, session],
    )
    // The number stays for a day: a worker that still has it must not start over with it.
    await tx.query(
      `update kedge.transcripts set epoch = epoch + 1, seq = 0, holder = null, held_until = null, summary = null,
         summary_seq = 0, changed = now() where tenant = $1 and project_key = $2 and session = $3`,
      [tenant, CLUSTER_PROJECT_KEY, session],
    )
    await tx.query(`delete from kedge.rules where tenant = $1 and scope = 'session' and key = $2`, [tenant, session])
    await tx.query('delete from kedge.deltas where tenant = $1 and session = $2', [tenant, session])
    await tx.query(`update kedge.audit set details = '{}' where tenant = $1 and session = $2`, [tenant, session])
    if (gone.length + lines.length === 0) return undefined
    await writeAuditRow(tx, tenant, { who, what: 'forgotten', session, details: {} })
    return { sessions: 1, files: filesOf(gone) }
  })
}

export async function forgetTenant(database: TenantDatabase): Promise<ForgetResult> {
  const { tenant } = database
  return database.transaction(async (tx) => {
    const gone = await tx.query<GoneRow>(`delete from kedge.sessions where tenant = $1 ${GONE}`, [tenant])
    for (const table of ['transcripts', 'deltas', 'rules', 'sign_ins', 'audit', 'tenants', 'server_files'])
      await tx.query(`delete from kedge.${table} where tenant = $1`, [tenant])
    return { sessions: gone.length, files: filesOf(gone) }
  })
}

type GoneRow = { id: string; epoch: number; workspace: string | null }
const GONE = 'returning id, epoch::float8, workspace'

function filesOf(gone: readonly GoneRow[]): ForgottenFiles[] {
  return gone.flatMap(({ id, epoch, workspace }) => (workspace === null ? [] : [{ session: id, epoch, workspace }]))
}
