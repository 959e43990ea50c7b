import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Platform } from '../platform/platform.js'
import {
  createCountingIdentity,
  createManualClock,
  nthTestId,
  settleConversation,
} from '../runtime/test-conversation.js'
import type { Channel, MalformedLine } from '../transport/channel.js'
import { createHostConnection, type HostConnectionOptions } from './host-connection.js'

type Sent = Record<string, unknown>

function start(more: Partial<HostConnectionOptions> = {}) {
  const sent: Sent[] = []
  const said: string[] = []
  const time = createManualClock()
  /** While it is set, the host takes nothing. */
  const host: { full: Promise<void> | undefined } = { full: undefined }
  const channel: Channel<object | MalformedLine, object> = {
    send(message) {
      sent.push(message as Sent)
      return host.full
    },
    end() {},
    incoming: (async function* () {})(),
  }
  const wire = createHostConnection({
    channel,
    // Of the platform only these are used.
    platform: { clock: time.clock, identity: createCountingIdentity() } as unknown as Platform,
    stderr: (text) => void said.push(text),
    answer: async (request) => ({ heard: request['subtype'] }),
    ...more,
  })
  return { wire, sent, said, time, host }
}

describe('the wire to the host', () => {
  it('takes messages, until nobody is to hear them', () => {
    const { wire, sent } = start()
    wire.send({ n: 1 })
    wire.mute()
    wire.send({ n: 2 })
    assert.deepEqual(sent, [{ n: 1 }])
  })

  it('asks and answers', async () => {
    const { wire, sent } = start()
    const answer = wire.peer.request({ subtype: 'can_use_tool' })
    assert.deepEqual(sent, [
      { type: 'control_request', request_id: nthTestId(1), request: { subtype: 'can_use_tool' } },
    ])
    const response = { subtype: 'success' as const, request_id: nthTestId(1), response: { ok: 1 } }
    await wire.peer.receive({ type: 'control_response', response })
    assert.deepEqual(await answer, { ok: 1 })
    await wire.peer.receive({ type: 'control_request', request_id: 'h1', request: { subtype: 'interrupt' } })
    assert.deepEqual(sent[1], {
      type: 'control_response',
      response: { subtype: 'success', request_id: 'h1', response: { heard: 'interrupt' } },
    })
  })

  it('tells people of requests that can not be answered', async () => {
    const { wire, said } = start()
    await wire.peer.receive({ type: 'control_request', request_id: '', request: {} })
    assert.deepEqual(said, ['Ignored: control_request without a request_id\n'])
  })

  it('fails what is still open when it is closed', async () => {
    const { wire } = start()
    const answer = wire.peer.request({ subtype: 'x' })
    wire.close()
    await assert.rejects(answer, { message: 'Stream closed' })
    await assert.rejects(wire.peer.request({ subtype: 'y' }), { message: 'Stream closed' })
  })
})

describe('a host that is behind', () => {
  it('is waited for when a thousand messages are on their way, and not before', async () => {
    const { wire, host } = start()
    let drain = () => {}
    host.full = new Promise<void>((resolve) => {
      drain = resolve
    })
    for (let i = 0; i < 1000; i += 1) wire.send({ i })
    assert.equal(wire.caughtUp(), undefined)
    wire.send({})
    const behind = wire.caughtUp()
    assert.ok(behind)
    host.full = undefined
    drain()
    await behind
    assert.equal(wire.caughtUp(), undefined)
  })

  it('that takes everything at once is never waited for', () => {
    const { wire } = start()
    for (let i = 0; i < 2000; i += 1) wire.send({ i })
    assert.equal(wire.caughtUp(), undefined)
  })
})

describe('signs of life', () => {
  const alive = (sent: Sent[]) => sent.filter(({ type }) => type === 'keep_alive').length

  it('are sent while nothing else is', () => {
    const { wire, sent, time } = start({ keepAliveMs: 100 })
    time.pass(500)
    assert.equal(alive(sent), 0, 'not before it is told to')
    wire.keepAlive()
    time.pass(99)
    assert.equal(alive(sent), 0)
    time.pass(1)
    assert.equal(alive(sent), 1)
    time.pass(300)
    assert.equal(alive(sent), 4)
  })

  it('are not needed while there are messages', () => {
    const { wire, sent, time } = start({ keepAliveMs: 100 })
    wire.keepAlive()
    for (let i = 0; i < 10; i += 1) {
      time.pass(50)
      wire.send({ i })
    }
    assert.equal(alive(sent), 0)
    time.pass(100)
    assert.ok(alive(sent) <= 1)
    time.pass(100)
    assert.ok(alive(sent) >= 1, 'the host does not wait for longer than twice the time')
  })

  it('end with the wire', () => {
    const { wire, sent, time } = start({ keepAliveMs: 100 })
    wire.keepAlive()
    wire.close()
    time.pass(1000)
    assert.deepEqual([alive(sent), time.waiting()], [0, 0])
  })

  it('are not sent where nobody wants them', async () => {
    const { wire, sent, time } = start()
    wire.keepAlive()
    time.pass(1_000_000)
    await settleConversation()
    assert.deepEqual([sent, time.waiting()], [[], 0])
  })
})
