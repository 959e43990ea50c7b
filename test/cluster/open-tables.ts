/** All that a database has, as text: to look for what must not be in it. */
import { loadPg } from '../../src/cluster/database/load-pg.js'
import type { TestDatabase } from '../../src/cluster/test-database.js'

export async function readAllRows({ adminUrl }: Pick<TestDatabase, 'adminUrl'>): Promise<{ database: string }> {
  const { Client } = await loadPg()
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    const texts: string[] = []
    for (const { name } of rows) {
      const found = await client.query<{ row: string }>(`select t::text as row from ${name} t`)
      texts.push(`${name} ${found.rows.length}`, ...found.rows.map(({ row }) => row))
    }
    return { database: texts.join('\n') }
  } finally {
    await client.end()
  }
}
