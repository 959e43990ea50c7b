import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nodeClock } from './clock.js'

/** Longer than timers can count. */
const AGES = 2 ** 40

/** Whether it is over once a timer of a few ms has come and gone. */
async function isOverSoon(work: Promise<unknown>): Promise<boolean> {
  let over = false
  void work.then(() => {
    over = true
  })
  await nodeClock.sleep(20)
  return over
}

describe('sleep', () => {
  test('ends', async () => assert.equal(await nodeClock.sleep(1), undefined))

  test('ends at once with its signal, before or meanwhile', async () => {
    assert.equal(await isOverSoon(nodeClock.sleep(1_000_000, AbortSignal.abort())), true)
    const controller = new AbortController()
    const sleeping = nodeClock.sleep(1_000_000, controller.signal)
    controller.abort()
    assert.equal(await isOverSoon(sleeping), true)
  })

  test('for ages is no sleep of no time', async () => {
    const controller = new AbortController()
    const sleeping = nodeClock.sleep(AGES, controller.signal)
    assert.equal(await isOverSoon(sleeping), false)
    controller.abort()
    await sleeping
  })
})

describe('at most', () => {
  test('what the work becomes, also when that is a failure', async () => {
    assert.equal(await nodeClock.atMost(1_000_000, Promise.resolve('done')), 'done')
    await assert.rejects(nodeClock.atMost(1_000_000, Promise.reject(new Error('no'))), /no/)
  })

  test('undefined when the time is over first', async () => {
    assert.equal(await nodeClock.atMost(1, new Promise(() => {})), undefined)
  })

  test('ages are long', async () => {
    let finish = (_: string) => {}
    const work = new Promise<string>((resolve) => {
      finish = resolve
    })
    const waiting = nodeClock.atMost(AGES, work)
    assert.equal(await isOverSoon(waiting), false)
    finish('done')
    assert.equal(await waiting, 'done')
  })
})

describe('timers', () => {
  test('call back, once or again and again, until they are canceled', async () => {
    let [once, again] = [0, 0]
    nodeClock.after(1, () => {
      once += 1
    })
    await new Promise<void>((resolve) => {
      const cancel = nodeClock.every(1, () => {
        again += 1
        if (again < 3) return
        cancel()
        resolve()
      })
    })
    await nodeClock.sleep(10)
    assert.deepEqual([once, again], [1, 3])
  })

  test('canceled before, they never do', async () => {
    const called: string[] = []
    const cancels = [
      nodeClock.after(1, () => called.push('after')),
      nodeClock.every(1, () => called.push('every')),
      nodeClock.everyInBackground(1, () => called.push('background')),
    ]
    for (const cancel of cancels) cancel()
    await nodeClock.sleep(10)
    assert.deepEqual(called, [])
  })

  test('for ages they wait', async () => {
    const called: string[] = []
    const cancels = [
      nodeClock.after(AGES, () => called.push('after')),
      nodeClock.every(AGES, () => called.push('every')),
      nodeClock.everyInBackground(AGES, () => called.push('background')),
    ]
    await nodeClock.sleep(20)
    for (const cancel of cancels) cancel()
    assert.deepEqual(called, [])
  })
})

test('time goes on, in milliseconds', async () => {
  const [now, monotonic] = [nodeClock.now(), nodeClock.monotonic()]
  await nodeClock.sleep(5)
  const went = nodeClock.monotonic() - monotonic
  assert.ok(went >= 4, String(went))
  assert.ok(Math.abs(now - Date.now()) < 3_600_000)
})
