/** The tap itself: a good conversation passes, and each kind of wrong message is caught. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAcpSchema, type Wire } from './acp-schema.js'
import { createTap, type Tap } from './tap.js'

const call = (id: number, method: string, params: object) => ({ jsonrpc: '2.0', id, method, params })
const update = (fields: object, sessionId = 's') => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId, update: fields },
})
const answer = (id: number | null, result: object) => ({ jsonrpc: '2.0', id, result })
const text = { type: 'text', text: 'Hi.' }

function opened(flavor: 'stable' | 'unstable', clientCapabilities: object = {}): Tap {
  const tap = createTap(flavor)
  tap.line('client', JSON.stringify(call(0, 'initialize', { protocolVersion: 1, clientCapabilities })))
  tap.line('agent', JSON.stringify(answer(0, { protocolVersion: 1 })))
  tap.line('client', JSON.stringify(call(1, 'session/new', { cwd: '/home/ada', mcpServers: [] })))
  tap.line('agent', JSON.stringify(answer(1, { sessionId: 's' })))
  return tap
}

test('a good conversation has no violations', () => {
  const tap = opened('stable')
  const good = [
    update({ sessionUpdate: 'agent_message_chunk', content: text, messageId: 'm' }),
    update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'Run', _meta: { kedge: { any: 1 } } }),
    call(0, 'session/request_permission', {
      sessionId: 's',
      toolCall: { toolCallId: 't' },
      options: [{ optionId: 'a', name: 'Allow', kind: 'allow_once' }],
    }),
    update({ sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed' }),
    { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } },
    { jsonrpc: '2.0', method: '_kedge/hook', params: {} },
  ]
  for (const message of good) tap.line('agent', JSON.stringify(message))
  tap.line('client', JSON.stringify(answer(0, { outcome: { outcome: 'selected', optionId: 'a' } })))
  assert.deepEqual(tap.violations, [])
  assert.equal(tap.heard.length, 11)
})

const wrong: Record<string, [Wire, RegExp]> = {
  'a kind of update there is not': [update({ sessionUpdate: 'message_stream', content: text }), /SessionNotification/],
  'a field of the wrong type': [update({ sessionUpdate: 'agent_message_chunk', content: 'Hi.' }), /content/],
  'a status there is not': [
    update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'Run', status: 'running' }),
    /status/,
  ],
  'a method there is not': [call(0, 'session/ask', { sessionId: 's' }), /no Request of session\/ask/],
  'a result without what it must have': [answer(2, { reason: 'end_turn' }), /PromptResponse/],
  'an answer nobody waits for': [answer(7, {}), /nobody waits for/],
  'result and error at once': [{ jsonrpc: '2.0', id: 2, result: {}, error: {} }, /exactly one/],
  'an error without a code': [{ jsonrpc: '2.0', id: 2, error: { message: 'No.' } }, /Error/],
  'no jsonrpc': [{ id: 2, result: { stopReason: 'end_turn' } }, /jsonrpc/],
  'a batch': [[update({ sessionUpdate: 'agent_message_chunk', content: text })], /not an object/],
  'a session nobody has': [
    update({ sessionUpdate: 'agent_message_chunk', content: text }, 'other'),
    /does not know yet: other/,
  ],
  'a tool call that was not announced': [
    update({ sessionUpdate: 'tool_call_update', toolCallId: 'x' }),
    /announced: x/,
  ],
  'files of a client that has none': [call(0, 'fs/read_text_file', { sessionId: 's', path: '/a' }), /did not say/],
  'a terminal of a client that has none': [
    call(0, 'terminal/create', { sessionId: 's', command: 'ls' }),
    /did not say/,
  ],
  'a form for a client that has none': [
    call(0, 'elicitation/create', {
      sessionId: 's',
      mode: 'form',
      message: 'Which?',
      requestedSchema: { type: 'object', properties: {} },
    }),
    /elicitation form, which/,
  ],
  'a notice for a client that takes none': [
    update({ sessionUpdate: 'notice', severity: 'info', title: 'So.' }),
    /notice, which/,
  ],
  'a compaction for a client that takes none': [
    update({ sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed' }),
    /compaction_update, which/,
  ],
  'a boolean for a client that takes none': [
    update({
      sessionUpdate: 'config_option_update',
      configOptions: [{ id: 'fast', name: 'Fast', type: 'boolean', currentValue: true }],
    }),
    /boolean/,
  ],
}

for (const [name, [message, pattern]] of Object.entries(wrong)) {
  test(`it catches ${name}`, () => {
    const tap = opened('stable')
    tap.line('client', JSON.stringify(call(2, 'session/prompt', { sessionId: 's', prompt: [text] })))
    assert.deepEqual(tap.violations, [])
    tap.line('agent', JSON.stringify(message))
    assert.equal(tap.violations.length, 1, tap.violations.join('\n'))
    assert.match(tap.violations[0] ?? '', pattern)
  })
}

test('it catches what is not JSON, an answer given twice, and what the client says wrong', () => {
  const tap = opened('stable')
  tap.line('agent', 'Listening on stdin')
  tap.line('agent', JSON.stringify(answer(1, { sessionId: 's' })))
  tap.line('client', JSON.stringify(call(2, 'session/prompt', { sessionId: 's', prompt: 'Hi.' })))
  assert.deepEqual(
    tap.violations.map((violation) => /not JSON|nobody waits|PromptRequest/.exec(violation)?.[0]),
    ['not JSON', 'nobody waits', 'PromptRequest'],
  )
})

test('what is unstable is wrong by the stable schema, and right by the other where the client asked for it', () => {
  const child = update({ sessionUpdate: 'subagent_update', sessionId: 'child', title: 'Helper' })
  const [stable, unstable] = [opened('stable', { subagents: {} }), opened('unstable', { subagents: {} })]
  for (const tap of [stable, unstable]) tap.line('agent', JSON.stringify(child))
  assert.equal(stable.violations.length, 1)
  assert.deepEqual(unstable.violations, [])
})

test('fields the schema does not know are noted', () => {
  const tap = opened('stable')
  tap.line('client', JSON.stringify(call(2, 'session/prompt', { sessionId: 's', prompt: [text] })))
  tap.line(
    'agent',
    JSON.stringify(update({ sessionUpdate: 'agent_message_chunk', content: text, extra: 1, _meta: {} })),
  )
  tap.line('agent', JSON.stringify(answer(2, { stopReason: 'end_turn', usage: {} })))
  assert.deepEqual([...tap.strangers], ['agent_message_chunk.extra', 'PromptResponse.usage'])
  assert.deepEqual(tap.violations, [])
  assert.ok(readAcpSchema('unstable').has('agent', 'session/fork', 'Response'))
})
