/** What a call comes to, for the model and for the host: errors, refusals, results, and what hooks put in their place. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ToolResultContent } from '../protocol/content.js'
import { failedCallResult, finishedCallResult, refusedCallResult, replaceOutputByHook } from './finished-call.js'
import { createTestPorts, errorBlock } from './test-ports.js'
import type { EngineTool, ToolOutcome } from './tool-port.js'

const call = { id: 'toolu_1', name: 'T', input: { a: 1 } }
const { ports } = createTestPorts({ tools: [{ name: 'T' }, { name: 'Bash', marksSuccess: true }] })
const tool = (name: string): EngineTool => ports.tools.find(name) ?? assert.fail()

describe('a call that never ran', () => {
  it('reads as an error, and hosts get the same words unless they are told others', () => {
    assert.deepEqual(failedCallResult(call, 'no'), {
      call,
      block: errorBlock('toolu_1', 'no'),
      output: 'Error: no',
      context: [],
    })
    assert.deepEqual(failedCallResult(call, 'no', { why: 1 }).output, { why: 1 })
  })

  it('is marked for the model when it was refused; for the host nothing is said twice', () => {
    const block = (text: string) => errorBlock('toolu_1', `<tool_use_error>${text}</tool_use_error>`)
    assert.deepEqual(refusedCallResult(call, 'no'), { call, block: block('no'), output: 'Error: no', context: [] })
    assert.deepEqual(refusedCallResult(call, 'Error: no').output, 'Error: no')
    assert.deepEqual(refusedCallResult(call, 'Error: no').block, block('Error: no'))
    assert.deepEqual(refusedCallResult(call, 'no', 'InputValidationError: []').output, 'InputValidationError: []')
  })
})

describe('the result of a call', () => {
  const cases: [string, string, ToolOutcome, unknown][] = [
    [
      'a success',
      'T',
      { ok: true, content: 'x', output: 1 },
      { call, block: { tool_use_id: 'toolu_1', type: 'tool_result', content: 'x' }, output: 1, context: [] },
    ],
    [
      'a success of a tool that marks them',
      'Bash',
      { ok: true, content: '', output: {} },
      {
        call,
        block: { tool_use_id: 'toolu_1', type: 'tool_result', content: '', is_error: false },
        output: {},
        context: [],
      },
    ],
    [
      'an image of a tool that marks successes: blocks are not marked',
      'Bash',
      { ok: true, content: [{ type: 'text', text: 'x' }], output: {} },
      {
        call,
        block: { tool_use_id: 'toolu_1', type: 'tool_result', content: [{ type: 'text', text: 'x' }] },
        output: {},
        context: [],
      },
    ],
    [
      'a success with a text to follow, even an empty one',
      'T',
      { ok: true, content: 'x', output: null, follow: '' },
      {
        call,
        block: { tool_use_id: 'toolu_1', type: 'tool_result', content: 'x' },
        output: null,
        context: [],
        follow: '',
      },
    ],
    [
      'a failure',
      'Bash',
      { ok: false, error: 'Exit code 1' },
      { call, block: errorBlock('toolu_1', 'Exit code 1'), output: 'Error: Exit code 1', context: [] },
    ],
    [
      'a failure with an output of its own',
      'T',
      { ok: false, error: 'no', output: { a: 1 } },
      { call, block: errorBlock('toolu_1', 'no'), output: { a: 1 }, context: [] },
    ],
    [
      'a refusal',
      'T',
      { ok: false, error: 'no', refused: true },
      {
        call,
        block: errorBlock('toolu_1', '<tool_use_error>no</tool_use_error>'),
        output: 'Error: no',
        context: [],
      },
    ],
  ]
  for (const [name, of, outcome, expected] of cases) {
    it(name, () => assert.deepEqual(finishedCallResult(call, outcome, tool(of)), expected))
  }
})

describe('what a hook puts in the place of a result', () => {
  const own = { ...failedCallResult(call, 'own'), context: ['beside'], follow: 'after' }
  const content = (output: unknown) => replaceOutputByHook(own, output).block.content
  const image: ToolResultContent = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
  }

  it('is nothing: then the result is what it was', () => {
    assert.equal(replaceOutputByHook(own, undefined), own)
  })

  it('is read as text, as blocks where they are such, and as JSON where they are not', () => {
    assert.deepEqual(content('new'), 'new')
    assert.deepEqual(content(''), '')
    assert.deepEqual(content([{ type: 'text', text: 'a' }, image]), [{ type: 'text', text: 'a' }, image])
    assert.deepEqual(content([{ type: 'text', text: 'a' }, 'b']), '[{"type":"text","text":"a"},"b"]')
    assert.deepEqual(content([{ type: 'video' }]), '[{"type":"video"}]')
    assert.deepEqual(content([null]), '[null]')
    assert.deepEqual(content(null), 'null')
    assert.deepEqual(content({ a: [1] }), '{"a":[1]}')
    assert.deepEqual(content(0), '0')
  })

  it('changes what is read and told, and neither the mark of an error nor what comes after', () => {
    assert.deepEqual(replaceOutputByHook(own, { a: 1 }), {
      call,
      block: errorBlock('toolu_1', '{"a":1}'),
      output: { a: 1 },
      context: ['beside'],
      follow: 'after',
    })
    assert.equal(own.block.content, 'own')
  })
})
