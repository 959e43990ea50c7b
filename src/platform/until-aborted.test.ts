import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { raceWithAbort } from './until-aborted.js'

const never = new Promise<string>(() => {})
const gaveUp = () => 'gave up'

test('work that ends first is the result, and leaves no listener behind', async () => {
  const { signal } = new AbortController()
  assert.equal(await raceWithAbort(signal, gaveUp, async () => 'done'), 'done')
  assert.equal(await raceWithAbort(signal, gaveUp, Promise.resolve('done')), 'done')
  await assert.rejects(
    raceWithAbort(signal, gaveUp, () => Promise.reject(new Error('own'))),
    /own/,
  )
  assert.equal(getEventListeners(signal, 'abort').length, 0)
})

test('an abort ends the wait, as a value or as an error', async () => {
  const stop = new AbortController()
  const value = raceWithAbort(stop.signal, gaveUp, () => never)
  const error = raceWithAbort(
    stop.signal,
    () => {
      throw new Error('stopped')
    },
    never,
  )
  stop.abort()
  assert.equal(await value, 'gave up')
  await assert.rejects(error, /stopped/)
})

test('after an abort nothing is started, and work that fails later is not an unhandled rejection', async () => {
  let started = 0
  assert.equal(await raceWithAbort(AbortSignal.abort(), gaveUp, () => ++started), 'gave up')
  assert.equal(await raceWithAbort(AbortSignal.abort(), gaveUp, Promise.reject(new Error('late'))), 'gave up')
  assert.equal(started, 0)
})

test('without a signal the work decides', async () => {
  assert.equal(await raceWithAbort(undefined, gaveUp, () => 'done'), 'done')
})
