/** The recipe that lets a model query PostgreSQL: run against one, with the role that its page recommends. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../src/cluster/test-database.js'
import { runProgram } from '../support/run-program.js'

test('the database tool reads rows, stops at its limits, and changes nothing', async () => {
  const made = await testDatabase({ empty: true })
  try {
    const { code, stdout, stderr } = await runProgram('examples/cookbook/database-tool.mjs', {
      DATABASE_URL: made.url,
    })
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    assert.match(stdout, /still works/)
  } finally {
    await made.drop()
  }
})
