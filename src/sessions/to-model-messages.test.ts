import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.js'
import { byTier } from '../../test/support/tier.js'
import { checkMessagesRequest } from '../testing/api-rules.js'
import { buildTranscriptLineChain } from './line-chain.js'
import { indexTranscriptLines } from './session-index.js'
import {
  summarizeTestMessages,
  TEST_SESSION_ID,
  testAssistantLine,
  testLineId,
  testToolCallLine,
  testToolResultLine,
  testUserLine,
} from './test-sessions.js'
import { toModelMessages } from './to-model-messages.js'

type Line = Record<string, unknown>

function read(lines: readonly unknown[]) {
  const chain = buildTranscriptLineChain(indexTranscriptLines(lines, { sessionId: TEST_SESSION_ID, keep: 'all' }))
  return toModelMessages(chain?.entries ?? [])
}

test('whatever is left of a conversation, the API takes it, and no call or result is there twice', () => {
  const name = fc.constantFrom('a', 'b', 'c')
  const block = fc.oneof(
    fc.record({ type: fc.constant('text'), text: fc.constantFrom('said', '', ' ') }),
    name.map((tool) => ({ type: 'tool_use', id: tool, name: 'Bash', input: {} })),
    fc.record({
      type: fc.constant('tool_result'),
      tool_use_id: name,
      content: fc.constantFrom('done', '', undefined, [{ type: 'text', text: 'in a list' }], [{ type: 'nonsense' }]),
    }),
    fc.record({ type: fc.constant('thinking'), thinking: fc.constant('hm'), signature: fc.constantFrom('s', '') }),
    name.map((tool) => ({ type: 'server_tool_use', id: `srv_${tool}`, name: 'web_search', input: {} })),
    name.map((tool) => ({ type: 'web_search_tool_result', tool_use_id: `srv_${tool}`, content: [] })),
    fc.constantFrom(null, 7, { type: 'unheard_of' }, { type: 'text' }),
  )
  const one = fc.record({
    role: fc.constantFrom('user', 'assistant'),
    blocks: fc.array(block, { maxLength: 4 }),
    parent: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined, freq: 4 }),
    lost: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(one, { maxLength: 12 }), (given) => {
      const lines = given.flatMap(({ role, blocks, parent, lost }, at): Line[] => {
        const fields = parent === undefined ? {} : { parentUuid: parent === 0 ? null : testLineId(parent) }
        if (lost && at % 3 === 2) return []
        return [role === 'user' ? testUserLine(at + 1, blocks, fields) : testAssistantLine(at + 1, blocks, fields)]
      })
      const { messages } = read(lines)
      if (messages.length === 0) return
      const next = messages.at(-1)?.role === 'user' ? messages : [...messages, { role: 'user', content: 'next' }]
      assert.equal(checkMessagesRequest({ model: 'm', max_tokens: 1, messages: next }), undefined)
    }),
    { numRuns: byTier({ quick: 100, all: 400 }) },
  )
})

test('results come first, in the order of their calls, also those that are missing', () => {
  const { messages, repairs } = read([
    testUserLine(1, 'Go.'),
    testToolCallLine(2, 'a'),
    testToolCallLine(3, 'b'),
    testToolCallLine(4, 'c'),
    testUserLine(5, [
      { type: 'text', text: 'by the way' },
      { type: 'tool_result', tool_use_id: 'b', content: 'done' },
    ]),
  ])
  assert.deepEqual(summarizeTestMessages({ messages }), [
    'user: Go.',
    'assistant: [call a] [call b] [call c]',
    'user: [failed a] [result b] [failed c] by the way',
  ])
  assert.deepEqual(repairs, ['2 tool call(s) had no result and were marked as interrupted'])
})

test('a second result of one call is kept as text, so that nothing it says is lost', () => {
  const { messages, repairs } = read([
    testUserLine(1, 'Go.'),
    testToolCallLine(2, 'a'),
    testToolResultLine(3, 'a'),
    testToolResultLine(4, 'a'),
  ])
  assert.deepEqual(
    summarizeTestMessages({ messages }).at(-1),
    'user: [result a] The result of a tool call that could not be read: done 4',
  )
  assert.deepEqual(repairs, ['1 tool result(s) lost their call and were kept as text'])
})

test('a result without a call and without words leaves nothing behind, and its neighbors are joined', () => {
  const empty = [{ type: 'tool_result', tool_use_id: 'gone', content: '' }]
  const { messages } = read([
    testUserLine(1, 'Go.'),
    testAssistantLine(2, 'One.'),
    testUserLine(3, empty),
    testAssistantLine(4, 'Two.'),
  ])
  assert.deepEqual(summarizeTestMessages({ messages }), ['user: Go.', 'assistant: One. Two.'])
})

test('the lists that are made are their own: the stored messages stay as they were', () => {
  const lines = [testUserLine(1, [{ type: 'text', text: 'a' }]), testUserLine(2, [{ type: 'text', text: 'b' }])]
  const index = indexTranscriptLines(lines, { sessionId: TEST_SESSION_ID, keep: 'all' })
  const entries = buildTranscriptLineChain(index)?.entries ?? []
  assert.deepEqual(toModelMessages(entries), toModelMessages(entries))
  assert.deepEqual(index.entries[0]?.message?.content, [{ type: 'text', text: 'a' }])
})

test('nothing is nothing', () => {
  assert.deepEqual(toModelMessages([]), { messages: [], repairs: [] })
  assert.deepEqual(read([testUserLine(1, ''), testAssistantLine(2, [])]), { messages: [], repairs: [] })
})

test('of a call without a result the model reads whether it began, where that was written down', () => {
  const noted = { journaled: true }
  const lines = [
    testUserLine(1, 'Go.'),
    testToolCallLine(2, 'a', noted),
    testToolCallLine(3, 'b', noted),
    testToolCallLine(4, 'c'),
  ]
  const begun = { type: 'tool-start', sessionId: 'of-another-session', toolUseId: 'a', toolName: 'Bash' }
  const index = indexTranscriptLines([...lines, { type: 'queue-operation', operation: 'dequeue', kedge: begun }], {
    sessionId: TEST_SESSION_ID,
    keep: 'all',
  })
  const { messages, repairs } = toModelMessages(buildTranscriptLineChain(index)?.entries ?? [], index.started)
  const texts = messages.at(-1)?.content
  assert.ok(Array.isArray(texts))
  assert.deepEqual(
    texts.map((block) => (block.type === 'tool_result' ? [block.tool_use_id, block.content] : [])),
    [
      [
        'a',
        'This call was interrupted before it returned a result. It may or may not have taken effect. Look before you repeat it.',
      ],
      ['b', 'The session was cut off before this call began. It was not run.'],
      ['c', 'This call was interrupted before it returned a result. It may or may not have taken effect.'],
    ],
  )
  assert.deepEqual(repairs, [
    '2 tool call(s) had no result and were marked as interrupted',
    '1 tool call(s) had not begun and were marked as not run',
  ])
})
