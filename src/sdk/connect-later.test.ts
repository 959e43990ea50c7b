import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentConnection, AgentExit } from './agent-connection.js'
import { connectAgentLater } from './connect-later.js'

function stage() {
  const seen: unknown[] = []
  let exit: (exit: AgentExit) => void = () => {}
  const agent: AgentConnection = {
    channel: {
      send: (message) => void seen.push(message),
      end: () => void seen.push('end'),
      incoming: (async function* () {
        yield { type: 'hello' }
      })(),
    },
    ended: new Promise((resolve) => {
      exit = resolve
    }),
    kill: (signal) => void seen.push(signal),
    unref: () => void seen.push('unref'),
    pid: 7,
    own: true,
    kind: 'process',
  }
  let started: (agent: AgentConnection) => void = () => {}
  let failed: (error: Error) => void = () => {}
  let stop: AbortSignal | undefined
  const connection = connectAgentLater(
    (signal) => {
      stop = signal
      return new Promise((resolve, reject) => {
        started = resolve
        failed = reject
      })
    },
    { own: true, kind: 'process' },
  )
  return {
    connection,
    seen,
    start: async () => {
      started(agent)
      await new Promise((resolve) => setImmediate(resolve))
    },
    fail: (error: Error) => failed(error),
    exit: (code: number) => exit({ code, signal: null, stderr: '' }),
    isStopped: () => stop?.aborted,
  }
}

test('what is said before the start arrives after it, in order; then directly', async () => {
  const { connection, seen, start, exit } = stage()
  void connection.channel.send({ n: 1 })
  void connection.channel.send({ n: 2 })
  connection.channel.end()
  assert.deepEqual([seen, connection.pid], [[], undefined])
  await start()
  void connection.channel.send({ n: 3 })
  connection.unref()
  assert.deepEqual(seen, [{ n: 1 }, { n: 2 }, 'end', { n: 3 }, 'unref'])
  assert.equal(connection.pid, 7)
  const incoming: unknown[] = []
  for await (const message of connection.channel.incoming) incoming.push(message)
  assert.deepEqual(incoming, [{ type: 'hello' }])
  exit(0)
  assert.equal((await connection.ended).code, 0)
})

test('killed before it has started: the start is given up, and who comes all the same is killed', async () => {
  const { connection, seen, start, isStopped } = stage()
  connection.kill('SIGTERM')
  assert.equal(isStopped(), true)
  await start()
  connection.kill('SIGKILL')
  assert.deepEqual(seen, ['SIGTERM', 'SIGKILL'])
})

test('a start that fails is how it ended: nothing comes in, nothing is thrown elsewhere', async () => {
  const { connection, fail } = stage()
  const error = new Error('no such program')
  fail(error)
  assert.deepEqual(await connection.ended, { code: null, signal: null, stderr: '', error })
  for await (const message of connection.channel.incoming) assert.fail(JSON.stringify(message))
})

test('what is no JSON fails where it is sent', () => {
  const { connection } = stage()
  assert.throws(() => connection.channel.send({ big: 1n }), TypeError)
})
