/** What a tenant may spend, over all of its sessions. */
import { KedgeError } from '../../errors.js'
import type { Statements } from '../database/database.js'

type Tenant = { budget: number | null; spent: number; paused: boolean }

const OF = `select budget_usd as budget, spent_usd as spent, paused from kedge.tenants where tenant = $1`

/**
 * Checks that a tenant can start a prompt. Rejects with `tenant_paused` or `budget_spent`. A tenant without a limit
 * is allowed.
 */
export async function requireBudget(statements: Statements, tenant: string): Promise<void> {
  const [row] = await statements.query<Tenant>(OF, [tenant])
  if (!row) return
  if (row.paused) throw new KedgeError('tenant_paused', `The operator has paused ${tenant}: nothing new is taken.`)
  if (row.budget !== null && row.spent >= row.budget)
    throw new KedgeError(
      'budget_spent',
      `${tenant} has spent ${dollars(row.spent)} of ${dollars(row.budget)}: the operator can raise it.`,
    )
}

/** What is left of it, in dollars; undefined: there is no limit. */
export async function remainingBudget(statements: Statements, tenant: string): Promise<number | undefined> {
  const [row] = await statements.query<Tenant>(OF, [tenant])
  return row?.budget == null ? undefined : Math.max(0, row.budget - row.spent)
}

export async function recordSpending(statements: Statements, tenant: string, dollarsSpent: number): Promise<void> {
  if (!(dollarsSpent > 0)) return
  await statements.query(
    `insert into kedge.tenants (tenant, spent_usd) values ($1, $2)
     on conflict (tenant) do update set spent_usd = tenants.spent_usd + excluded.spent_usd`,
    [tenant, dollarsSpent],
  )
}

function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`
}
