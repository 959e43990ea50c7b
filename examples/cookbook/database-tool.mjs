// A tool that lets the model query PostgreSQL and change nothing: read-only transactions, at most 100 rows, five seconds. Give it a
// role that can only select. Needs DATABASE_URL; a scripted model, which tries everything else, stands in for a real one.
import assert from 'node:assert/strict'
import { createSdkMcpServer, query, tool } from 'kedge'
import { callsOf, collect, startModelServer, testOptions } from 'kedge/testing'
import pg from 'pg'
import { z } from 'zod'

const ROWS = 100
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 4, application_name: 'agent' })
pool.on('error', () => {}) // An idle connection that is lost is replaced.

const select = tool(
  'select',
  `Runs one SELECT in PostgreSQL and returns at most ${ROWS} rows as JSON. Aggregate in SQL instead of reading all rows.`,
  { sql: z.string().describe('One SELECT, without a semicolon') },
  async ({ sql }) => {
    const client = await pool.connect()
    try {
      await client.query("begin read only; set local statement_timeout = '5s'")
      // The extended protocol takes one statement, and a cursor only a SELECT.
      await client.query({ text: `declare answer no scroll cursor for ${sql}`, queryMode: 'extended' })
      const { rows } = await client.query(`fetch ${ROWS + 1} from answer`)
      const more = rows.length > ROWS ? `\nThere are more than these ${ROWS} rows.` : ''
      return { content: [{ type: 'text', text: JSON.stringify(rows.slice(0, ROWS)) + more }] }
    } finally {
      await client.query('rollback').then(() => client.release(), client.release) // With an error: not used again.
    }
  },
  { annotations: { readOnlyHint: true } },
)
const database = createSdkMcpServer({ name: 'database', tools: [select] })

const tries = {
  'select n from generate_series(1, 2) as n': /\[\{"n":1\},\{"n":2\}\]/,
  'select n from generate_series(1, 1000) as n': /"n":100\}\]\nThere are more/,
  'select 1; create table stolen ()': /multiple commands/,
  'drop table customers': /syntax error/,
  'select lo_creat(-1)': /read-only transaction/,
  "select set_config('transaction_read_only', 'off', true)": /read-write mode/,
  'select pg_sleep(60)': /statement timeout/,
  "select 'still works' as answer": /still works/,
}
const calls = Object.keys(tries).map((sql) => ({ tools: [{ name: 'mcp__database__select', input: { sql } }] }))
const model = await startModelServer([...calls, 'Done.'])
const options = testOptions(model, { mcpServers: { database }, tools: [], allowedTools: ['mcp__database'] })
const { messages } = await collect(query({ prompt: 'How many customers are there?', options }))
const results = callsOf(messages).map(({ text }) => text)
for (const [at, [sql, expected]] of Object.entries(tries).entries()) {
  console.log(`${sql}\n  ${results[at]?.slice(0, 100)}`)
  assert.match(results[at], expected)
}
await Promise.all([pool.end(), model.close(), options[Symbol.asyncDispose]()])
