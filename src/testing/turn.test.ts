import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeTurn, type Step } from './turn.js'

describe('a turn in a few words', () => {
  const cases: [Step, string][] = [
    ['hello', 'text "hello"'],
    ['x'.repeat(50), `text "${'x'.repeat(39)}…"`],
    [
      { text: 'hi', thinking: 'hm', tools: [{ name: 'Bash' }, { name: 'Read' }] },
      'thinking, text "hi", tools Bash, Read',
    ],
    [{}, 'an empty answer'],
    [{ tools: [] }, 'an empty answer'],
    [{ content: [{ type: 'redacted_thinking', data: '' }] }, 'content redacted_thinking'],
    [{ status: 529 }, 'status 529'],
    [{ noAnswer: 'hang' }, 'no answer (hang)'],
    [
      function refuse() {
        return 'x'
      },
      'function refuse',
    ],
  ]
  for (const [step, words] of cases) it(words, () => assert.equal(describeTurn(step), words))

  it('may be a function without a name', () =>
    assert.equal(
      describeTurn(
        (
          () => () =>
            'x'
        )(),
      ),
      'a function',
    ))
})
