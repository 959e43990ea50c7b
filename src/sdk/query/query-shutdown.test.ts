import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { createManualClock, settleConversation } from '../../runtime/test-conversation.js'
import { createChannelPair, MalformedLine } from '../../transport/channel.js'
import type { AgentConnection, AgentExit } from '../agent-connection.js'
import { createInputEndTracker } from './agent-input.js'
import { createAgentOutput } from './agent-output.js'
import { createHostSide } from './host-side.js'
import { createQueryShutdown } from './query-shutdown.js'

let time = createManualClock()
beforeEach(() => {
  time = createManualClock()
  const stops = new Map<object, () => void>()
  const start = (callback: () => void, ms: number) => {
    const timer = {}
    stops.set(timer, time.clock.after(ms, callback))
    return timer
  }
  mock.method(globalThis, 'setTimeout', start as never)
  mock.method(globalThis, 'clearTimeout', ((timer: object) => stops.get(timer)?.()) as never)
})
afterEach(() => mock.restoreAll())

/** A query over an agent that the test plays. */
function start(
  more: Partial<AgentConnection> = {},
  { mistake, awaits = false }: { mistake?: Error; awaits?: boolean } = {},
) {
  const [host, agent] = createChannelPair<object | MalformedLine, object>()
  const killed: string[] = []
  let exit: (exit: Partial<AgentExit>) => void = () => {}
  const ended = new Promise<AgentExit>((resolve) => {
    exit = (given) => {
      agent.end()
      resolve({ code: 0, signal: null, stderr: '', ...given })
    }
  })
  const connection: AgentConnection = {
    channel: host,
    ended,
    pid: undefined,
    kind: 'process',
    own: true,
    unref() {},
    kill: (signal) => void killed.push(signal),
    ...more,
  }
  const side = createHostSide({ options: {}, channel: host, sessionId: () => undefined, onMistake() {} })
  const input = createInputEndTracker({
    reportsState: false,
    hasCallbacks: () => false,
    openRequests: () => 0,
    end() {},
    letGo() {},
  })
  const output = createAgentOutput({ peer: side.peer, input, trace: undefined, hides: undefined })
  const abort = new AbortController()
  const end = createQueryShutdown({
    connection,
    host: side,
    output,
    trace: undefined,
    abort: abort.signal,
    mistake: () => mistake,
    input: { ...input, awaitsResult: awaits },
  })
  const closed = end.untilClosed()
  /** What the caller gets, until the end or the error. */
  const read = async () => {
    const types: unknown[] = []
    try {
      for (;;) {
        const { value, done } = await output.next()
        if (done) return types
        types.push(value.type)
      }
    } catch (error) {
      return [...types, error instanceof Error && 'code' in error ? error.code : error]
    }
  }
  const sent = async () => {
    const messages: Record<string, unknown>[] = []
    for await (const message of agent.incoming) messages.push(message as Record<string, unknown>)
    return messages
  }
  return { agent, end, closed, read, sent, killed, exit, abort, side }
}

describe('a query that ends by itself', () => {
  it('ends without an error when its agent does', async () => {
    const { agent, read, exit, closed, killed } = start()
    agent.send({ type: 'result' })
    agent.end()
    exit({})
    assert.deepEqual(await read(), ['result'])
    await closed
    assert.deepEqual([killed, time.waiting()], [[], 0])
  })

  const ends: [string, Partial<AgentExit>, object, { awaits?: boolean }, unknown][] = [
    ['with the code of its agent', { code: 3, stderr: 'oh' }, {}, {}, 'process_exited'],
    ['with what kept the agent from starting', { code: 1, error: new TypeError('no') }, {}, {}, new TypeError('no')],
    ['without an error behind a transport', { code: 'unknown' }, {}, {}, undefined],
    ['with one when an answer is still awaited', { code: 'unknown' }, {}, { awaits: true }, 'transport_closed'],
    ['as the last turn did', { code: 'unknown' }, { is_error: true, error_code: 'c' }, {}, 'process_exited'],
  ]
  for (const [name, given, result, more, expected] of ends) {
    it(`ends ${name}`, async () => {
      const { agent, read, exit } = start({}, more)
      agent.send({ type: 'result', ...result })
      agent.end()
      exit(given)
      const [, error] = await read()
      assert.deepEqual(error, expected)
    })
  }

  it('ends with the mistake of its caller where nothing else is wrong', async () => {
    const mistake = new Error('your fault')
    const { agent, read, exit } = start({}, { mistake })
    agent.end()
    exit({})
    assert.deepEqual(await read(), [mistake])
  })
})

describe('a query that is closed', () => {
  it('ends at once, asks its agent to stop, and fails what is open', async () => {
    const { end, read, sent, side, exit, closed } = start()
    const open = side.peer.request({ subtype: 'x' })
    assert.equal(end.isClosing, false)
    end.shutDown()
    assert.equal(end.isClosing, true)
    assert.deepEqual(await read(), [])
    await assert.rejects(open, { code: 'query_closed' })
    exit({ code: 143 })
    await closed
    const requests = (await sent()).map(({ request }) => (request as { subtype: string }).subtype)
    assert.deepEqual(requests, ['x', 'interrupt'])
  })

  it('ends an agent that stays by force, in two steps, and stops when it is gone', async () => {
    const { end, killed, exit, closed } = start()
    end.shutDown()
    end.shutDown()
    time.pass(1999)
    assert.deepEqual(killed, [])
    time.pass(1)
    assert.deepEqual(killed, ['SIGTERM'])
    time.pass(4999)
    assert.equal(killed.length, 1)
    time.pass(1)
    assert.deepEqual(killed, ['SIGTERM', 'SIGKILL'])
    exit({})
    await closed
    const quick = start()
    quick.end.shutDown()
    quick.exit({})
    await quick.closed
    await settleConversation()
    time.pass(10_000)
    assert.deepEqual(quick.killed, [])
  })

  it('ends an agent in this process at once', () => {
    const { end, killed } = start({ kind: 'in-process' })
    end.shutDown()
    assert.deepEqual(killed, ['SIGTERM'])
  })

  it('does not write to an agent that is not ours', async () => {
    const { end, sent } = start({ own: false })
    end.shutDown()
    assert.deepEqual(await sent(), [])
  })

  it('by its signal says so', async () => {
    const { abort, read } = start()
    abort.abort()
    assert.deepEqual(await read(), ['aborted'])
  })
})

describe('an agent that can not be understood', () => {
  it('is ended', async () => {
    const { agent, read, killed, exit, closed } = start()
    agent.send(new MalformedLine(1, 'no JSON', 'oops'))
    assert.deepEqual(await read(), ['invalid_output'])
    assert.deepEqual(killed, ['SIGTERM'])
    exit({})
    await closed
  })
})
