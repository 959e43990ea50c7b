/** Fifty random schedules against the server; `npm run test:long` plays a thousand. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chooseSeed } from '../fuzz/random.js'
import { byTier } from '../support/tier.js'

const RUNS = byTier({ quick: 5, all: 50, long: 1000 })

test(`${RUNS} schedules of kills, restarts, cut connections, slow and vanishing readers`, async () => {
  const seed = chooseSeed(20261118)
  console.log(`server: ${RUNS} schedules, seed ${seed} (repeat with KEDGE_SEED=${seed})`)
  const program = fileURLToPath(new URL('./play-chaos.js', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program, String(seed), String(RUNS)])
  assert.match(stdout, new RegExp(`^${RUNS} schedules, every reader has everything`, 'm'))
})
