// Runs the tests: `npm test` a part that covers every capability, `npm test -- part-of-a-path …` some of it,
// `npm run test:all` everything (`--all`). Ends with `N passed, N failed`. `--long` makes the generated ones try much
// harder (`npm run test:long`). KEDGE_SEED repeats a run, KEDGE_REQUIRE names what must not be missing
// (browser,sandbox,postgres), KEDGE_DISTURBANCES is how many of them the cluster gets, KEDGE_PARKED how many
// requests wait meanwhile.
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { run } from 'node:test'
import { inspect } from 'node:util'
import { folderInMemory } from './folder-in-memory.mjs'
import { withSourcePlaces } from './source-places.mjs'
import { findOverruns, isCrowded, readBudgets } from './test-budgets.mjs'
import { costPerFolder, reportCost, startMeasuring } from './test-cost.mjs'
import { needsDatabase, startDatabase } from './test-database.mjs'
import { inProcesses } from './test-processes.mjs'
import { createSkipList } from './test-skips.mjs'
import { chooseFiles, needsBuild } from './test-tiers.mjs'
import { transpile } from './transpile.mjs'

const root = new URL('..', import.meta.url).pathname
const wanted = process.argv.slice(2).filter((a) => !a.startsWith('--'))
const noBuild = process.argv.includes('--no-build')
if (process.argv.includes('--long')) process.env.KEDGE_LONG = '1'
if (process.argv.includes('--all')) process.env.KEDGE_ALL = '1'
const isAll = process.env.KEDGE_ALL !== undefined || process.env.KEDGE_LONG !== undefined

const chosen = chooseFiles(await transpile(), { wanted, isAll })
if (!noBuild && chosen.some(needsBuild))
  await (await import('./build.mjs')).buildAll({ quiet: true, onlyIfNeeded: true })
const processes = inProcesses(chosen)
const skips = createSkipList(process.env.KEDGE_REQUIRE)

// Tests never see the developer's own credentials or settings.
delete process.env.NODE_OPTIONS
for (const name of Object.keys(process.env)) {
  if (/^(ANTHROPIC_|OPENAI_|CLAUDE|KEDGE_)/.test(name) && !/^KEDGE_(ALL|LONG|SEED|DISTURBANCES|PARKED)$/.test(name))
    delete process.env[name]
}
delete process.env.NODE_EXTRA_CA_CERTS
// Chooses the fifth of the process halves that runs. A new one each time: what one run leaves out, another one has.
process.env.KEDGE_PART = process.env.KEDGE_SEED ?? String(Math.floor(Math.random() * 1e9))
if (!isAll)
  console.log(`A part of the tests, seed ${process.env.KEDGE_PART} (KEDGE_SEED repeats it); npm run test:all runs all.`)
// The agents of all tests share the compiled code of the bundle: each would compile it for its own home otherwise.
process.env.XDG_CACHE_HOME = join(root, '.build', 'cache')
const folder = process.env.TMPDIR ? undefined : folderInMemory()
if (folder) process.env.TMPDIR = folder
const database = chosen.some(needsDatabase) ? await startDatabase() : undefined
if (database) process.env.KEDGE_TEST_DATABASE = database.env

// V8 of Node 20 optimizes what runs for a moment, which takes a fifth of a test process's time; later ones wait by themselves. Handed
// to the processes of tests, not to agents.
if (process.versions.v8.startsWith('11.')) process.execArgv.push('--interrupt-budget=1000000')

const counts = { passed: 0, failed: 0 }
const failures = []
/** How long each test took, for .build/test-cost.json. */
const durations = []
const started = Date.now()
const measuring = startMeasuring()
const stream = run({
  files: processes,
  // Tests wait for processes, time-outs and each other's servers for more than half of their time: with two for each core,
  // a quarter of the processor time was idle.
  concurrency: availableParallelism() * (isAll ? 2 : 4),
  // Forty files share a process, and a machine may be busy: what hangs is found by hang-limit.mjs, long before.
  timeout: process.env.KEDGE_LONG ? 7_200_000 : 1_800_000,
})
stream.on('test:pass', (event) => {
  if (isFile(event)) return
  if (event.skip !== undefined || event.todo !== undefined) skips.note(place(event), event)
  else if (event.details?.type !== 'suite') {
    counts.passed += 1
    durations.push({ file: place(event), name: event.name, ms: Math.round(event.details?.duration_ms ?? 0) })
  }
})
stream.on('test:fail', (event) => {
  const error = event.details?.error
  // A suite that fails because of its tests is not another failure.
  if (event.details?.type === 'suite' && error?.failureType === 'subtestsFailed') return
  if (isFile(event) && error?.failureType === 'subtestsFailed') return
  counts.failed += 1
  failures.push(event)
  const cause = error?.cause ?? error
  console.log(`✖ ${place(event)} › ${event.name}\n${indent(withSourcePlaces(inspect(cause)))}`)
})
stream.on('test:stderr', (event) => process.stderr.write(withSourcePlaces(event.message)))
for await (const _ of stream);
await database?.stop()

function isFile(event) {
  return event.nesting === 0 && typeof event.name === 'string' && event.name.endsWith('.js')
}
function place(event) {
  return relative(root, event.file ?? '?')
    .replace(/^\.build\//, '')
    .replace(/\.js$/, '.ts')
}
function indent(text) {
  return text.replace(/^/gm, '    ')
}

if (failures.length > 0) console.log(`\nFailed:\n${failures.map((f) => `  ${place(f)} › ${f.name}`).join('\n')}`)
const files = await measuring.finish()
console.log(`\n${reportCost(files, durations).join('\n')}`)
// Budgets are for whole runs of `npm test`.
const folders = costPerFolder(files)
const cpuMs = Object.values(folders).reduce((sum, folder) => sum + folder.cpuMs, 0)
const isBusy = isCrowded(cpuMs, Date.now() - started, availableParallelism())
const overruns = isAll || wanted.length > 0 ? [] : findOverruns(folders, readBudgets(), isBusy)
const problems = [...skips.problems(), ...overruns]
counts.failed += problems.length
for (const problem of problems) console.log(`✖ ${problem}`)
for (const line of skips.summary()) console.log(line)
console.log(`\n${chosen.length} files, ${((Date.now() - started) / 1000).toFixed(1)} s, ${skips.count()} skipped`)
if (counts.passed + counts.failed === 0) {
  console.log('no test ran')
  process.exitCode = 1
}
console.log(`${counts.passed} passed, ${counts.failed} failed`)
if (counts.failed > 0) process.exitCode = 1
