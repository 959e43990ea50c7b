import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testAssistantMessage, textBlock } from '../../engine/test-ports.js'
import type { SDKMessage } from '../../protocol/messages.js'
import type { TranscriptLine } from '../../protocol/transcript.js'
import { createCountingIdentity, createTestTranscript, nthTestId, transcriptChain } from '../test-conversation.js'
import { createRecordingEmitter } from './emitter.js'

function start(settings: Partial<Parameters<typeof createRecordingEmitter>[0]['settings']> = {}) {
  const identity = createCountingIdentity()
  const { transcript, lines } = createTestTranscript(identity)
  const sent: SDKMessage[] = []
  /** How many lines were on disk when each message went out. */
  const onDisk: number[] = []
  const emitter = createRecordingEmitter({
    settings: { replay: true, toolOutput: false, reportsState: true, showsState: false, ...settings },
    sessionId: 'session',
    transcript,
    identity,
    send(one) {
      sent.push(one)
      onDisk.push(lines.length)
    },
  })
  return { emitter, sent, onDisk, lines: lines as readonly TranscriptLine[] }
}

const answer = {
  type: 'assistant',
  message: testAssistantMessage([textBlock('Yes.')], 'end_turn'),
  requestId: null,
} as const
const says = (sent: readonly SDKMessage[]) =>
  sent.map((one) => (one.type === 'user' ? `user ${JSON.stringify(one.message.content)}` : one.type))

test('what the loop reports is on disk, under the same id, before the host hears of it', () => {
  const { emitter, sent, onDisk, lines } = start()
  void emitter.emit(answer)
  assert.deepEqual(onDisk, [1])
  assert.ok(lines[0]?.type === 'assistant')
  assert.deepEqual([sent[0]?.uuid, lines[0].uuid], [nthTestId(1), nthTestId(1)])
})

test('what is no message is only recorded, and what is not recorded is only sent', () => {
  const { emitter, sent, lines } = start()
  assert.equal(emitter.emit({ type: 'context', texts: ['a reminder'] }), undefined)
  assert.deepEqual([sent.length, lines.length], [0, 1])
  void emitter.emit({ type: 'fallback', from: 'a', to: 'b', reason: 'overloaded' })
  assert.deepEqual([sent.length, lines.length], [1, 1])
})

test('messages are given back once, in order, just before the first answer to them', () => {
  const { emitter, sent } = start()
  emitter.replay('One', nthTestId(70))
  emitter.replay([{ type: 'text', text: 'Two' }], nthTestId(71))
  void emitter.emit({ type: 'fallback', from: 'a', to: 'b', reason: 'overloaded' })
  void emitter.emit(answer)
  void emitter.emit(answer)
  emitter.flushReplays()
  assert.deepEqual(says(sent), [
    'system',
    'user "One"',
    'user [{"type":"text","text":"Two"}]',
    'assistant',
    'assistant',
  ])
  assert.deepEqual(sent[1], {
    type: 'user',
    message: { role: 'user', content: 'One' },
    session_id: 'session',
    parent_tool_use_id: null,
    uuid: nthTestId(70),
    isReplay: true,
  })
})

test('a host that wants nothing back gets nothing back', () => {
  const { emitter, sent } = start({ replay: false })
  emitter.replay('One', nthTestId(70))
  emitter.flushReplays()
  assert.deepEqual(sent, [])
})

test('what a command of the user gave is shown as its output or its error', async () => {
  const { emitter, sent } = start()
  await emitter.localOutput('3 files')
  await emitter.localError('no such command')
  assert.deepEqual(says(sent), [
    'user "<local-command-stdout>3 files</local-command-stdout>"',
    'user "<local-command-stderr>Error: no such command</local-command-stderr>"',
  ])
})

test('a summary: all lines are on disk first, then the boundary and the summary are told under their ids', async () => {
  for (const trigger of ['auto', 'manual'] as const) {
    const { emitter, sent, onDisk, lines } = start()
    const next = [{ type: 'text' as const, text: 'go on' }]
    const parent = await emitter.compacted({ trigger, preTokens: 7, summary: 'So far.', rest: [], next })
    assert.equal(parent, nthTestId(2))
    assert.deepEqual(onDisk, [3, 3])
    assert.deepEqual(transcriptChain(lines), [
      [null, '[compact_boundary]'],
      [nthTestId(1), 'user: So far.'],
      [nthTestId(2), 'user: go on'],
    ])
    const line = { type: 'user', session_id: 'session', parent_tool_use_id: null, uuid: nthTestId(2) }
    assert.deepEqual(sent, [
      {
        type: 'system',
        subtype: 'compact_boundary',
        session_id: 'session',
        uuid: nthTestId(1),
        compact_metadata: { trigger, pre_tokens: 7 },
      },
      trigger === 'auto'
        ? {
            ...line,
            message: { role: 'user', content: [{ type: 'text', text: 'So far.' }] },
            isSynthetic: true,
          }
        : { ...line, message: { role: 'user', content: 'So far.' }, isReplay: false },
    ])
  }
})
