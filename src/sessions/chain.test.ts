import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.js'
import { buildChain } from './chain.js'
import { indexTranscriptLines } from './session-index.js'
import { assistant, callLine, line, lineId, result, SESSION, user } from './test-sessions.js'

const index = (lines: readonly unknown[]) => indexTranscriptLines(lines, { sessionId: SESSION, keep: 'all' })
/** The numbers of the lines on the chain. */
const numbers = (lines: readonly unknown[], cutAt?: number) =>
  buildChain(index(lines), cutAt === undefined ? undefined : lineId(cutAt))?.entries.map(({ uuid }) =>
    Number(uuid.slice(-12)),
  )

test('any tangle of parents gives a chain that ends, holds each line once, and all of a whole file', () => {
  const parents = fc.array(fc.option(fc.nat(15), { nil: undefined }), { minLength: 1, maxLength: 15 })
  fc.assert(
    fc.property(parents, (given) => {
      const lines = given.map((parent, at) => {
        const parentUuid = parent === undefined ? undefined : parent === 0 ? null : lineId(parent)
        return at % 2 === 0 ? user(at + 1, 'u', { parentUuid }) : assistant(at + 1, 'a', { parentUuid })
      })
      const chain = buildChain(index(lines))
      assert.ok(chain && chain.entries.length > 0)
      assert.equal(new Set(chain.entries).size, chain.entries.length)
      const whole = buildChain(index(lines.map((one, at) => ({ ...one, parentUuid: at === 0 ? null : lineId(at) }))))
      assert.deepEqual([whole?.entries.length, whole?.repairs], [lines.length, []])
    }),
  )
})

test('an empty session has an empty chain; a line that is not there has none', () => {
  assert.deepEqual(buildChain(index([])), { entries: [], repairs: [] })
  assert.equal(buildChain(index([user(1, 'x')]), lineId(9)), undefined)
})

test('lines that are no messages may be on the way but are never the end', () => {
  assert.deepEqual(numbers([user(1, 'x'), line(2, 'system', {}), assistant(3, 'y'), line(4, 'system', {})]), [1, 2, 3])
})

test('a cut at a line in the middle leaves out what follows, and siblings behind it', () => {
  const lines = [
    user(1, 'Go.'),
    callLine(2, 'a', {
      message: { id: 'm', role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'B', input: {} }] },
    }),
    callLine(3, 'b', {
      message: { id: 'm', role: 'assistant', content: [{ type: 'tool_use', id: 'b', name: 'B', input: {} }] },
    }),
    result(4, 'a', { parentUuid: lineId(2) }),
    result(5, 'b', { parentUuid: lineId(3) }),
    assistant(6, 'Done.'),
  ]
  // Before the result on the chain: the call and the result that are not on the way back.
  assert.deepEqual(numbers(lines), [1, 2, 3, 4, 5, 6])
  assert.deepEqual(numbers(lines, 4), [1, 2, 3, 4])
  assert.deepEqual(numbers(lines, 2), [1, 2])
})

test('a result of a call that the chain has one of is left where it was', () => {
  const lines = [
    user(1, 'Go.'),
    callLine(2, 'a'),
    result(3, 'a', { parentUuid: lineId(2) }),
    result(4, 'a', { parentUuid: lineId(2) }),
    assistant(5, 'Done.'),
  ]
  assert.deepEqual(numbers(lines), [1, 2, 4, 5])
})

test('several lost predecessors are counted in one note', () => {
  const lines = [user(1, 'x'), assistant(2, 'y', { parentUuid: lineId(70) }), user(3, 'z', { parentUuid: lineId(71) })]
  assert.deepEqual(numbers(lines), [1, 2, 3])
  assert.match(buildChain(index(lines))?.repairs.join() ?? '', /^2 line\(s\) of the session follow one that is lost/)
})

test('a summary whose predecessor is lost stands for all that was before it', () => {
  assert.deepEqual(
    numbers([user(1, 'old'), user(2, 'sum', { parentUuid: lineId(50), isCompactSummary: true }), assistant(3, 'on')]),
    [2, 3],
  )
})
