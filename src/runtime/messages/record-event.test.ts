import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EngineEvent } from '../../engine/events.js'
import { testAssistantMessage, textBlock } from '../../engine/test-ports.js'
import type { ContentBlock } from '../../protocol/content.js'
import { createCountingIdentity, createTestTranscript, nthTestId, transcriptChain } from '../test-conversation.js'
import { createEventRecorder } from './record-event.js'

function start(parent: string | null = null) {
  const identity = createCountingIdentity()
  const { transcript, lines } = createTestTranscript(identity, parent)
  const recorder = createEventRecorder(transcript, identity)
  return { transcript, lines, recorder, record: (event: EngineEvent) => recorder.record(event, identity.uuid()) }
}

const call = { id: 'toolu_1', name: 'Bash', input: {} }
const answer = (id: string, content: ContentBlock[], more: { error?: 'server_error' } = {}): EngineEvent => ({
  type: 'assistant',
  message: { ...testAssistantMessage(content, 'end_turn'), id },
  requestId: 'req_1',
  ...more,
})
const result: EngineEvent = {
  type: 'tool-result',
  call,
  block: { type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok', is_error: false },
  output: { stdout: 'ok' },
}

test('the blocks of one answer, its results and what follows make one chain', () => {
  const { lines, record } = start()
  record(answer('msg_1', [textBlock('One')]))
  record(answer('msg_1', [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} }]))
  record({ type: 'answered', message: testAssistantMessage([], 'tool_use') })
  record(result)
  record({ type: 'context', texts: ['mind this', 'and this'] })
  record(answer('msg_2', [textBlock('Two')]))
  assert.deepEqual(transcriptChain(lines), [
    [null, 'assistant: One'],
    [nthTestId(1), 'assistant: [tool_use]'],
    [nthTestId(2), 'user: [tool_result]'],
    // The events that were no line took ids as well.
    [nthTestId(4), 'user: mind this,and this'],
    [nthTestId(6), 'assistant: Two'],
  ])
})

test('an answer that broke off is left on a side branch: the next attaches where it began', () => {
  const { lines, record } = start('before')
  record(answer('msg_1', [textBlock('Half')]))
  record(answer('msg_1', [textBlock('of it')]))
  record(answer('msg_2', [textBlock('Whole')]))
  record({ type: 'answered', message: testAssistantMessage([], 'end_turn') })
  record(answer('msg_3', [textBlock('Next')]))
  assert.deepEqual(transcriptChain(lines), [
    ['before', 'assistant: Half'],
    [nthTestId(1), 'assistant: of it'],
    ['before', 'assistant: Whole'],
    [nthTestId(3), 'assistant: Next'],
  ])
})

test('a failure stands for an answer: what follows goes on from it', () => {
  const { lines, record } = start('before')
  record(answer('msg_1', [textBlock('Half')]))
  record(answer('msg_2', [textBlock('API Error')], { error: 'server_error' }))
  record(answer('msg_3', [textBlock('Next')]))
  assert.deepEqual(transcriptChain(lines), [
    ['before', 'assistant: Half'],
    ['before', 'assistant: API Error'],
    [nthTestId(2), 'assistant: Next'],
  ])
  const [half, failed] = lines
  assert.ok(half?.type === 'assistant' && failed?.type === 'assistant')
  assert.deepEqual([failed.error, failed.isApiErrorMessage], ['server_error', true])
  assert.deepEqual(['error' in half, 'isApiErrorMessage' in half], [false, false])
  // Readers know the field of messages that we made, and of no others.
  assert.deepEqual(['context_management' in failed.message, 'context_management' in half.message], [true, false])
})

test('a request without an id has none on disk', () => {
  const { lines, record } = start()
  record({ type: 'assistant', message: testAssistantMessage([], 'end_turn'), requestId: null })
  assert.equal(lines[0] && 'requestId' in lines[0], false)
})

test('a text of ours ends the answer before it; only an interruption is shown as a line of the user', () => {
  const { lines, record } = start()
  record(answer('msg_1', [textBlock('Half')]))
  record({ type: 'user-text', text: 'Interrupted', kind: 'interrupted' })
  record(answer('msg_2', [textBlock('Next')]))
  record({ type: 'user-text', text: 'Do more', kind: 'feedback' })
  record({ type: 'user-text', text: 'Go on', kind: 'hidden' })
  assert.deepEqual(transcriptChain(lines), [
    [null, 'assistant: Half'],
    [nthTestId(1), 'user: Interrupted'],
    [nthTestId(2), 'assistant: Next'],
    [nthTestId(3), 'user: Do more'],
    [nthTestId(4), 'user: Go on'],
  ])
  const meta = lines.flatMap((line) => (line.type === 'user' ? [line.isMeta] : []))
  assert.deepEqual(meta, [undefined, true, true])
})

test('questions stand beside the chain, with what is known of them', () => {
  const { lines, transcript, record } = start('before')
  record({ type: 'asked', question: { call, blockedPath: '/etc', decisionReason: 'outside' } })
  record({ type: 'asked', question: { call } })
  record({ type: 'settled', call, answer: 'parked' })
  const about = { sessionId: 'session', toolUseId: 'toolu_1', toolName: 'Bash' }
  const plain = lines.map((line) => ({ ...line, timestamp: undefined }))
  const open = { type: 'question-open', timestamp: undefined, ...about }
  assert.deepEqual(plain, [
    { ...open, blockedPath: '/etc', decisionReason: 'outside' },
    open,
    { type: 'question-settled', timestamp: undefined, ...about, answer: 'parked' },
  ])
  assert.equal(transcript.parent, 'before')
})

test('a summary begins a chain of its own, and says where what follows it attaches', () => {
  const { lines, record, recorder } = start()
  record(answer('msg_1', [textBlock('Old')]))
  const block = (words: string) => ({ type: 'text' as const, text: words })
  const rest = [block('reminder')]
  const next = [block('go on')]
  const lineBefore = recorder.recordSummary(
    { trigger: 'auto', preTokens: 900, summary: 'So far.', rest, next },
    nthTestId(50),
    nthTestId(51),
  )
  assert.deepEqual(transcriptChain(lines), [
    [null, 'assistant: Old'],
    [null, '[compact_boundary]'],
    [nthTestId(50), 'user: So far.'],
    [nthTestId(51), 'user: reminder'],
    [nthTestId(2), 'user: go on'],
  ])
  assert.equal(lineBefore, nthTestId(2))
  const boundary = lines[1]
  assert.ok(boundary?.type === 'system' && boundary.subtype === 'compact_boundary')
  assert.deepEqual(boundary.compactMetadata, { trigger: 'auto', preTokens: 900 })
  assert.equal(boundary.logicalParentUuid, nthTestId(1))
})

test('what came since the last whole answer is replaced on another branch, results first and each by itself', () => {
  const { lines, record, recorder } = start()
  record(answer('msg_1', [{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }]))
  record({ type: 'answered', message: testAssistantMessage([], 'tool_use') })
  record(result)
  recorder.replaceSinceAnswer([
    { type: 'text', text: 'beside' },
    { type: 'tool_result', tool_use_id: 'toolu_1', content: 'left out' },
    { type: 'tool_result', tool_use_id: 'toolu_2', content: 'left out' },
  ])
  assert.deepEqual(transcriptChain(lines), [
    [null, 'assistant: [tool_use]'],
    [nthTestId(1), 'user: [tool_result]'],
    [nthTestId(1), 'user: [tool_result]'],
    [nthTestId(4), 'user: [tool_result]'],
    [nthTestId(5), 'user: beside'],
  ])
})

test('a call that begins is a line beside the chain; answers with calls say that there are such lines', () => {
  const { lines, record } = start()
  record(answer('msg_1', [textBlock('One')]))
  record(answer('msg_1', [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} }]))
  record({ type: 'tool-begun', call })
  record(result)
  assert.deepEqual(
    lines.map((line) => [line.type, 'journaled' in line, 'toolUseId' in line ? line.toolUseId : undefined]),
    [
      ['assistant', true, undefined],
      ['assistant', true, undefined],
      ['tool-start', false, 'toolu_1'],
      ['user', false, undefined],
    ],
  )
})
