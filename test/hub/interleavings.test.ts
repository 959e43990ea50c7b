/** A thousand random interleavings at the stage; `npm run test:long` plays twenty thousand. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chooseSeed } from '../fuzz/random.js'
import { byTier } from '../support/tier.js'

const RUNS = byTier({ quick: 15, all: 1000, long: 20_000 })

test(`${RUNS} interleavings of prompts, answers, interrupts, readers and restarts`, async () => {
  const seed = chooseSeed(20261117)
  console.log(`hub: ${RUNS} interleavings, seed ${seed} (repeat with KEDGE_SEED=${seed})`)
  const program = fileURLToPath(new URL('./play-interleavings.js', import.meta.url))
  const args = [...process.execArgv, program, String(seed), String(RUNS)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  assert.match(stdout, new RegExp(`^${RUNS} interleavings, every log whole`, 'm'))
})
