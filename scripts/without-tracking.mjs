// Loaded before the tests of a process. Node's test runner follows every promise and every other asynchronous step from where it began,
// only to say which test an error belongs to that nobody caught. That takes up to a third of the time of tests that run sessions in
// their own process. Here it is told of tests and suites alone, and such an error fails the test that runs when it is thrown.
import { AsyncResource, createHook } from 'node:async_hooks'
import { after, afterEach } from 'node:test'

const hooks = Object.getPrototypeOf(createHook({}))
const { enable } = hooks
hooks.enable = function () {
  const callbacks = Object.getOwnPropertySymbols(this).map((symbol) => this[symbol])
  const find = (text) => callbacks.find((value) => typeof value === 'function' && String(value).includes(text))
  const init = find('instanceof Test')
  if (init === undefined) return enable.call(this)
  hooks.enable = enable
  tellOfTests(init)
  runner.tell = (id, test) => init(id, 'Test', 0, test)
  runner.forget = find('.delete(')
  return this
}
/** Tells the test runner which test or suite an asynchronous step belongs to. */
export const runner = { tell: undefined, forget: undefined }

/** A test is known before anything is called in its name, which is when others begin inside of it. */
function tellOfTests(init) {
  const { runInAsyncScope } = AsyncResource.prototype
  AsyncResource.prototype.runInAsyncScope = function (...args) {
    init(this.asyncId(), 'Test', 0, this)
    return runInAsyncScope.apply(this, args)
  }
}

const uncaught = []
for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (error) => uncaught.push(error))
afterEach(() => {
  const [first] = uncaught.splice(0)
  if (first !== undefined) throw first
})
process.on('exit', () => {
  for (const error of uncaught) console.error(error)
})

// What keeps a process alive when its tests are through would be waited for until the run gives up, and nobody would know for what.
after(() => {
  const say = () => {
    console.error(`still there a minute after the last test: ${process.getActiveResourcesInfo().join(', ')}`)
    process.exit(1)
  }
  setTimeout(say, 60_000).unref()
})
