import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildChain } from '../chain.js'
import { indexTranscriptLines } from '../session-index.js'
import { assistant, callLine, result, SESSION, user } from '../test-sessions.js'
import { planTurnContinuation } from './left-turn.js'

const own = { journaled: true }
const whole = (n: number, stopReason: string) => ({ type: 'answer-end', messageId: `msg_${n}`, stopReason })
const start = (toolUseId: string) => ({ type: 'tool-start', toolUseId, toolName: 'Bash' })

function left(...lines: object[]) {
  const index = indexTranscriptLines(lines, { sessionId: SESSION, keep: 'all' })
  const { entries, beginning } = planTurnContinuation(index, buildChain(index)?.entries ?? [])
  const calls =
    beginning && 'calls' in beginning ? beginning.calls.map(({ use, lost }) => [use.id, lost !== undefined]) : []
  return [entries.length, beginning?.at, ...calls]
}

const CASES: Record<string, [object[], unknown[]]> = {
  'nothing was said': [[], [0, undefined]],
  'a prompt': [[user(1, 'Go.')], [1, 'request']],
  'half an answer is left out': [
    [user(1, 'Go.'), assistant(2, 'I', own)],
    [1, 'request'],
  ],
  'of another program nobody knows, so it counts': [
    [user(1, 'Go.'), assistant(2, 'I')],
    [2, 'answer'],
  ],
  'a whole answer': [
    [user(1, 'Go.'), assistant(2, 'I', own), whole(2, 'end_turn')],
    [2, 'answer'],
  ],
  'calls of which none has begun': [
    [user(1, 'Go.'), callLine(2, 'a', own), whole(2, 'tool_use')],
    [2, 'answer', ['a', false]],
  ],
  'a call that has': [
    [user(1, 'Go.'), callLine(2, 'a', own), whole(2, 'tool_use'), start('a')],
    [2, 'calls', ['a', true]],
  ],
  'a call of another program may have': [
    [user(1, 'Go.'), callLine(2, 'a')],
    [2, 'calls', ['a', true]],
  ],
  results: [
    [user(1, 'Go.'), callLine(2, 'a', own), whole(2, 'tool_use'), start('a'), result(3, 'a')],
    [3, 'request'],
  ],
  'a call that somebody gave up by saying something else': [
    [user(1, 'Go.'), callLine(2, 'a', own), whole(2, 'tool_use'), user(3, 'No.')],
    [3, 'request'],
  ],
  'what was put beside a call is no prompt': [
    [user(1, 'Go.'), callLine(2, 'a', own), whole(2, 'tool_use'), user(3, 'mind this', { isMeta: true })],
    [3, 'answer', ['a', false]],
  ],
  'an interrupted turn has had its end': [
    [user(1, 'Go.'), user(2, [{ type: 'text', text: '[Request interrupted by user]' }])],
    [2, undefined],
  ],
  'one that an error of the API ended is asked for again': [
    [user(1, 'Go.'), assistant(2, 'API Error', { isApiErrorMessage: true })],
    [2, 'request'],
  ],
}

for (const [name, [lines, expected]] of Object.entries(CASES)) {
  test(`where a turn was left: ${name}`, () => {
    assert.deepEqual(left(...lines), expected)
  })
}
