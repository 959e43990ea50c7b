// The references: each scenario run with the original SDK and the original CLI, kept in the cache until the scenario's file
// or the harness changes.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runJob } from './pool.mjs'
import { scenarios } from './scenarios/catalogue.mjs'

const harness = ['fake-api.mjs', 'fake-cli.mjs', 'tee-shim.mjs', 'stage.mjs', 'run-scenario.mjs', 'scenarios/steps.mjs']

/** What the originals did in this scenario, or { failed, output }. */
export async function referenceOf(id, originals, { record = false } = {}) {
  const file = join(originals.references, `${id}.json`)
  const key = keyOf(scenarios[id])
  if (!record && existsSync(file)) {
    const kept = JSON.parse(readFileSync(file, 'utf8'))
    if (kept.key === key) return kept.observed
  }
  const observed = await runJob({
    scenario: id,
    sdk: originals.sdk,
    cli: originals.cli,
    limitMs: scenarios[id].limitMs,
  })
  if (observed.failed === undefined) writeFileSync(file, JSON.stringify({ key, observed }))
  return observed
}

function keyOf(scenario) {
  const hash = createHash('sha256').update(process.version)
  for (const file of [...harness, scenario.file, ...imports(scenario.file)]) hash.update(read(file))
  return hash.digest('hex')
}

/** Files beside the scenario's that it imports, other than those of the harness. */
function imports(file) {
  const found = [...read(file).matchAll(/ from '\.\/([\w-]+\.mjs)'/g)].map(([, name]) => `scenarios/${name}`)
  return found.filter((name) => !harness.includes(name))
}

function read(file) {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
}
