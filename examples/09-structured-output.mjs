// Answers as data: Kedge checks the answer against a schema, and the model reads its errors and tries again. `maxTurns` and
// `maxBudgetUsd` limit what a query costs. A scripted model stands in for a real one: its first answer is wrong.
import assert from 'node:assert/strict'
import { query } from 'kedge'
import { startModelServer, testOptions } from 'kedge/testing'
import { z } from 'zod'

const Review = z.object({ score: z.number().min(0).max(10), issues: z.array(z.string()) })
const answer = (input) => ({ tools: [{ name: 'StructuredOutput', input }] })
const server = await startModelServer([
  answer({ score: 'seven', issues: [] }),
  { ...answer({ score: 7, issues: ['no tests'] }), expect: { toolResult: /score/ } },
  'Done.',
  { ...answer({ score: 1, issues: [] }), usage: { input_tokens: 1_000_000 } },
])
const outputFormat = { type: 'json_schema', schema: Review }
const options = testOptions(server, { outputFormat, maxTurns: 5, maxBudgetUsd: 1 })
const ask = async (prompt) => {
  for await (const message of query({ prompt, options })) if (message.type === 'result') return message
}
const good = await ask('Review src/parse.ts')
const dear = await ask('Review everything')
await options[Symbol.asyncDispose]()
await server.close()

console.log(good.structured_output)
console.log(`${dear.subtype}: $${dear.total_cost_usd}`)
assert.deepEqual(good.structured_output, { score: 7, issues: ['no tests'] })
assert.equal(dear.subtype, 'error_max_budget_usd')
assert.ok(dear.total_cost_usd >= 1)
