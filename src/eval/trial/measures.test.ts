import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { callOutcome } from './call-outcomes.js'
import { repeatedLineShare } from './measures.js'

describe('repeated text', () => {
  it('counts lines that an earlier result had, with or without numbers, and no short ones', () => {
    const line = 'a line that is long enough to count'
    assert.equal(repeatedLineShare([line, 'something else altogether']), 0)
    assert.equal(repeatedLineShare([line, `    12→${line}`]), 0.5)
    assert.equal(repeatedLineShare(['}', '}', '}']), 0)
    assert.equal(repeatedLineShare([]), 0)
  })
})

describe('what became of a call', () => {
  it('a result that is no error is none, whatever it says', () => {
    assert.equal(callOutcome('This command requires approval', false), 'ok')
  })
})
