import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AskState } from '../runs/claimed-run.js'
import { type RunAskPorts, RunAsks } from './run-asks.js'

/** One question of a session that nobody has answered; `told` is what the database was told. */
function asking({ goesOn, state }: { goesOn: boolean; state?: AskState }) {
  const told: string[] = []
  const claimed = {
    session: 's',
    ask: async () => void told.push('ask'),
    askState: async () => state,
    withdraw: async () => void told.push('withdraw'),
  }
  const ports: RunAskPorts = {
    claimed: claimed as unknown as RunAskPorts['claimed'], // What asks need of it.
    ...{ flushed: async () => {}, askerOf: () => undefined, hash: async (text) => text, newId: () => 'id' },
    decided: async () => {},
    ...{ warmMs: 0, timeoutMs: undefined, background: () => [], onHeld() {} },
    ...{ leaving: new AbortController().signal, lost: new AbortController().signal },
    goesOn: async () => goesOn,
  }
  const asks = new RunAsks(ports)
  const ask = (options: { canPark?: true; signal?: AbortSignal }) =>
    asks.canUseTool('Bash', { command: 'ls' }, { toolUseID: 't', signal: new AbortController().signal, ...options })
  return { ask, told }
}

const aborted = { signal: AbortSignal.abort() }

test('a question that can wait is parked, and stays open when its agent is ended', async () => {
  for (const options of [{ canPark: true as const }, { canPark: true as const, ...aborted }]) {
    const { ask, told } = asking({ goesOn: false })
    assert.deepEqual([await ask(options), told], [{ behavior: 'park' }, ['ask']])
  }
})

test('a question is withdrawn only by an agent that goes on without the answer', async () => {
  const message = 'The question was withdrawn: Nobody waits for the answer any more.'
  const denied = { behavior: 'deny', message }
  for (const canPark of [{}, { canPark: true as const }]) {
    const { ask, told } = asking({ goesOn: true })
    assert.deepEqual([await ask({ ...canPark, ...aborted }), told], [denied, ['ask', 'withdraw']])
  }
  // One that goes with its machine is withdrawn by who comes after it.
  const { ask, told } = asking({ goesOn: false })
  assert.deepEqual([await ask(aborted), told], [denied, ['ask']])
})

test('what was answered meanwhile counts, whoever is ended', async () => {
  const { ask, told } = asking({ goesOn: false, state: { answer: { kind: 'allow' } } })
  assert.equal((await ask({ canPark: true, ...aborted }))?.behavior, 'allow')
  assert.deepEqual(told, ['ask'])
})
