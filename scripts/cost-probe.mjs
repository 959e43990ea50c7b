// Loaded first in each test process: notes the processor time and the wall time of each test file in it, together with
// the children that have ended, and writes them down when the process ends. `scripts/test-cost.mjs` reads them.
import { AsyncResource, createHook } from 'node:async_hooks'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const build = fileURLToPath(new URL('../.build', import.meta.url))
const folder = process.env.KEDGE_TEST_COST
delete process.env.KEDGE_TEST_COST
/** Clock ticks of /proc are hundredths of a second on every Linux that Node runs on. */
const TICK_MS = 10

const spans = []
let span = { file: undefined, from: Date.now(), cpu: 0 }

/** Helpers define tests for the file that calls them: a test belongs to the file that was loading then. */
const owners = new WeakMap()
const isTest = (resource) => /^(?:Test|Suite)$/.test(resource?.constructor.name ?? '')
let loading
const registrations = createHook({
  init(_id, _type, _trigger, resource) {
    if (loading !== undefined && isTest(resource)) owners.set(resource, loading)
  },
})
registrations.enable()

/** Called between the files of a process while they load, and without a file behind the last one. */
globalThis[Symbol.for('kedge.loading')] = (file) => {
  loading = file
  if (file === undefined) registrations.disable()
}

/** Tests inside of others are defined while these run. */
function ownerOf(test) {
  for (let one = test; one != null; one = one.parent) if (owners.has(one)) return owners.get(one)
  // A file that awaits something while it loads has its tests later, when another one is loading.
  const [, file] = /\.build\/(.+\.test)\.js$/.exec(test.loc?.file ?? '') ?? []
  return file && `${file}.ts`
}

/** Follows which file's tests run now. Files of one process run one after another. */
const { runInAsyncScope } = AsyncResource.prototype
AsyncResource.prototype.runInAsyncScope = function (...args) {
  const file = this.constructor.name === 'Test' && this.name !== '<root>' ? ownerOf(this) : undefined
  if (file !== undefined) {
    if (file !== span.file) begin(file)
    // A failure or a skip is reported for the file, not for the helper.
    if (!this.loc?.file?.endsWith('.test.js')) this.loc = { ...this.loc, file: join(build, file.replace(/ts$/, 'js')) }
  }
  return runInAsyncScope.apply(this, args)
}

function begin(file) {
  end()
  span = { file, from: Date.now(), cpu: cpuTime() }
}
function end() {
  spans.push({ file: span.file, from: span.from, ms: Date.now() - span.from, cpuMs: cpuTime() - span.cpu })
}
/** Milliseconds of this process and of its children that have ended. */
function cpuTime() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + childTime()
}
function childTime() {
  if (process.platform !== 'linux') return 0
  const stat = readFileSync('/proc/self/stat', 'latin1')
  const [ofUser, ofSystem] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15)
  return (Number(ofUser) + Number(ofSystem)) * TICK_MS
}

if (folder !== undefined) {
  process.on('exit', () => {
    end()
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(spans))
  })
}
