import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createListeners } from './listeners.js'
import { runCallback } from './run-callback.js'

/** A callback of the host whose end the test decides, and a timer that goes off when told to. */
function start(seconds: number) {
  const abort = createListeners()
  const log: string[] = []
  let timer: (() => void) | undefined
  let subscribed = 0
  let settle: { resolve(value: unknown): void; reject(reason: unknown): void } | undefined
  const ended = runCallback(
    seconds,
    {
      invoke: (signal) =>
        new Promise((resolve, reject) => {
          settle = { resolve, reject }
          signal.addEventListener('abort', () => {
            log.push('told to end')
            reject(new Error('aborted'))
          })
        }),
      after(ms, callback) {
        log.push(`timer ${ms}`)
        timer = callback
        return () => {
          timer = undefined
        }
      },
    },
    (callback) => {
      subscribed += 1
      const stop = abort.subscribe(callback)
      return () => {
        subscribed -= 1
        stop()
      }
    },
  )
  return {
    ended,
    log,
    abort: abort.tell,
    timeOut: () => timer?.(),
    answer: (value: unknown) => settle?.resolve(value),
    fail: (reason: unknown) => settle?.reject(reason),
    /** What is still held: timers and listeners. */
    held: () => subscribed + (timer ? 1 : 0),
  }
}

describe('a callback of the host', () => {
  test('its answer is passed on, whatever it is', async () => {
    for (const answer of [{ continue: true }, undefined, null, 'text', 0]) {
      const run = start(5)
      assert.equal(run.held(), 2)
      run.answer(answer)
      assert.deepEqual(await run.ended, { answer })
      assert.equal(run.held(), 0)
    }
  })

  test('has as many seconds as it is given', async () => {
    const run = start(2.5)
    assert.deepEqual(run.log, ['timer 2500'])
    run.timeOut()
    assert.deepEqual(await run.ended, { timedOutAfter: 2.5 })
    assert.deepEqual(run.log, ['timer 2500', 'told to end'])
    assert.equal(run.held(), 0)
  })

  test('is told when its turn ends, which is no time-out and no failure', async () => {
    const run = start(60)
    run.abort()
    assert.deepEqual(await run.ended, { canceled: true })
    assert.deepEqual(run.log, ['timer 60000', 'told to end'])
    assert.equal(run.held(), 0)
  })

  test('may throw anything', async () => {
    const rows: [thrown: unknown, text: string][] = [
      [new Error('no such user'), 'no such user'],
      [new TypeError('x is not a function'), 'x is not a function'],
      ['just text', 'just text'],
      [undefined, 'undefined'],
      [42, '42'],
    ]
    for (const [thrown, threw] of rows) {
      const run = start(60)
      run.fail(thrown)
      assert.deepEqual(await run.ended, { threw })
      assert.equal(run.held(), 0)
    }
  })

  test('one that throws at once ends the same way', async () => {
    const invoke = async () => {
      throw new Error('at once')
    }
    const end = await runCallback(1, { invoke, after: () => () => {} }, () => () => {})
    assert.deepEqual(end, { threw: 'at once' })
  })

  test('what answered before its time-out has answered', async () => {
    const run = start(1)
    run.answer('in time')
    run.timeOut()
    run.abort()
    assert.deepEqual(await run.ended, { answer: 'in time' })
  })

  test('a time-out behind an abort does not make a time-out of it, and the other way round it stays one', async () => {
    const late = start(1)
    late.timeOut()
    late.abort()
    assert.deepEqual(await late.ended, { timedOutAfter: 1 })
    assert.equal(late.log.filter((what) => what === 'told to end').length, 1)
  })
})
