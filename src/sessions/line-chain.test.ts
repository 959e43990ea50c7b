import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.js'
import { buildTranscriptLineChain } from './line-chain.js'
import { indexTranscriptLines } from './session-index.js'
import {
  TEST_SESSION_ID,
  testAssistantLine,
  testLineId,
  testToolCallLine,
  testToolResultLine,
  testTranscriptLine,
  testUserLine,
} from './test-sessions.js'

const index = (lines: readonly unknown[]) => indexTranscriptLines(lines, { sessionId: TEST_SESSION_ID, keep: 'all' })
/** The numbers of the lines on the chain. */
const numbers = (lines: readonly unknown[], cutAt?: number) =>
  buildTranscriptLineChain(index(lines), cutAt === undefined ? undefined : testLineId(cutAt))?.entries.map(({ uuid }) =>
    Number(uuid.slice(-12)),
  )

test('any tangle of parents gives a chain that ends, holds each line once, and all of a whole file', () => {
  const parents = fc.array(fc.option(fc.nat(15), { nil: undefined }), { minLength: 1, maxLength: 15 })
  fc.assert(
    fc.property(parents, (given) => {
      const lines = given.map((parent, at) => {
        const parentUuid = parent === undefined ? undefined : parent === 0 ? null : testLineId(parent)
        return at % 2 === 0 ? testUserLine(at + 1, 'u', { parentUuid }) : testAssistantLine(at + 1, 'a', { parentUuid })
      })
      const chain = buildTranscriptLineChain(index(lines))
      assert.ok(chain && chain.entries.length > 0)
      assert.equal(new Set(chain.entries).size, chain.entries.length)
      const whole = buildTranscriptLineChain(
        index(lines.map((one, at) => ({ ...one, parentUuid: at === 0 ? null : testLineId(at) }))),
      )
      assert.deepEqual([whole?.entries.length, whole?.repairs], [lines.length, []])
    }),
  )
})

test('an empty session has an empty chain; a line that is not there has none', () => {
  assert.deepEqual(buildTranscriptLineChain(index([])), { entries: [], repairs: [] })
  assert.equal(buildTranscriptLineChain(index([testUserLine(1, 'x')]), testLineId(9)), undefined)
})

test('lines that are no messages may be on the way but are never the end', () => {
  assert.deepEqual(
    numbers([
      testUserLine(1, 'x'),
      testTranscriptLine(2, 'system', {}),
      testAssistantLine(3, 'y'),
      testTranscriptLine(4, 'system', {}),
    ]),
    [1, 2, 3],
  )
})

test('a cut at a line in the middle leaves out what follows, and siblings behind it', () => {
  const lines = [
    testUserLine(1, 'Go.'),
    testToolCallLine(2, 'a', {
      message: { id: 'm', role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'B', input: {} }] },
    }),
    testToolCallLine(3, 'b', {
      message: { id: 'm', role: 'assistant', content: [{ type: 'tool_use', id: 'b', name: 'B', input: {} }] },
    }),
    testToolResultLine(4, 'a', { parentUuid: testLineId(2) }),
    testToolResultLine(5, 'b', { parentUuid: testLineId(3) }),
    testAssistantLine(6, 'Done.'),
  ]
  // Before the result on the chain: the call and the result that are not on the way back.
  assert.deepEqual(numbers(lines), [1, 2, 3, 4, 5, 6])
  assert.deepEqual(numbers(lines, 4), [1, 2, 3, 4])
  assert.deepEqual(numbers(lines, 2), [1, 2])
})

test('a result of a call that the chain has one of is left where it was', () => {
  const lines = [
    testUserLine(1, 'Go.'),
    testToolCallLine(2, 'a'),
    testToolResultLine(3, 'a', { parentUuid: testLineId(2) }),
    testToolResultLine(4, 'a', { parentUuid: testLineId(2) }),
    testAssistantLine(5, 'Done.'),
  ]
  assert.deepEqual(numbers(lines), [1, 2, 4, 5])
})

test('several lost predecessors are counted in one note', () => {
  const lines = [
    testUserLine(1, 'x'),
    testAssistantLine(2, 'y', { parentUuid: testLineId(70) }),
    testUserLine(3, 'z', { parentUuid: testLineId(71) }),
  ]
  assert.deepEqual(numbers(lines), [1, 2, 3])
  assert.match(
    buildTranscriptLineChain(index(lines))?.repairs.join() ?? '',
    /^2 line\(s\) of the session follow one that is lost/,
  )
})

test('a summary whose predecessor is lost stands for all that was before it', () => {
  assert.deepEqual(
    numbers([
      testUserLine(1, 'old'),
      testUserLine(2, 'sum', { parentUuid: testLineId(50), isCompactSummary: true }),
      testAssistantLine(3, 'on'),
    ]),
    [2, 3],
  )
})
