import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EngineEvent } from '../../engine/events.js'
import { syntheticMessage } from '../../engine/synthetic-message.js'
import { nthTestId } from '../test-conversation.js'
import { toSdkMessage } from './to-message.js'

const call = { id: 'toolu_1', name: 'Bash', input: { command: 'ls' } }
const tail = { session_id: 'session', uuid: nthTestId(1) }
const make = (event: EngineEvent, includeToolOutput = false) =>
  toSdkMessage(event, { sessionId: 'session', uuid: nthTestId(1), includeToolOutput })

test('an answer is told as it came, and names its failure only where it has one', () => {
  const message = syntheticMessage('msg_1', 'Hello.')
  const plain = { type: 'assistant', message, parent_tool_use_id: null, ...tail }
  assert.deepEqual(make({ type: 'assistant', message, requestId: 'req_1' }), plain)
  assert.deepEqual(make({ type: 'assistant', message, requestId: null, error: 'rate_limit' }), {
    ...plain,
    error: 'rate_limit',
  })
})

test('a part of a stream is passed on as it is', () => {
  const event = { type: 'message_stop' } as const
  assert.deepEqual(make({ type: 'stream', event }), { type: 'stream_event', event, parent_tool_use_id: null, ...tail })
})

test('the result of a tool is a message of the user with what the tool gave beside it', () => {
  const block = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.ts', is_error: false } as const
  const expected = { type: 'user', message: { role: 'user', content: [block] }, parent_tool_use_id: null, ...tail }
  assert.deepEqual(make({ type: 'tool-result', call, block, output: { stdout: 'a.ts' } }), {
    ...expected,
    tool_use_result: { stdout: 'a.ts' },
  })
})

test('of our own texts hosts see those that concern them, and are told which are made up', () => {
  const said = (text: string) => ({
    type: 'user',
    message: { role: 'user', content: [{ type: 'text', text }] },
    parent_tool_use_id: null,
    ...tail,
  })
  assert.deepEqual(make({ type: 'user-text', text: 'Stopped.', kind: 'interrupted' }), said('Stopped.'))
  assert.deepEqual(make({ type: 'user-text', text: 'Do more.', kind: 'feedback' }), {
    ...said('Do more.'),
    isSynthetic: true,
  })
  assert.equal(make({ type: 'user-text', text: 'Go on.', kind: 'hidden' }), undefined)
})

test('progress counts seconds; when a call begins and what it prints is for those who want it', () => {
  const expected = {
    type: 'tool_progress',
    tool_use_id: 'toolu_1',
    tool_name: 'Bash',
    parent_tool_use_id: null,
    elapsed_time_seconds: 6,
    ...tail,
  }
  assert.deepEqual(make({ type: 'tool-progress', call, ticks: 3 }), expected)
  assert.deepEqual(make({ type: 'tool-progress', call, ticks: 3 }, true), expected)
  const printed: EngineEvent = { type: 'tool-output', call, ticks: 3, output: 'line\n' }
  assert.equal(make(printed), undefined)
  assert.deepEqual(make(printed, true), { ...expected, output: 'line\n' })
  assert.equal(make({ type: 'tool-begun', call }), undefined)
  assert.deepEqual(make({ type: 'tool-begun', call }, true), { ...expected, elapsed_time_seconds: 0, output: '' })
})

test('trouble with the API is told by itself: another try, another model', () => {
  assert.deepEqual(
    make({ type: 'retry', attempt: 2, maxRetries: 10, delayMs: 500, status: null, error: 'server_error' }),
    {
      type: 'system',
      subtype: 'api_retry',
      attempt: 2,
      max_retries: 10,
      retry_delay_ms: 500,
      error_status: null,
      error: 'server_error',
      ...tail,
    },
  )
  assert.deepEqual(make({ type: 'fallback', from: 'big', to: 'small', reason: 'overloaded' }), {
    type: 'system',
    subtype: 'model_fallback',
    trigger: 'overloaded',
    original_model: 'big',
    fallback_model: 'small',
    content: 'big is overloaded; going on with small.',
    ...tail,
  })
})

test('a denial is told unless it is what the host itself just answered', () => {
  const denied = { type: 'denied', call, message: 'No.' } as const
  const told = {
    type: 'system',
    subtype: 'permission_denied',
    tool_name: 'Bash',
    tool_use_id: 'toolu_1',
    content: 'No.',
  }
  assert.equal(make({ ...denied, automatic: false }), undefined)
  assert.equal(make({ ...denied, automatic: false, reason: 'only a reason' }), undefined)
  assert.deepEqual(make({ ...denied, automatic: true }), { ...told, ...tail })
  assert.deepEqual(make({ ...denied, automatic: false, reasonType: 'hook', reason: 'policy' }), {
    ...told,
    decision_reason_type: 'hook',
    decision_reason: 'policy',
    ...tail,
  })
})

test('what is between us and the transcript is no message', () => {
  const message = syntheticMessage('msg_1', '')
  const silent: EngineEvent[] = [
    { type: 'answered', message },
    { type: 'context', texts: ['a reminder'] },
    { type: 'used', usage: message.usage },
    { type: 'asked', question: { call } },
    { type: 'settled', call, answer: 'allowed' },
  ]
  for (const event of silent) assert.equal(make(event), undefined, event.type)
})
