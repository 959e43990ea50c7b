import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createAgentRequestHandlers } from './driver/agent-requests.js'
import type { HubStore } from './log/log-store.js'
import { memoryLogStore } from './log/memory-log-store.js'
import { SessionLog } from './log/session-log.js'
import { PendingAsks } from './pending-asks.js'
import { emptySessionState } from './session-state.js'

const session = '11111111-2222-4333-8444-555555555555'
const ada = { name: 'Ada' }

/** Pending asks whose store takes entries when `write` says so, or fails, and whose time is up when `late` says so. */
async function begin() {
  const memory = memoryLogStore(() => 0)
  let held: Promise<void> | undefined
  const store: HubStore = {
    ...memory,
    async open(place) {
      const writer = await memory.open(place)
      return { ...writer, last: 0, append: (entries) => Promise.resolve(held).then(() => writer.append(entries)) }
    },
  }
  const state = emptySessionState()
  const writer = await store.open({ session, cwd: '/x' })
  const log = new SessionLog({ session, store, writer, state, now: () => 0, onBroken() {} })
  let late = () => {}
  const clock = {
    now: () => 0,
    after: (_: number, callback: () => void) => {
      late = callback
      return () => {}
    },
  }
  const ports = {
    session,
    log,
    state,
    clock,
    timeoutMs: 5,
    onChange() {},
    continueTurn: async () => {},
    sendPrompt: async () => {},
  }
  const asks = new PendingAsks(ports)
  const { canUseTool } = createAgentRequestHandlers({
    session,
    newAskId: () => 'ask',
    hash: async () => 'h',
    now: clock.now,
    askerOf: () => undefined,
    journal: { decide: (ask, wait) => asks.decide(ask, wait) },
  })
  const result = canUseTool('Bash', { command: 'ls' }, { signal: new AbortController().signal, toolUseID: 't' })
  while (!state.asks.has('ask')) await new Promise(setImmediate)
  await log.flushed()
  const hold = (until: Promise<void>) => {
    held = until
  }
  return { asks, log, result, hold, late: () => late() }
}

it('an answer that is being written down counts, also when the time is up meanwhile', async () => {
  const { asks, result, hold, late } = await begin()
  let write = () => {}
  hold(new Promise((resolve) => (write = resolve)))
  const told = asks.answer('ask', { kind: 'allow' }, ada)
  late()
  write()
  assert.equal(await told, 'accepted')
  assert.equal((await result)?.behavior, 'allow')
})

it('an answer that can not be written down is none: who gave it is told, and the call is denied', async () => {
  const { asks, result, hold } = await begin()
  hold(Promise.reject(new Error('full')))
  await assert.rejects(asks.answer('ask', { kind: 'allow' }, ada), /full/)
  assert.equal((await result)?.behavior, 'deny')
})

it('what nobody answers in time is a no, and a later answer is told so', async () => {
  const { asks, result, late } = await begin()
  late()
  assert.equal((await result)?.behavior, 'deny')
  assert.deepEqual(await asks.answer('ask', { kind: 'allow' }, ada), { already: 'withdrawn' })
})
