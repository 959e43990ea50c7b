/** A database of its own for a test file, with the tables in it, in the PostgreSQL that all tests share. */
import { openDatabase } from './database/database.js'
import { loadPg } from './database/load-pg.js'

export type TestDatabase = {
  url: string
  /** As the one who may do everything, and is above row-level security. */
  adminUrl: string
  /** Says something as the one who may do everything. */
  admin<T>(text: string): Promise<T[]>
  /** Cuts all connections to it. */
  cut(): Promise<void>
  drop(): Promise<void>
}

/** `empty`: without the tables. */
export async function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const [adminUrl, ownerUrl] = (process.env['KEDGE_TEST_DATABASE'] ?? '').split(' ')
  if (!adminUrl || !ownerUrl) throw new Error('Tests with a database are run by npm test, which starts one.')
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`
  const { Client } = await loadPg()
  const asAdmin = async <T>(text: string): Promise<T[]> => {
    const client = new Client({ connectionString: adminUrl })
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }
  await asAdmin(`create database ${name} owner kedge ${empty ? '' : 'template kedge'}`)
  const inside = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href
  return {
    url: inside(ownerUrl),
    adminUrl: inside(adminUrl),
    admin: asAdmin,
    async cut() {
      await asAdmin(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
      )
    },
    async drop() {
      await asAdmin(`drop database ${name} with (force)`)
    },
  }
}

/** With a pool on it. */
export async function openTestDatabase(options: { connections?: number } = {}) {
  const made = await createTestDatabase()
  const database = await openDatabase({ url: made.url, ...options })
  return {
    ...made,
    database,
    async drop() {
      await database.close()
      await made.drop()
    },
  }
}
