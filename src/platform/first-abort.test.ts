import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstAbort, isTimeLimitAbort, withFirstAbort } from './first-abort.js'

test('aborts with the first of its signals, and lets go of the others', async () => {
  const [first, second] = [new AbortController(), new AbortController()]
  const { signal, release } = firstAbort([undefined, first.signal, second.signal], 60_000)
  assert.equal(signal.aborted, false)
  second.abort('second')
  first.abort('first')
  assert.deepEqual([signal.aborted, signal.reason, isTimeLimitAbort(signal)], [true, 'second', false])
  release()
  assert.equal(firstAbort([first.signal]).signal.reason, 'first')
})

test('aborts when time is up, and not once it is released', async () => {
  const released = firstAbort([], 1)
  released.release()
  const timeUp = async (signal: AbortSignal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return signal
  }
  // Timers fire in order.
  const late = await withFirstAbort([], 20, timeUp)
  assert.deepEqual([isTimeLimitAbort(late), released.signal.aborted], [true, false])
})
