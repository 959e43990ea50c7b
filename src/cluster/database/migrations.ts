/** The tables, in numbered steps that only go forward: created by one command, and checked at every start. */
import { KedgeError } from '../../errors.js'
import type { Database, Statements } from './database.js'
import { FIRST_TABLES_SQL } from './first-tables.js'
import { RESTORE_HISTORY_MIGRATION_SQL } from './history-table.js'
import { LOG_ENTRY_FUNCTION_SQL } from './log-entry-function.js'
import { CREATE_RULE_TABLE_SQL } from './rule-table.js'
import { RUN_TABLES_SQL } from './run-tables.js'
import { CREATE_SIGN_IN_TABLE_SQL } from './sign-in-table.js'
import { SNAPSHOT_TABLE_SQL } from './snapshot-table.js'
import { RENAME_TABLES_SQL } from './table-names.js'

/** One step of the tables. */
export type Migration = {
  /** Its number, from 1. */
  number: number
  /** What it is for. */
  name: string
  /** The statements. */
  sql: string
  /** The oldest step whose programs can work with the tables after this one: while a newer release rolls out both run. */
  worksWith: number
}

export const MIGRATIONS: readonly Migration[] = [
  { number: 1, name: 'first tables', sql: FIRST_TABLES_SQL, worksWith: 1 },
  { number: 2, name: 'runs, schedules, budgets', sql: RUN_TABLES_SQL, worksWith: 1 },
  { number: 3, name: 'snapshots', sql: SNAPSHOT_TABLE_SQL, worksWith: 1 },
  { number: 4, name: 'rules', sql: CREATE_RULE_TABLE_SQL, worksWith: 1 },
  { number: 5, name: 'history', sql: RESTORE_HISTORY_MIGRATION_SQL, worksWith: 1 },
  { number: 6, name: 'names of tables', sql: RENAME_TABLES_SQL, worksWith: 6 },
  { number: 7, name: 'writer of log entries', sql: LOG_ENTRY_FUNCTION_SQL, worksWith: 6 },
  { number: 8, name: 'sign-ins', sql: CREATE_SIGN_IN_TABLE_SQL, worksWith: 6 },
]

/** Any number that no other advisory lock uses: one program at a time changes tables. */
const LOCK = 5_433_643_221

/** What `migrate()` did: the same number twice means nothing. */
export type MigrationResult = {
  /** The step the tables were at. */
  from: number
  /** The step they are at now. */
  to: number
}

/** Needs the right to create a schema. Several at once wait for each other. */
export async function migrate(database: Database, steps: readonly Migration[] = MIGRATIONS): Promise<MigrationResult> {
  const operator = database.asOperator()
  // The lock belongs to the transaction, so a process that died doesn't keep it.
  return operator.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [LOCK])
    await tx.query('create schema if not exists kedge')
    await tx.query(`create table if not exists kedge.migrations (
      number int primary key, name text not null, works_with int not null, at timestamptz not null default now())`)
    const { number: from, worksWith } = await applied(tx)
    if (from > last(steps)) checkNewer(worksWith, steps, database.name)
    for (const { number, name, sql, worksWith: oldest } of steps) {
      if (number <= from) continue
      await tx.query(sql)
      const values = [number, name, oldest]
      await tx.query('insert into kedge.migrations (number, name, works_with) values ($1, $2, $3)', values)
    }
    return { from, to: Math.max(from, last(steps)) }
  })
}

/** How the tables are. */
export type SchemaState = {
  /** The step they are at; 0: there are none. */
  number: number
  /** False: this role is above row-level security, so only the statements themselves keep tenants apart. */
  isRowSecurityEnforced: boolean
}

/** Rejects when the tables are not those this program knows. */
export async function checkSchema(database: Database, steps: readonly Migration[] = MIGRATIONS): Promise<SchemaState> {
  const operator = database.asOperator()
  const [found] = await operator.query<{ there: boolean; isolated: boolean }>(
    `select to_regclass('kedge.migrations') is not null as there,
       not exists (select 1 from pg_roles where rolname = current_user and (rolsuper or rolbypassrls)) as isolated`,
  )
  const { number, worksWith } = found?.there ? await applied(operator) : { number: 0, worksWith: 0 }
  if (number < last(steps)) {
    const has = number === 0 ? 'has no tables of Kedge' : `has tables of step ${number}, and ${last(steps)} is needed`
    throw new KedgeError(
      'schema_too_old',
      `The database ${database.name} ${has}: run "kedge admin migrate --database …" on it.`,
    )
  }
  if (number > last(steps)) checkNewer(worksWith, steps, database.name)
  return { number, isRowSecurityEnforced: found?.isolated ?? false }
}

async function applied(statements: Statements): Promise<{ number: number; worksWith: number }> {
  const [row] = await statements.query<{ number: number; works_with: number }>(
    'select coalesce(max(number), 0) as number, coalesce(max(works_with), 0) as works_with from kedge.migrations',
  )
  return { number: row?.number ?? 0, worksWith: row?.works_with ?? 0 }
}

function checkNewer(worksWith: number, steps: readonly Migration[], name: string): void {
  if (worksWith <= last(steps)) return
  throw new KedgeError(
    'schema_too_new',
    `The database ${name} has tables of a newer Kedge, which this one does not know: update it.`,
  )
}

function last(steps: readonly Migration[]): number {
  return steps.at(-1)?.number ?? 0
}
