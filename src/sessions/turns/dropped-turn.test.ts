import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildChain } from '../chain.js'
import { indexTranscriptLines } from '../session-index.js'
import { assistant, callLine, lineId, result, SESSION, user } from '../test-sessions.js'
import { describeLinesBeyondTurn } from './dropped-turn.js'

/** What is said about leaving out everything behind line `at`, the turn of prompt `turn` being meant. */
function problem(lines: readonly unknown[], at: number, turn: string): string | undefined {
  const index = indexTranscriptLines(lines, { sessionId: SESSION, keep: 'all' })
  const kept = buildChain(index, lineId(at))
  assert.ok(kept)
  return describeLinesBeyondTurn(kept, buildChain(index), turn)?.replace(/^.*attributable to turn [^:]*: /, '')
}

const first = [user(1, 'One.'), assistant(2, 'First.')]
const turn = [...first, user(3, 'Two.'), callLine(4, 'a'), result(5, 'a'), assistant(6, 'Second.')]

test('one turn with its tools and what only the model reads may go', () => {
  assert.equal(problem(turn, 2, lineId(3)), undefined)
  assert.equal(problem([...turn, user(7, 'note', { isMeta: true }), assistant(8, 'Yes.')], 2, lineId(3)), undefined)
  assert.equal(problem([...first, user(3, 'note', { isMeta: true }), user(4, 'Two.')], 2, lineId(4)), undefined)
  assert.equal(problem(turn, 6, lineId(3)), undefined)
})

test('another turn, or a part of one, may not', () => {
  const text = 'range does not start with the declared turn prompt; first discarded entry'
  assert.equal(problem(turn, 2, lineId(1)), `${text} 1 [type=user, uuid=${lineId(3)}]`)
  assert.equal(problem(turn, 3, lineId(3)), `${text} 1 [type=assistant, uuid=${lineId(4)}]`)
  assert.equal(problem(turn, 2, 'abc'), 'declared turn id is not a UUID: abc')
})

test('what somebody said meanwhile is not lost unseen', () => {
  const text = 'range contains a user entry not attributable to the declared turn; entry'
  assert.equal(
    problem([...turn, user(7, 'Three.'), assistant(8, 'x')], 2, lineId(3)),
    `${text} 5 [type=user, uuid=${lineId(7)}]`,
  )
  const folded = [...first, user(3, 'Two.'), callLine(4, 'a'), result(5, 'a'), user(6, 'Wait.'), assistant(7, 'x')]
  assert.equal(problem(folded, 2, lineId(3)), `${text} 4 [type=user, uuid=${lineId(6)}]`)
})

test('on a branch that was left, all of the one that goes on counts', () => {
  const branches = [...turn, user(7, 'Again.', { parentUuid: lineId(2) }), assistant(8, 'x')]
  assert.match(problem(branches, 6, lineId(3)) ?? '', /first discarded entry 1 .*000000000007\]$/)
  assert.equal(problem(branches, 2, lineId(7)), undefined)
})
