import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createListeners, withSharedAbortListener } from './listeners.js'

describe('listeners', () => {
  test('all are told, in the order they came, as often as it happens', () => {
    const { subscribe, tell } = createListeners()
    const heard: string[] = []
    subscribe(() => heard.push('a'))
    subscribe(() => heard.push('b'))
    tell()
    tell()
    assert.deepEqual(heard, ['a', 'b', 'a', 'b'])
  })

  test('who has left hears nothing; the others do', () => {
    const { subscribe, tell } = createListeners()
    const heard: string[] = []
    const leave = subscribe(() => heard.push('a'))
    subscribe(() => heard.push('b'))
    leave()
    leave()
    tell()
    assert.deepEqual(heard, ['b'])
  })

  test('one that leaves or comes while all are told changes nothing for this time', () => {
    const { subscribe, tell } = createListeners()
    const heard: string[] = []
    const leave = subscribe(() => {
      heard.push('a')
      leave()
      subscribe(() => heard.push('new'))
    })
    subscribe(() => heard.push('b'))
    tell()
    assert.deepEqual(heard, ['a', 'b'])
    tell()
    assert.deepEqual(heard, ['a', 'b', 'b', 'new'])
  })

  test('nobody has to listen', () => assert.doesNotThrow(() => createListeners().tell()))
})

describe('work that listens to a signal', () => {
  /** A signal that counts its listeners. */
  function countedSignal() {
    const controller = new AbortController()
    const { signal } = controller
    let count = 0
    let most = 0
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      count += 1
      most = Math.max(most, count)
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      count -= 1
      remove(...args)
    }
    return { controller, signal, count: () => count, most: () => most }
  }

  test('its many parts are one listener, and none when it is done', async () => {
    const { signal, count, most } = countedSignal()
    const result = await withSharedAbortListener(signal, async (onAbort) => {
      for (let n = 0; n < 50; n += 1) onAbort(() => {})
      return 'done'
    })
    assert.equal(result, 'done')
    assert.equal(most(), 1)
    assert.equal(count(), 0)
  })

  test('every part hears of the abort', async () => {
    const { controller, signal } = countedSignal()
    const heard: number[] = []
    await withSharedAbortListener(signal, async (onAbort) => {
      for (let n = 0; n < 3; n += 1) onAbort(() => heard.push(n))
      controller.abort()
    })
    assert.deepEqual(heard, [0, 1, 2])
  })

  test('work that fails leaves no listener behind', async () => {
    const { controller, signal, count } = countedSignal()
    let heard = false
    const work = withSharedAbortListener(signal, async (onAbort) => {
      onAbort(() => {
        heard = true
      })
      throw new Error('it failed')
    })
    await assert.rejects(work, /it failed/)
    assert.equal(count(), 0)
    controller.abort()
    assert.equal(heard, false)
  })
})
