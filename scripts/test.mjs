// Runs the tests: `npm test` for all, `npm test -- part-of-a-path …` for some. Ends with `N passed, N failed`.
// `--long` makes the generated ones try much harder (`npm run test:long`). KEDGE_SEED repeats a run of theirs;
// KEDGE_DISTURBANCES is how many of them the cluster gets.
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { run } from 'node:test'
import { inspect } from 'node:util'
import { folderInMemory } from './folder-in-memory.mjs'
import { withSourcePlaces } from './source-places.mjs'
import { reportCost, startMeasuring } from './test-cost.mjs'
import { needsDatabase, startDatabase } from './test-database.mjs'
import { inProcesses } from './test-processes.mjs'
import { transpile } from './transpile.mjs'

const root = new URL('..', import.meta.url).pathname
const wanted = process.argv.slice(2).filter((a) => !a.startsWith('--'))
const noBuild = process.argv.includes('--no-build')
if (process.argv.includes('--long')) process.env.KEDGE_LONG = '1'

if (!noBuild) await (await import('./build.mjs')).buildAll({ quiet: true, onlyIfNeeded: true })
const all = await transpile()
const chosen = all.filter((f) => wanted.length === 0 || wanted.some((w) => f.includes(w)))
const processes = inProcesses(chosen)

// Tests never see the developer's own credentials or settings.
delete process.env.NODE_OPTIONS
for (const name of Object.keys(process.env)) {
  if (/^(ANTHROPIC_|OPENAI_|CLAUDE|KEDGE_)/.test(name) && !/^KEDGE_(LONG|SEED|DISTURBANCES)$/.test(name))
    delete process.env[name]
}
delete process.env.NODE_EXTRA_CA_CERTS
// The agents of all tests share the compiled code of the bundle: each would compile it for its own home otherwise.
process.env.XDG_CACHE_HOME = join(root, '.build', 'cache')
const folder = process.env.TMPDIR ? undefined : folderInMemory()
if (folder) process.env.TMPDIR = folder
const database = chosen.some(needsDatabase) ? await startDatabase() : undefined
if (database) process.env.KEDGE_TEST_DATABASE = database.env

// V8 of Node 20 optimises what runs for a moment, which takes a fifth of a test process's time; later ones wait by themselves. Handed
// to the processes of tests, not to agents.
if (process.versions.v8.startsWith('11.')) process.execArgv.push('--interrupt-budget=1000000')

const counts = { passed: 0, failed: 0, skipped: 0 }
const failures = []
const started = Date.now()
const measuring = startMeasuring()
const stream = run({
  files: processes,
  // Tests wait for processes, time-outs and each other's servers for more than half of their time.
  concurrency: availableParallelism() * 2,
  timeout: process.env.KEDGE_LONG ? 7_200_000 : 600_000,
})
stream.on('test:pass', (event) => {
  if (event.details?.type === 'suite' || isFile(event)) return
  if (event.skip !== undefined || event.todo !== undefined) counts.skipped += 1
  else counts.passed += 1
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
console.log(`\n${reportCost(await measuring.finish()).join('\n')}`)
console.log(`\n${chosen.length} files, ${((Date.now() - started) / 1000).toFixed(1)} s, ${counts.skipped} skipped`)
if (counts.passed + counts.failed === 0) {
  console.log('no test ran')
  process.exitCode = 1
}
console.log(`${counts.passed} passed, ${counts.failed} failed`)
if (counts.failed > 0) process.exitCode = 1
