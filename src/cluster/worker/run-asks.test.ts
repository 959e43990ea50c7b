import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { createAgentRequestHandlers } from '../../hub/driver/agent-requests.js'
import type { AskAnswerOrVoid } from '../runs/claimed-run.js'
import { type RunAskPorts, RunAsks } from './run-asks.js'

/** One question of a session that nobody has answered; `told` is what the database was told. */
function asking({ goesOn, state }: { goesOn: boolean; state?: AskAnswerOrVoid }) {
  const told: string[] = []
  const claimed = {
    session: 's',
    ask: async () => void told.push('ask'),
    askState: async () => state,
    withdraw: async () => void told.push('withdraw'),
  }
  const ports: RunAskPorts = {
    claimed: claimed as unknown as RunAskPorts['claimed'], // What asks need of it.
    flushed: async () => {},
    decided: async () => {},
    warmMs: 0,
    timeoutMs: undefined,
    background: () => [],
    onHeld() {},
    leaving: new AbortController().signal,
    lost: new AbortController().signal,
    goesOn: async () => goesOn,
  }
  const asks = new RunAsks(ports)
  const { canUseTool } = createAgentRequestHandlers({
    session: 's',
    newAskId: () => 'id',
    hash: async (text) => text,
    now: () => 0,
    askerOf: () => undefined,
    journal: asks,
  })
  const ask = (options: { canPark?: true; signal?: AbortSignal }) =>
    canUseTool('Bash', { command: 'ls' }, { toolUseID: 't', signal: new AbortController().signal, ...options })
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
  const message = "The question was withdrawn: The answer isn't needed any more."
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

test('a question is parked though garbage is collected all the while', () => {
  // Node 20 removed the time limit at the first garbage collection, and the run kept its place forever.
  const program = `
    import { RunAsks } from ${JSON.stringify(new URL('./run-asks.js', import.meta.url).href)}
    const { WorkerInbox } = await import(${JSON.stringify(new URL('./worker-inbox.js', import.meta.url).href)})
    const inbox = new WorkerInbox({})
    let looks = 0
    const claimed = { session: 's', ask: async () => {}, askState: async () => undefined, withdraw: async () => {} }
    const asks = new RunAsks({
      claimed, flushed: async () => {},
      decided: (ask, signal) => inbox.decided('t', ask, signal), warmMs: 200, timeoutMs: undefined, background: () => [],
      onHeld() {}, leaving: new AbortController().signal, lost: new AbortController().signal, goesOn: async () => true,
    })
    const collect = setInterval(() => { globalThis.gc(); if (++looks === 500) process.exit(1) }, 10)
    const wait = () => ({ canPark: true, signal: new AbortController().signal })
    const asked = Array.from({ length: 50 }, (_, i) => asks.decide({ id: String(i), kind: 'permission' }, wait()))
    const results = await Promise.all(asked)
    clearInterval(collect)
    console.log(results.filter((decision) => decision === 'park').length)`
  const args = ['--expose-gc', '--input-type=module', '-e', program]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.deepEqual([status, stdout], [0, '50\n'], stderr)
})
