/** What a folder of tests may cost in `npm test` is checked: the check itself fails when it should. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

type Costs = Record<string, { cpuMs: number; starts: number; ms: number }>
type Budgets = Record<string, { starts: number; share: number }>

// The script is outside of what is compiled; these are its exports.
const {
  findOverruns,
  isCrowded,
}: {
  findOverruns(folders: Costs, budgets: Budgets, isBusy?: boolean): string[]
  isCrowded(cpuMs: number, wallMs: number, processors: number): boolean
} = await import(pathToFileURL(join(process.cwd(), 'scripts', 'test-budgets.mjs')).href)

test('a folder over its budget is named, with what to do; so is one without a budget', () => {
  const folders = {
    'src/hooks': { cpuMs: 600, starts: 4, ms: 0 },
    'test/hooks': { cpuMs: 400, starts: 11, ms: 0 },
  }
  const enough = { 'src/hooks': { starts: 4, share: 60 }, 'test/hooks': { starts: 11, share: 40 } }
  assert.deepEqual(findOverruns(folders, enough), [])
  const [starts, share, ...others] = findOverruns(folders, {
    'src/hooks': { starts: 3, share: 60 },
    'test/hooks': { starts: 11, share: 20 },
  })
  assert.match(starts ?? '', /^src\/hooks: 4 starts of Node, the budget is 3\. .*scripts\/test-budgets\.json/)
  assert.match(share ?? '', /^test\/hooks: 40 % of the processor time, the budget is 20 %/)
  assert.deepEqual(others, [])
  assert.match(findOverruns(folders, {}).join(), /src\/hooks: .*no budget/)
  const many = { 'src/hooks': { cpuMs: 1, starts: 901, ms: 0 } }
  const room = { 'src/hooks': { starts: 1000, share: 100 } }
  assert.match(findOverruns(many, room).join(), /^all folders: 901 starts of Node, the budget is 900/)
})

test('beside other work shares say little: they are not held against a folder, starts are', () => {
  const folders = { 'test/hooks': { cpuMs: 1000, starts: 11, ms: 0 } }
  assert.deepEqual(findOverruns(folders, { 'test/hooks': { starts: 11, share: 20 } }, true), [])
  assert.match(
    findOverruns(folders, { 'test/hooks': { starts: 10, share: 20 } }, true).join(),
    /^test\/hooks: 11 starts/,
  )
  assert.equal(isCrowded(400_000, 900_000, 2), true)
  assert.equal(isCrowded(450_000, 300_000, 2), false)
})
