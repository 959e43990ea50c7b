import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildTranscriptLineChain } from '../line-chain.js'
import { indexTranscriptLines } from '../session-index.js'
import {
  TEST_SESSION_ID,
  testAssistantLine,
  testLineId,
  testToolCallLine,
  testToolResultLine,
  testUserLine,
} from '../test-sessions.js'
import { whyTurnDropIsRefused } from './dropped-turn.js'

/** What is said about leaving out everything behind line `at`, the turn of prompt `turn` being meant. */
function problem(lines: readonly unknown[], at: number, turn: string): string | undefined {
  const index = indexTranscriptLines(lines, { sessionId: TEST_SESSION_ID, keep: 'all' })
  const kept = buildTranscriptLineChain(index, testLineId(at))
  assert.ok(kept)
  return whyTurnDropIsRefused(kept, buildTranscriptLineChain(index), turn)?.replace(
    /^.*attributable to turn [^:]*: /,
    '',
  )
}

const first = [testUserLine(1, 'One.'), testAssistantLine(2, 'First.')]
const turn = [
  ...first,
  testUserLine(3, 'Two.'),
  testToolCallLine(4, 'a'),
  testToolResultLine(5, 'a'),
  testAssistantLine(6, 'Second.'),
]

test('one turn with its tools and what only the model reads may go', () => {
  assert.equal(problem(turn, 2, testLineId(3)), undefined)
  assert.equal(
    problem([...turn, testUserLine(7, 'note', { isMeta: true }), testAssistantLine(8, 'Yes.')], 2, testLineId(3)),
    undefined,
  )
  assert.equal(
    problem([...first, testUserLine(3, 'note', { isMeta: true }), testUserLine(4, 'Two.')], 2, testLineId(4)),
    undefined,
  )
  assert.equal(problem(turn, 6, testLineId(3)), undefined)
})

test('another turn, or a part of one, may not', () => {
  const text = 'range does not start with the declared turn prompt; first discarded entry'
  assert.equal(problem(turn, 2, testLineId(1)), `${text} 1 [type=user, uuid=${testLineId(3)}]`)
  assert.equal(problem(turn, 3, testLineId(3)), `${text} 1 [type=assistant, uuid=${testLineId(4)}]`)
  assert.equal(problem(turn, 2, 'abc'), 'declared turn id is not a UUID: abc')
})

test('what somebody said meanwhile is not lost unseen', () => {
  const text = 'range contains a user entry not attributable to the declared turn; entry'
  assert.equal(
    problem([...turn, testUserLine(7, 'Three.'), testAssistantLine(8, 'x')], 2, testLineId(3)),
    `${text} 5 [type=user, uuid=${testLineId(7)}]`,
  )
  const folded = [
    ...first,
    testUserLine(3, 'Two.'),
    testToolCallLine(4, 'a'),
    testToolResultLine(5, 'a'),
    testUserLine(6, 'Wait.'),
    testAssistantLine(7, 'x'),
  ]
  assert.equal(problem(folded, 2, testLineId(3)), `${text} 4 [type=user, uuid=${testLineId(6)}]`)
})

test('on a branch that was left, all of the one that goes on counts', () => {
  const branches = [...turn, testUserLine(7, 'Again.', { parentUuid: testLineId(2) }), testAssistantLine(8, 'x')]
  assert.match(problem(branches, 6, testLineId(3)) ?? '', /first discarded entry 1 .*000000000007\]$/)
  assert.equal(problem(branches, 2, testLineId(7)), undefined)
})
