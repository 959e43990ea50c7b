/** The recipe that lets a model query PostgreSQL, with the role that its page recommends; and the SQL of the other recipes. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../src/cluster/test-database.js'
import { runProgram } from '../support/run-program.js'
import { root } from '../support/stage.js'

const sqlOf = (page: string) =>
  /^```sql\n([\s\S]*?)^```/m.exec(readFileSync(join(root, 'docs', `${page}.md`), 'utf8'))?.[1] ?? assert.fail(page)

test('the database tool reads rows, stops at its limits, and changes nothing, with a role that can only select', async () => {
  const made = await createTestDatabase({ empty: true })
  const admin = new pg.Client({ connectionString: made.adminUrl })
  await admin.connect()
  try {
    await admin.query('create table customers (name text); create table orders (number int)')
    await admin.query(sqlOf('cookbook-automation'))
    const asAgent = Object.assign(new URL(made.adminUrl), { username: 'agent', password: 'secret' })
    const { code, stdout, stderr } = await runProgram('examples/cookbook/database-tool.mjs', {
      DATABASE_URL: asAgent.href,
    })
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    assert.match(stdout, /still works/)
    const asOwner = await runProgram('examples/cookbook/database-tool.mjs', { DATABASE_URL: made.adminUrl })
    assert.deepEqual([asOwner.code, asOwner.stderr], [0, ''])
    const { rows } = await admin.query(`select count(*)::int as left from pg_tables where schemaname = 'public'`)
    assert.deepEqual(rows, [{ left: 2 }])
  } finally {
    await admin.query('drop owned by agent; drop role agent')
    await admin.end()
    await made.drop()
  }
})

test('two queries at once reserve what one customer has left only once', async () => {
  const made = await createTestDatabase({ empty: true })
  const pool = new pg.Pool({ connectionString: made.url })
  try {
    await pool.query(`create table budgets (customer text primary key, dollars_left numeric)`)
    await pool.query(`insert into budgets values ('acme', 1.5)`)
    const reserve = sqlOf('cookbook-services')
    const reserved = await Promise.all([pool.query(reserve), pool.query(reserve)])
    assert.deepEqual(reserved.map(({ rowCount }) => rowCount).sort(), [0, 1])
  } finally {
    await pool.end()
    await made.drop()
  }
})
