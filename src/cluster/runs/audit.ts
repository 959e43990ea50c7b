/** The audit trail: one row for every answer and change, with the person behind it. */
import type { Statements } from '../database/database.js'

export type AuditRow = { who: string; what: string; session?: string | undefined; details: object }

export async function writeAuditRow(
  statements: Statements,
  tenant: string,
  { who, what, session, details }: AuditRow,
): Promise<void> {
  await statements.query('insert into kedge.audit (tenant, who, what, session, details) values ($1, $2, $3, $4, $5)', [
    ...[tenant, who, what, session ?? null, JSON.stringify(details)],
  ])
}
