import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildTranscriptLineChain } from '../line-chain.js'
import { indexTranscriptLines } from '../session-index.js'
import {
  TEST_SESSION_ID,
  testAssistantLine,
  testToolCallLine,
  testToolResultLine,
  testUserLine,
} from '../test-sessions.js'
import { findUnfinishedTurn } from './unfinished-turn.js'

const own = { journaled: true }
const whole = (n: number, stopReason: string) => ({ type: 'answer-end', messageId: `msg_${n}`, stopReason })
const start = (toolUseId: string) => ({ type: 'tool-start', toolUseId, toolName: 'Bash' })

function left(...lines: object[]) {
  const index = indexTranscriptLines(lines, { sessionId: TEST_SESSION_ID, keep: 'all' })
  const { entries, beginning } = findUnfinishedTurn(index, buildTranscriptLineChain(index)?.entries ?? [])
  const calls =
    beginning && 'calls' in beginning ? beginning.calls.map(({ use, lost }) => [use.id, lost !== undefined]) : []
  return [entries.length, beginning?.at, ...calls]
}

const CASES: Record<string, [object[], unknown[]]> = {
  'nothing was said': [[], [0, undefined]],
  'a prompt': [[testUserLine(1, 'Go.')], [1, 'request']],
  'half an answer is left out': [
    [testUserLine(1, 'Go.'), testAssistantLine(2, 'I', own)],
    [1, 'request'],
  ],
  'of another program nobody knows, so it counts': [
    [testUserLine(1, 'Go.'), testAssistantLine(2, 'I')],
    [2, 'answer'],
  ],
  'a whole answer': [
    [testUserLine(1, 'Go.'), testAssistantLine(2, 'I', own), whole(2, 'end_turn')],
    [2, 'answer'],
  ],
  'calls of which none has begun': [
    [testUserLine(1, 'Go.'), testToolCallLine(2, 'a', own), whole(2, 'tool_use')],
    [2, 'answer', ['a', false]],
  ],
  'a call that has': [
    [testUserLine(1, 'Go.'), testToolCallLine(2, 'a', own), whole(2, 'tool_use'), start('a')],
    [2, 'calls', ['a', true]],
  ],
  'a call of another program may have': [
    [testUserLine(1, 'Go.'), testToolCallLine(2, 'a')],
    [2, 'calls', ['a', true]],
  ],
  results: [
    [
      testUserLine(1, 'Go.'),
      testToolCallLine(2, 'a', own),
      whole(2, 'tool_use'),
      start('a'),
      testToolResultLine(3, 'a'),
    ],
    [3, 'request'],
  ],
  'a call that somebody gave up by saying something else': [
    [testUserLine(1, 'Go.'), testToolCallLine(2, 'a', own), whole(2, 'tool_use'), testUserLine(3, 'No.')],
    [3, 'request'],
  ],
  'what was put beside a call is no prompt': [
    [
      testUserLine(1, 'Go.'),
      testToolCallLine(2, 'a', own),
      whole(2, 'tool_use'),
      testUserLine(3, 'mind this', { isMeta: true }),
    ],
    [3, 'answer', ['a', false]],
  ],
  'an interrupted turn has had its end': [
    [testUserLine(1, 'Go.'), testUserLine(2, [{ type: 'text', text: '[Request interrupted by user]' }])],
    [2, undefined],
  ],
  'one that an error of the API ended is asked for again': [
    [testUserLine(1, 'Go.'), testAssistantLine(2, 'API Error', { isApiErrorMessage: true })],
    [2, 'request'],
  ],
}

for (const [name, [lines, expected]] of Object.entries(CASES)) {
  test(`where a turn was left: ${name}`, () => {
    assert.deepEqual(left(...lines), expected)
  })
}
