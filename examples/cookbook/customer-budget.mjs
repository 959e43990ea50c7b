// A budget per customer: a file has what is left. A query reserves its budget before it starts, so queries at the same time can't
// spend the same money, and gives back what it didn't use. A scripted model stands in for a real one.
import assert from 'node:assert/strict'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { query } from 'kedge'
import { startModelServer, testOptions } from 'kedge/testing'

const say = (text, input_tokens, output_tokens = 0) => ({ text, usage: { input_tokens, output_tokens } })
const model = await startModelServer([say('First.', 100_000), say('Second.', 100_000), say('Dear.', 100_000, 50_000)])
const options = testOptions(model, { model: 'claude-sonnet-4-5', tools: [] }) // $3 per million tokens.

const file = join(options.env.HOME, 'budgets.json')
const readBudgets = () => JSON.parse(readFileSync(file, 'utf8'))
function change(customer, dollars) {
  const budgets = readBudgets()
  budgets[customer] += dollars
  writeFileSync(`${file}.tmp`, JSON.stringify(budgets)) // Whole or not at all, after a crash too.
  renameSync(`${file}.tmp`, file)
}

const MOST = 1 // Dollars that one query may cost.
async function ask(customer, prompt) {
  const maxBudgetUsd = Math.min(MOST, readBudgets()[customer] ?? 0)
  if (maxBudgetUsd <= 0) throw new Error(`${customer} has no budget left.`)
  change(customer, -maxBudgetUsd)
  for await (const message of query({ prompt, options: { ...options, maxBudgetUsd } })) {
    if (message.type !== 'result') continue
    const isKnown = message.unpriced_models === undefined // Without a price, the cost is the whole reserve.
    change(customer, maxBudgetUsd - (isKnown ? message.total_cost_usd : maxBudgetUsd))
    return message
  }
}

writeFileSync(file, JSON.stringify({ acme: 1.5, globex: 0.1 }))
const first = await ask('acme', 'A short question')
console.log('after one question:', readBudgets())
assert.equal(first.result, 'First.')
assert.equal(readBudgets().acme.toFixed(2), '1.20')

const both = ask('acme', 'Another one')
assert.equal(readBudgets().acme.toFixed(2), '0.20') // One dollar is reserved while the query runs.
await both
assert.equal(readBudgets().acme.toFixed(2), '0.90')

const dear = await ask('acme', 'A long question')
assert.equal(dear.subtype, 'error_max_budget_usd')
console.log('after a question that cost too much:', readBudgets())
await assert.rejects(ask('acme', 'One more'), /acme has no budget left/)
assert.equal(readBudgets().globex, 0.1)
assert.equal(model.requests.length, 3)
await options[Symbol.asyncDispose]()
await model.close()
