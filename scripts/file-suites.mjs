// Loaded before tests that share a process although their files have hooks such as `beforeEach`: what a file defines at
// its top belongs to a suite of that file, so that its hooks are called for its own tests alone.
import { AsyncResource, executionAsyncId } from 'node:async_hooks'
import { describe } from 'node:test'
import { runner } from './without-tracking.mjs'

/** The suite whose body was called last. */
let last
const { runInAsyncScope } = AsyncResource.prototype
AsyncResource.prototype.runInAsyncScope = function (...args) {
  if (this.constructor.name === 'Suite') last = this
  return runInAsyncScope.apply(this, args)
}

/** A suite whose body is over takes no more tests: all of them are over when the last file has loaded. */
let end
const loaded = new Promise((resolve) => {
  end = resolve
})

const mark = globalThis[Symbol.for('kedge.loading')]
/** Called between the files, all of which load in one asynchronous step. */
globalThis[Symbol.for('kedge.loading')] = (file) => {
  mark?.(file)
  runner.forget(executionAsyncId())
  if (file === undefined) return end()
  void describe(file, () => loaded)
  runner.tell(executionAsyncId(), last)
}
