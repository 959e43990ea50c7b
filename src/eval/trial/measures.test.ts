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
  it('a result that is no error is none, whatever it says', () => {
    assert.equal(outcomeOf('This command requires approval', false), 'ok')
  })
})
