// Loaded before the tests of a process: a test that hangs fails with its name and with what it waits for, long before the
// whole run gives up; so does a hook, or a process that does not end. A test with a longer `timeout` has that much time.
// Long runs have tests that take hours.
import { AsyncResource } from 'node:async_hooks'

const LOOK_MS = 5_000
const LIMIT_MS = Number(process.env.KEDGE_HANG_MS ?? 300_000)
delete process.env.KEDGE_HANG_MS

const begun = new Map()
/** When a test last began or was seen to be over, and which. */
let moved = { at: performance.now(), by: 'the start of the process' }
const { runInAsyncScope } = AsyncResource.prototype
AsyncResource.prototype.runInAsyncScope = function (...args) {
  const isTest = this.constructor.name === 'Test' && this.name !== '<root>'
  if (isTest && !begun.has(this)) {
    begun.set(this, performance.now())
    moved = { at: performance.now(), by: describe(this) }
  }
  return runInAsyncScope.apply(this, args)
}

/** A suite's tests wait inside it, and are not in here: the innermost ones that began are. */
function findHanging(now) {
  for (const [test, start] of begun) {
    if (test.endTime != null) {
      begun.delete(test)
      moved = { at: now, by: describe(test) }
    } else if (now - start > Math.max(LIMIT_MS, Number.isFinite(test.timeout) ? test.timeout : 0)) return describe(test)
  }
  if (begun.size === 0 && now - moved.at > LIMIT_MS) return `after ${moved.by}: a hook, or the end of the process`
}

function describe(test) {
  return `${test.loc?.file ?? ''} › ${test.name}`
}

function look() {
  const hanging = findHanging(performance.now())
  if (hanging === undefined) return
  const waits = process.getActiveResourcesInfo().join(', ')
  console.error(`hangs: ${hanging}: not over after its limit, waits for: ${waits}`)
  process.exit(1)
}

if (!process.env.KEDGE_LONG) setInterval(look, Math.min(LOOK_MS, LIMIT_MS)).unref()
