import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cacheCredential } from './cached-credential.js'

type Found = { from: string; expiresAt?: number }

function kept(answers: (Found | { reason: string })[], options = {}) {
  let now = 0
  let asked = 0
  const search = cacheCredential<Found>(
    { now: () => now },
    async () => {
      asked += 1
      return answers.shift() ?? { reason: 'no more' }
    },
    options,
  )
  // One signal is for many requests: all of a turn.
  const turn = new AbortController().signal
  const ask = async (signal = turn) => {
    const found = await search.current(signal)
    return 'reason' in found ? found.reason : found.from
  }
  return {
    search,
    ask,
    asked: () => asked,
    wait: (ms: number) => {
      now += ms
    },
  }
}

test('kept until five minutes before its end, an hour where it has none, and not after a refusal', async () => {
  const one = kept([{ from: 'a', expiresAt: 1_000_000 }, { from: 'b' }, { from: 'c' }, { from: 'd' }])
  assert.deepEqual([await one.ask(), await one.ask()], ['a', 'a'])
  one.wait(699_999)
  assert.equal(await one.ask(), 'a')
  one.wait(1)
  assert.equal(await one.ask(), 'b')
  one.wait(3_300_000 - 1)
  assert.equal(await one.ask(), 'b')
  one.wait(1)
  assert.equal(await one.ask(), 'c')
  one.search.forget()
  assert.equal(await one.ask(), 'd')
})

test('one that ends sooner than that is used all the same, once', async () => {
  const short = kept([
    { from: 'a', expiresAt: 1 },
    { from: 'b', expiresAt: 1 },
  ])
  assert.deepEqual([await short.ask(), await short.ask(), short.asked()], ['a', 'b', 2])
})

test('a failure is not kept; on request nothing is', async () => {
  const failing = kept([{ reason: 'no' }, { from: 'a' }])
  assert.deepEqual([await failing.ask(), await failing.ask()], ['no', 'a'])
  const forgetful = kept([{ from: 'a' }, { from: 'b' }], { keepsNothing: true })
  assert.deepEqual([await forgetful.ask(), await forgetful.ask()], ['a', 'b'])
})

test('many at once share one search; when who began it goes away, another goes on', async () => {
  const shared = kept([{ from: 'a' }, { from: 'b' }])
  assert.deepEqual(await Promise.all([shared.ask(), shared.ask(), shared.ask()]), ['a', 'a', 'a'])
  assert.equal(shared.asked(), 1)
  const left = kept([{ reason: 'interrupted' }, { from: 'b' }])
  const first = new AbortController()
  const both = Promise.all([left.ask(first.signal), left.ask()])
  first.abort()
  assert.deepEqual(await both, ['interrupted', 'b'])
})
