import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TranscriptLine } from '../protocol/transcript.js'
import { unwrapKedgeLine, wrapKedgeLine } from './kedge-lines.js'

const title: TranscriptLine = { type: 'custom-title', customTitle: 'x', sessionId: 's' }
const question: TranscriptLine = {
  type: 'question-open',
  sessionId: 's',
  timestamp: '2026-01-01T00:00:00.000Z',
  toolUseId: 'toolu_1',
  toolName: 'Bash',
}

test('a line of our own travels in one that readers pass over, and comes out as it was', () => {
  const carried = wrapKedgeLine(question, 'session')
  assert.deepEqual(carried, {
    type: 'queue-operation',
    operation: 'dequeue',
    kedge: question,
    timestamp: question.timestamp,
    sessionId: 'session',
  })
  assert.deepEqual(unwrapKedgeLine(JSON.parse(JSON.stringify(carried))), question)
})

test('other lines, and those of earlier files, are left as they are', () => {
  assert.equal(wrapKedgeLine(title, 's'), title)
  for (const line of [title, question, null, 7, { type: 'queue-operation', kedge: 7 }, { type: 'user', kedge: {} }])
    assert.equal(unwrapKedgeLine(line), line)
})
