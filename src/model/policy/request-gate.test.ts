import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRequestGate, type LeaveGate, type ModelRateLimit } from './request-gate.js'

/** A clock that only moves when it is told to. */
function handClock() {
  let now = 0
  let timers: { at: number; run(): void }[] = []
  return {
    monotonic: () => now,
    after(ms: number, run: () => void) {
      const timer = { at: now + ms, run }
      timers.push(timer)
      return () => {
        timers = timers.filter((one) => one !== timer)
      }
    },
    pass(ms: number) {
      now += ms
      for (const timer of timers.filter(({ at }) => at <= now)) {
        timers = timers.filter((one) => one !== timer)
        timer.run()
      }
    },
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

function world(limit: ModelRateLimit) {
  const clock = handClock()
  const gate = createRequestGate(clock)
  const begun: string[] = []
  const leaves = new Map<string, LeaveGate>()
  return {
    clock,
    begun,
    leaves,
    async ask(name: string, session = name, signal = new AbortController().signal) {
      const leave = await gate.enter([['m', limit]], session, signal)
      if (!leave) return void begun.push(`${name} aborted`)
      begun.push(name)
      leaves.set(name, leave)
    },
  }
}

test('no more at a time than allowed, and each session in its turn', async () => {
  const { ask, begun, leaves } = world({ concurrent: 1 })
  for (const [name, session] of ['a1 a', 'a2 a', 'a3 a', 'b1 b', 'c1 c'].map((text) => text.split(' '))) {
    void ask(name ?? '', session)
    await turn()
  }
  for (const name of ['a1', 'a2', 'b1', 'c1']) {
    leaves.get(name)?.(0)
    await turn()
  }
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'c1', 'a3'])
})

test('no more in a minute than allowed, of requests and of tokens', async () => {
  const requests = world({ perMinute: 2 })
  for (const name of ['a', 'b', 'c']) void requests.ask(name)
  await turn()
  requests.clock.pass(59_999)
  await turn()
  assert.deepEqual(requests.begun, ['a', 'b'])
  requests.clock.pass(1)
  await turn()
  assert.deepEqual(requests.begun, ['a', 'b', 'c'])

  const tokens = world({ tokensPerMinute: 100 })
  await tokens.ask('a')
  tokens.leaves.get('a')?.(150)
  void tokens.ask('b')
  await turn()
  tokens.clock.pass(59_999)
  assert.deepEqual(tokens.begun, ['a'])
  tokens.clock.pass(1)
  await turn()
  assert.deepEqual(tokens.begun, ['a', 'b'])
})

test('who gives up while waiting takes no place', async () => {
  const { ask, begun, leaves } = world({ concurrent: 1 })
  const controller = new AbortController()
  await ask('a')
  void ask('b', 'b', controller.signal)
  void ask('c')
  controller.abort()
  await turn()
  leaves.get('a')?.(0)
  await turn()
  assert.deepEqual(begun, ['a', 'b aborted', 'c'])
})

test('whatever order things happen in, the limit holds and nobody waits for ever', async () => {
  const commands = fc.array(fc.tuple(fc.constantFrom('ask', 'leave', 'abort'), fc.nat(5)), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(commands, fc.integer({ min: 1, max: 3 }), async (steps, concurrent) => {
      const gate = createRequestGate(handClock())
      const limits: [string, ModelRateLimit][] = [
        ['m', { concurrent }],
        ['service', { concurrent: 2 }],
      ]
      const running: LeaveGate[] = []
      const waiting = new Set<AbortController>()
      let most = 0
      for (const [what, session] of steps) {
        if (what === 'ask') {
          const controller = new AbortController()
          waiting.add(controller)
          void gate.enter(limits, String(session), controller.signal).then((leave) => {
            waiting.delete(controller)
            if (leave) running.push(leave)
            most = Math.max(most, running.length)
          })
        } else if (what === 'leave') running.shift()?.(1)
        else for (const controller of [...waiting].slice(0, 1)) controller.abort()
        await turn()
      }
      while (waiting.size > 0 || running.length > 0) {
        assert.ok(running.length > 0, 'somebody waits, and nobody is there to make room')
        running.shift()?.(0)
        await turn()
      }
      assert.ok(most <= Math.min(concurrent, 2))
    }),
  )
})
