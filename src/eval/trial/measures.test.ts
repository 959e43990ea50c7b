import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { outcomeOf } from './call-outcomes.js'
import { repeatedShare } from './measures.js'

describe('repeated text', () => {
  it('counts lines that an earlier result had, with or without numbers, and no short ones', () => {
    const line = 'a line that is long enough to count'
    assert.equal(repeatedShare([line, 'something else altogether']), 0)
    assert.equal(repeatedShare([line, `    12→${line}`]), 0.5)
    assert.equal(repeatedShare(['}', '}', '}']), 0)
    assert.equal(repeatedShare([]), 0)
  })
})

describe('what became of a call', () => {
  for (const [text, outcome] of [
    ['<tool_use_error>InputValidationError: Read failed due to the following issue:', 'invalid'],
    ['<tool_use_error>Error: No such tool available: read_file</tool_use_error>', 'invalid'],
    ['There is no tool read_file. Did you mean Read?', 'invalid'],
    ['This command requires approval', 'refused'],
    ["Claude requested permissions to write to /x, but you haven't granted it yet.", 'refused'],
    ['Not run: "npm publish" needs the user\'s approval, and nobody can give it in this session.', 'refused'],
    ['The user refused this call; it did not run. They said: "no"', 'refused'],
    ['PreToolUse:Write hook error: [node no-todo.mjs]: Files must not contain TODO', 'refused'],
    ['Exit code 1\n3 tests failed', 'failed'],
  ] as const) {
    it(`${outcome}: ${text.slice(0, 50)}`, () => assert.equal(outcomeOf(text, true), outcome))
  }

  it('a result that is no error is none, whatever it says', () => {
    assert.equal(outcomeOf('This command requires approval', false), 'ok')
  })
})
