// `npm run interop`: runs the scenarios with the original SDK and CLI, then with one half replaced by ours, and compares.
// A = original SDK with our CLI, B = our SDK with the original CLI; --pairs ABCD adds C (both ours) and D (in-process),
// --pairs O repeats the originals and shows what differs from run to run.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compareRuns } from '../test/interop/compare.mjs'
import { explain, loadDifferences } from '../test/interop/differences.mjs'
import { normalize } from '../test/interop/normalize.mjs'
import { ensureOriginals } from '../test/interop/originals.mjs'
import { inParallel, runJob } from '../test/interop/pool.mjs'
import { referenceOf } from '../test/interop/references.mjs'
import { scenarios } from '../test/interop/scenarios/catalogue.mjs'
import { checkComparison } from '../test/interop/self-check.mjs'
import { readTrace } from '../test/interop/traces.mjs'

const { values: flags, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    verbose: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    pairs: { type: 'string', default: 'AB' },
    jobs: { type: 'string', default: '2' },
    dist: { type: 'string', default: fileURLToPath(new URL('../dist', import.meta.url)) },
    traces: { type: 'string' },
  },
})

const ours = { sdk: resolve(flags.dist, 'index.js'), cli: resolve(flags.dist, 'cli.js') }
const originals = ensureOriginals()
const entries = loadDifferences()
const pairs = {
  A: { sdk: originals.sdk, cli: ours.cli, half: 'cli' },
  B: { sdk: ours.sdk, cli: originals.cli, half: 'sdk' },
  C: { sdk: ours.sdk, cli: ours.cli },
  D: { sdk: ours.sdk, cli: ours.cli, inProcess: true },
  O: { sdk: originals.sdk, cli: originals.cli },
}
const chosenPairs = [...flags.pairs].filter((pair) => pairs[pair] !== undefined)
const ids = Object.keys(scenarios).filter((id) => wanted.length === 0 || wanted.some((name) => id.startsWith(name)))
const counts = Object.fromEntries(chosenPairs.map((pair) => [pair, { equal: 0, all: 0 }]))

if (ids.length === 0) fail(`no scenario begins with ${wanted.join(' or ')}`)
checkComparison()
if (flags.traces !== undefined) await checkTraces(flags.traces)
else await compareAll()

async function compareAll() {
  for (const path of chosenPairs.flatMap((pair) => [pairs[pair].sdk, pairs[pair].cli])) {
    if (!existsSync(path)) fail(`${path} is missing: run \`npm run build\` first`)
  }
  await inParallel(ids, Number(flags.jobs), async (id) => {
    const reference = await referenceOf(id, originals, flags)
    for (const pair of chosenPairs) if (applies(scenarios[id], pair)) await comparePair(id, pair, reference)
  })
  console.log('')
  for (const entry of entries)
    console.log(`  ${String(entry.used).padStart(4)} × ${entry.id}: ${entry.why} (${entry.source})`)
  const unused = entries.filter((entry) => entry.used === 0)
  const complete = wanted.length === 0 && chosenPairs.includes('A') && chosenPairs.includes('B')
  if (complete && unused.length > 0) console.log(`unused entries: ${unused.map((e) => e.id).join(', ')}`)
  for (const pair of chosenPairs) console.log(`${pair}: ${counts[pair].equal} of ${counts[pair].all}`)
}

/** Half a scenario tests decides which pairs it makes sense for: a fake CLI says nothing about ours. */
function applies(scenario, pair) {
  if (pair === 'D' && scenario.inProcess === false) return false
  if (pair === 'C' && scenario.fakeCli) return false
  return scenario.half === undefined || pairs[pair].half === undefined || scenario.half === pairs[pair].half
}

async function comparePair(id, pair, reference) {
  counts[pair].all += 1
  const observed = await runJob({ scenario: id, ...pairs[pair], limitMs: scenarios[id].limitMs })
  const broken = [reference, observed].find((run) => run.failed !== undefined)
  if (broken !== undefined) {
    const path = broken === reference ? 'reference' : 'run'
    const got = `${broken.failed} ${broken.output}`.trim()
    return report(id, pair, [], [{ path, kind: 'value', expected: 'an end', got }])
  }
  const scenario = scenarios[id]
  const channels = pair === 'D' ? (name) => !/^(spawn|stdin|stdout|stderr|end|verbatim)/.test(name) : undefined
  const found = compareRuns(normalize(reference, scenario), normalize(observed, scenario), { channels })
  const { explained, unexplained } = explain(found, { scenario: id, pair }, entries)
  if (unexplained.length === 0) counts[pair].equal += 1
  report(id, pair, explained, unexplained)
}

function report(id, pair, explained, unexplained) {
  const verdict = unexplained.length === 0 ? 'ok  ' : 'DIFF'
  const known = explained.length === 0 ? '' : ` (${explained.length} known)`
  console.log(`${pair} ${verdict} ${id.padEnd(5)} ${scenarios[id].title}${known}`)
  if (unexplained.length > 0) process.exitCode = 1
  const shown = flags.verbose ? unexplained : unexplained.slice(0, 3)
  for (const { path, kind, expected, got, line } of shown) {
    console.log(`       ${path} (line ${(line ?? 0) + 1}, ${kind})`)
    if (expected !== undefined) console.log(`         original ${brief(expected)}`)
    if (got !== undefined) console.log(`         ours     ${brief(got)}`)
  }
  if (shown.length < unexplained.length) console.log(`       … ${unexplained.length - shown.length} more (--verbose)`)
  if (flags.verbose)
    for (const { path, kind, entry } of explained) console.log(`       known: ${path} (${kind}): ${entry}`)
}

function brief(value) {
  const text = JSON.stringify(value)
  return flags.verbose || text.length <= 300 ? text : `${text.slice(0, 300)}…`
}

/** Proves the harness itself: our own recordings of the originals against recordings made elsewhere. */
async function checkTraces(folder) {
  const count = { equal: 0, all: 0 }
  await inParallel(ids, Number(flags.jobs), async (id) => {
    const scenario = scenarios[id]
    const trace = readTrace(folder, id, scenario)
    if (trace === undefined) return
    count.all += 1
    const reference = await referenceOf(id, originals, flags)
    const channels = (name) => !['verbatim', 'note'].includes(name)
    const found = compareRuns(normalize(trace, scenario), normalize(reference, scenario), { channels })
    if (found.length === 0) count.equal += 1
    report(id, 'T', [], found)
  })
  console.log(`traces: ${count.equal} of ${count.all}`)
}

function fail(message) {
  console.error(message)
  process.exit(2)
}
