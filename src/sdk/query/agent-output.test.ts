import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChannelPair, MalformedLine } from '../../transport/channel.js'
import { createPeer } from '../../transport/peer.js'
import { createInputEndTracker } from './agent-input.js'
import { createAgentOutput } from './agent-output.js'

function stage() {
  const sent: object[] = []
  const peer = createPeer({
    send: (message) => void sent.push(message),
    newId: () => 'id',
    handle: async () => ({ handled: true }),
    report() {},
  })
  const input = createInputEndTracker({
    reportsState: false,
    hasCallbacks: () => false,
    openRequests: () => 0,
    end() {},
    letGo() {},
  })
  const [channel, agent] = createChannelPair<object, object>()
  const output = createAgentOutput({ peer, input, trace: undefined, hides: undefined })
  return { agent, output, input, peer, sent, reading: output.read(channel, () => false) }
}

test('the caller sees what is meant for it: neither control messages nor reports between programs', async () => {
  const { agent, output, reading, sent } = stage()
  const messages = [
    { type: 'keep_alive' },
    { type: 'system', subtype: 'init', session_id: 's1' },
    { type: 'control_request', request_id: 'r', request: { subtype: 'x' } },
    { type: 'system', subtype: 'session_state_changed', state: 'idle', user_messages: 1, sdk_host_only: true },
    { type: 'system', subtype: 'session_state_changed', state: 'idle', user_messages: 1, session_id: 's1' },
    { type: 'streamlined_text', text: 'x' },
    { type: 'of_a_newer_agent' },
    { type: 'result', is_error: true, error_code: 'c', error_fix: 'f' },
  ]
  for (const message of messages) await agent.send(message)
  agent.end()
  await reading
  output.end()
  const seen: unknown[] = []
  for (let item = await output.next(); !item.done; item = await output.next()) seen.push(item.value)
  assert.deepEqual(seen, [messages[1], messages[4], messages[6], messages[7]])
  assert.equal(output.sessionId, 's1')
  assert.equal(output.isOurs, true)
  assert.equal(output.last.isError, true)
  assert.equal(output.last.failure.error_code, 'c')
  assert.match(JSON.stringify(sent), /"handled":true/)
})

test('commands that changed are kept for whoever asks, and the caller sees the message too', async () => {
  const { agent, output, reading } = stage()
  const commands = [{ name: 'git:review (MCP)', description: '', argumentHint: '' }]
  await agent.send({ type: 'system', subtype: 'commands_changed', commands })
  agent.end()
  await reading
  output.end()
  assert.deepEqual((await output.next()).value, { type: 'system', subtype: 'commands_changed', commands })
  assert.deepEqual(output.commands, commands)
})

test('a report without a count is of another agent', async () => {
  const { agent, output, reading } = stage()
  await agent.send({ type: 'system', subtype: 'session_state_changed', state: 'idle' })
  agent.end()
  await reading
  assert.equal(output.isOurs, false)
})

test('what is no JSON ends it, with the code that says whether it was too long', async () => {
  for (const [tooLong, code] of [
    [true, 'line_too_long'],
    [false, 'invalid_output'],
  ] as const) {
    const { agent, reading } = stage()
    await agent.send(new MalformedLine(1, 'x', 'Usage: …', { tooLong }))
    await assert.rejects(reading, { code, message: /Output: Usage: …$/ })
  }
})

test('a caller that does not read stops the reading, until it reads or waits for an answer', async () => {
  const { agent, output, peer, reading } = stage()
  const count = 30_000
  let given = 0
  const giving = (async () => {
    for (; given < count; given++) await agent.send({ type: 'assistant' })
  })()
  const settled = async () => {
    let before = -1
    while (before !== given) {
      before = given
      for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await settled()
  assert.ok(given < 15_000, `${given} were taken though nobody reads`)
  const answer = peer.request({ subtype: 'x' })
  output.wake()
  await giving
  await agent.send({ type: 'control_response', response: { subtype: 'success', request_id: 'id' } })
  await answer
  agent.end()
  for (let n = 0; n < count; n++) await output.next()
  await reading
})
