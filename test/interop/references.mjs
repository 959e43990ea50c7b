// The references: each scenario run with an original SDK and an original CLI, not always of one release, kept in the cache
// until the scenario's file or the harness changes.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runJob } from './pool.mjs'
import { scenarios } from './scenarios/catalog.mjs'

const harness = ['fake-api.mjs', 'fake-cli.mjs', 'tee-shim.mjs', 'stage.mjs', 'run-scenario.mjs', 'scenarios/steps.mjs']
const running = new Map()

/** What the SDK of one release did with the CLI of another (or the same) in this scenario, or { failed, output }. */
export function referenceOf(id, { sdk, cli }, { record = false } = {}) {
  const name = cli.version === sdk.version ? 'references' : `references-cli-${cli.version}`
  const file = join(sdk.folder, name, `${id}.json`)
  // Two pairs may need the same one.
  if (!running.has(file)) running.set(file, obtain(id, file, { sdk: sdk.sdk, cli: cli.cli }, record))
  return running.get(file)
}

async function obtain(id, file, programs, record) {
  const key = keyOf(scenarios[id])
  if (!record && existsSync(file)) {
    const kept = JSON.parse(readFileSync(file, 'utf8'))
    if (kept.key === key) return kept.observed
  }
  const observed = await runJob({ scenario: id, ...programs, limitMs: scenarios[id].limitMs })
  mkdirSync(join(file, '..'), { recursive: true })
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
