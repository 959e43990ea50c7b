import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.js'
import { nodeFiles } from '../platform/files/files.js'
import { type MessagePageOptions, pageOfMessages, readMessagePage } from './message-pages.js'
import {
  createTestSessionsFolder,
  formatTestTranscript,
  TEST_SESSION_ID,
  testAssistantLine,
  testLineId,
  testTranscriptLine,
  testUserLine,
} from './test-sessions.js'

const LINES = [
  testUserLine(1, 'a'),
  testUserLine(2, 'reminder', { isMeta: true }),
  testTranscriptLine(3, 'system', { subtype: 'note' }),
  testAssistantLine(4, 'b'),
  testUserLine(5, 'c', { timestamp: 7 }),
  testTranscriptLine(6, 'attachment', {}),
  testAssistantLine(7, 'd'),
]
const numbers = (lines: readonly unknown[], options: Partial<MessagePageOptions> = {}) =>
  pageOfMessages(lines, { sessionId: TEST_SESSION_ID, ...options }).map(({ uuid }) => Number(uuid.slice(-12)))

test('what people and the model said, not what programs put there; system lines on request', () => {
  assert.deepEqual(numbers(LINES), [1, 4, 5, 7])
  assert.deepEqual(numbers(LINES, { includeSystemMessages: true }), [1, 3, 4, 5, 7])
})

test('what was said before it was summed up, on request, however often; nothing twice where the marks are damaged', () => {
  const boundary = (n: number, before: number) =>
    testTranscriptLine(n, 'system', {
      subtype: 'compact_boundary',
      parentUuid: null,
      logicalParentUuid: testLineId(before),
    })
  const lines = [
    ...[
      testUserLine(1, 'a'),
      testAssistantLine(2, 'b'),
      boundary(3, 2),
      testUserLine(4, 'sum', { isCompactSummary: true }),
      testAssistantLine(5, 'c'),
    ],
    ...[boundary(6, 5), testUserLine(7, 'sum of sums', { isCompactSummary: true }), testAssistantLine(8, 'd')],
  ]
  assert.deepEqual(numbers(lines), [7, 8])
  assert.deepEqual(numbers(lines, { includeCompacted: true }), [1, 2, 4, 5, 7, 8])
  const whole = { includeCompacted: true, includeSystemMessages: true }
  assert.deepEqual(numbers(lines, whole), [1, 2, 3, 4, 5, 6, 7, 8])
  const [, , mark] = pageOfMessages(lines, { sessionId: TEST_SESSION_ID, ...whole })
  assert.equal(mark?.subtype, 'compact_boundary')
  assert.deepEqual(numbers(lines.with(2, boundary(3, 8)), whole), [3, 4, 5, 6, 7, 8])
  assert.deepEqual(numbers(lines.with(2, boundary(3, 99)), whole), [3, 4, 5, 6, 7, 8])
})

test('a page is a part of the whole, whatever is asked for', () => {
  const bound = fc.option(fc.integer({ min: -3, max: 9 }), { nil: undefined })
  fc.assert(
    fc.property(bound, bound, (limit, offset) => {
      const all = numbers(LINES)
      const from = Math.max(0, offset ?? 0)
      const most = limit === undefined || limit <= 0 ? all.length : limit
      assert.deepEqual(numbers(LINES, { limit, offset }), all.slice(from, from + most))
    }),
  )
})

test('a message is given as its line has it; a time that is none is left out', () => {
  const [first, , third] = pageOfMessages(LINES, { sessionId: TEST_SESSION_ID })
  assert.deepEqual(first, {
    type: 'user',
    uuid: testLineId(1),
    session_id: TEST_SESSION_ID,
    message: { role: 'user', content: 'a' },
    parent_tool_use_id: null,
    parent_agent_id: null,
    timestamp: '2026-01-01T00:00:01.000Z',
  })
  assert.equal(third && 'timestamp' in third, false)
})

test('a file gives what its entries give, also from a line that two writers made one, and the first of a repeated id', async () => {
  using at = createTestSessionsFolder()
  const repeated = testUserLine(1, 'another a')
  at.write(
    `${formatTestTranscript(LINES.slice(0, 5))}${JSON.stringify(LINES[5])}${JSON.stringify(LINES[6])}\n${formatTestTranscript([repeated])}`,
  )
  const options = { sessionId: TEST_SESSION_ID, includeSystemMessages: true }
  assert.deepEqual(await readMessagePage(nodeFiles, at.path, options), pageOfMessages([...LINES, repeated], options))
  const page = { ...options, offset: 3, limit: 1 }
  assert.deepEqual(await readMessagePage(nodeFiles, at.path, page), pageOfMessages(LINES, page))
  assert.deepEqual(await readMessagePage(nodeFiles, `${at.path}.gone`, options), [])
})
