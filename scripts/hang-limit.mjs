// Loaded before the tests of a process: a test that hangs fails with its name and with what it waits for, long before the
// whole run gives up. A test with a longer `timeout` has that much time. Long runs have tests that take hours.
import { AsyncResource } from 'node:async_hooks'

const LOOK_MS = 5_000
const LIMIT_MS = Number(process.env.KEDGE_HANG_MS ?? 300_000)
delete process.env.KEDGE_HANG_MS

const begun = new Map()
const { runInAsyncScope } = AsyncResource.prototype
AsyncResource.prototype.runInAsyncScope = function (...args) {
  const isTest = this.constructor.name === 'Test' && this.name !== '<root>'
  if (isTest && !begun.has(this)) begun.set(this, performance.now())
  return runInAsyncScope.apply(this, args)
}

/** A suite's tests wait inside it, and are not in here: the innermost ones that began are. */
function findHanging(now) {
  for (const [test, start] of begun) {
    if (test.endTime != null) begun.delete(test)
    else if (now - start > Math.max(LIMIT_MS, Number.isFinite(test.timeout) ? test.timeout : 0)) return test
  }
}

function look() {
  const test = findHanging(performance.now())
  if (test === undefined) return
  const waits = process.getActiveResourcesInfo().join(', ')
  console.error(`hangs: ${test.loc?.file ?? ''} › ${test.name}: not over after its limit, waits for: ${waits}`)
  process.exit(1)
}

if (!process.env.KEDGE_LONG) setInterval(look, Math.min(LOOK_MS, LIMIT_MS)).unref()
