/**
 * What the product uses stays within bench/budgets.json: counts that are the same on every run, so that a busy machine fails
 * nothing and a heavier product does. `node bench/budgets.mjs` shows them.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

type Counts = Record<string, { count: number | undefined; of?: string[] }>
type Budgets = Record<string, number>
type Guard = {
  countAll(): Promise<Counts>
  readBudgets(): Budgets
  findOverruns(counts: Counts, budgets: Budgets): string[]
}

// The guard is a script of its own, outside of what is compiled; these are its exports.
const guard = (await import(pathToFileURL(join(process.cwd(), 'bench', 'budgets.mjs')).href)) as Guard

test('everything counted is within its budget', async () => {
  assert.deepEqual(guard.findOverruns(await guard.countAll(), guard.readBudgets()), [])
})

test('the guard fails for one more than the budget, and says what and how to go on', () => {
  const counts = { modules: { count: 9, of: ['fs', 'crypto'] } }
  assert.deepEqual(guard.findOverruns(counts, { modules: 9 }), [])
  const [problem, ...others] = guard.findOverruns(counts, { modules: 8 })
  assert.deepEqual(others, [])
  assert.match(
    problem ?? '',
    /^modules: 9 is over the budget of 8 \(fs, crypto\)\. .*raise the number in bench\/budgets\.json/,
  )
})

test('the guard fails for a count without a budget, a budget without a count, and one that guards nothing', () => {
  assert.match(guard.findOverruns({ modules: { count: 9 } }, {}).join(), /modules: 9, and .* has no budget/)
  assert.match(guard.findOverruns({}, { modules: 9 }).join(), /modules: has a budget but is not counted/)
  assert.match(
    guard.findOverruns({ modules: { count: 4 } }, { modules: 9 }).join(),
    /less than half of its budget of 9/,
  )
})
