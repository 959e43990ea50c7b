// `npm run interop`: runs the scenarios with the original SDK and CLI of several releases, then with one half replaced by
// ours, and compares. A = original SDK with our CLI, B = our SDK with the original CLI; --pairs ABCD adds C (both ours) and D
// (in-process), --pairs O repeats the originals and shows what differs from run to run.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compareRuns } from '../test/interop/compare.mjs'
import { loadDifferences } from '../test/interop/differences.mjs'
import { writeDocument } from '../test/interop/document.mjs'
import { normalize } from '../test/interop/normalize.mjs'
import { base, ensureOriginal, missingPrograms, releases } from '../test/interop/originals.mjs'
import { inParallel, runJob } from '../test/interop/pool.mjs'
import { referenceOf } from '../test/interop/references.mjs'
import { createReport } from '../test/interop/report.mjs'
import { recorded, scenarios } from '../test/interop/scenarios/catalog.mjs'
import { checkComparison } from '../test/interop/self-check.mjs'
import { inOneLane, readTrace } from '../test/interop/traces.mjs'
import { judge } from '../test/interop/verdict.mjs'

const { values: flags, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    verbose: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    pairs: { type: 'string', default: 'AB' },
    versions: { type: 'string', default: releases.join(',') },
    every: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '2' },
    dist: { type: 'string', default: fileURLToPath(new URL('../dist', import.meta.url)) },
    traces: { type: 'string' },
    document: { type: 'boolean', default: false },
  },
})

if (flags.document) {
  writeDocument(loadDifferences())
  process.exit(0)
}
const ours = { sdk: resolve(flags.dist, 'index.js'), cli: resolve(flags.dist, 'cli.js') }
const chosen = flags.versions.split(',').filter((version) => version !== '')
const originals = new Map([base, ...chosen].map((version) => [version, ensureOriginal(version)]))
const versions = chosen.filter((version) => originals.get(version) !== undefined)
const entries = loadDifferences()
const report = createReport(scenarios, flags)
const ids = Object.keys(scenarios).filter((id) => wanted.length === 0 || wanted.some((name) => id.startsWith(name)))

if (originals.get(base) === undefined) fail(`nothing can be compared without the original ${base}`)
if (ids.length === 0) fail(`no scenario begins with ${wanted.join(' or ')}`)
for (const version of versions) {
  const { cli } = originals.get(version)
  console.log(`original ${version}: ${cli === undefined ? 'SDK only, its CLI does not run here' : 'SDK and CLI'}`)
}
checkComparison()
if (flags.traces !== undefined) await checkTraces(flags.traces)
else await compareAll()

async function compareAll() {
  for (const path of Object.values(ours)) if (!existsSync(path)) fail(`${path} is missing: run \`npm run build\` first`)
  const runs = versions.flatMap((version) => ids.map((id) => ({ id, version })))
  await inParallel(runs, Number(flags.jobs), async ({ id, version }) => {
    for (const pair of flags.pairs) if (applies(id, pair, version)) await comparePair(id, pair, version)
  })
  const complete = wanted.length === 0 && releases.every((version) => versions.includes(version))
  report.end(entries, complete && ['A', 'B'].every((pair) => flags.pairs.includes(pair)))
}

/** The half a scenario tests decides which pairs it makes sense for: a fake CLI says nothing about ours. */
function applies(id, pair, version) {
  const scenario = scenarios[id]
  const half = { A: 'cli', B: 'sdk' }[pair]
  // Without a program that it needs the original does something else, silently: nothing to compare with.
  const missing = missingPrograms(scenario.needs ?? [])
  if (missing.length > 0) {
    console.log(`${pair} ${version} ${id} is left out: the original needs ${missing.join(' and ')} for it`)
    return false
  }
  if (version !== base) {
    // A scenario of one half only has nothing of the other release in it.
    if (!'ABO'.includes(pair) || scenario.half !== undefined) return false
    if (scenario.not?.includes(version) || scenario.not?.includes(`${pair} ${version}`)) return false
    if (wanted.length === 0 && !flags.every && !recorded.includes(id)) return false
    if (originals.get(version).cli === undefined) return false
  }
  if (pair === 'D' && scenario.inProcess === false) return false
  if (pair === 'C' && scenario.fakeCli) return false
  return scenario.half === undefined || half === undefined || scenario.half === half
}

async function comparePair(id, pair, version) {
  const original = originals.get(version)
  const known = originals.get(base)
  const native = { sdk: original, cli: original }
  const replaced = { A: { sdk: original, cli: known }, B: { sdk: known, cli: original } }[pair] ?? native
  const sdk = pair === 'A' || pair === 'O' ? original.sdk : ours.sdk
  const cli = pair === 'B' || pair === 'O' ? original.cli : ours.cli
  const { limitMs } = scenarios[id]
  const reference = await referenceOf(id, replaced, flags)
  const home = version === base || pair === 'O' ? undefined : await referenceOf(id, native, flags)
  const once = async () => {
    const observed = await runJob({ scenario: id, sdk, cli, inProcess: pair === 'D', limitMs })
    const broken = Object.entries({ reference, home, observed }).find(([, run]) => run?.failed !== undefined)
    if (broken === undefined)
      return judge({ scenario: scenarios[id], id, pair, version, reference, native: home, observed, entries })
    const [path, { failed, output }] = broken
    return { unexplained: [{ path, kind: 'value', expected: 'an end', got: `${failed} ${output}`.trim() }] }
  }
  const verdict = await once()
  // In B it is the original CLI that acts, and in what order its agents and commands are done is chance.
  const again = pair === 'B' && verdict.unexplained.length > 0
  report.add({ id, pair, version, again, ...(again ? await once() : verdict) })
}

/** Proves the harness itself: our own recordings of the originals against recordings made elsewhere, a folder per release. */
async function checkTraces(folder) {
  const runs = versions.flatMap((version) => ids.map((id) => ({ id, version })))
  await inParallel(runs, Number(flags.jobs), async ({ id, version }) => {
    const scenario = scenarios[id]
    const trace = readTrace(resolve(folder, version), id, scenario)
    if (trace === undefined) return
    const original = originals.get(version)
    const reference = await referenceOf(id, { sdk: original, cli: original }, flags)
    const channels = (name) => !['verbatim', 'note'].includes(name)
    const [there, here] = [trace, reference].map((run) => normalize(inOneLane(run), scenario))
    const unexplained = compareRuns(there, here, { channels })
    report.add({ id, pair: 'T', version, unexplained })
  })
  report.end([], false)
}

function fail(message) {
  console.error(message)
  process.exit(2)
}
