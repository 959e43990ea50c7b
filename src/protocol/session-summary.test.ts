import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addToSummary, type SessionSummaryData } from './session-summary.js'

function promptOf(content: unknown) {
  const data: SessionSummaryData = {}
  addToSummary(data, { type: 'user', uuid: 'u', message: { role: 'user', content } })
  return data.firstPrompt ?? data.firstCommand
}

test('a prompt is one line: blanks up to a line break are one, others stay', () => {
  const cases: [string, string | undefined][] = [
    ['a  \n \n  b', 'a   b'],
    ['a  b\tc', 'a  b\tc'],
    ['\n a\r\nb \n', 'a b'],
    [' \n ', undefined],
    ['<command-name> /review </command-name>', '/review'],
    ['<command-name>\nreview it\n</command-name>', '/review it'],
  ]
  for (const [content, wanted] of cases) assert.equal(promptOf(content), wanted, JSON.stringify(content))
})

test('very long runs of blanks, also in a command that never ends, are read in one go', () => {
  const blanks = ' '.repeat(200_000)
  assert.equal(promptOf(`a${blanks}b`), 'a…')
  assert.equal(promptOf(`<command-name>${blanks}`), undefined)
})
