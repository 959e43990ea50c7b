import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.js'
import { byTier } from '../../test/support/tier.js'
import { checkMessages } from '../testing/api-rules.js'
import { buildChain } from './chain.js'
import { indexTranscriptLines } from './session-index.js'
import { assistant, callLine, glance, lineId, result, SESSION, user } from './test-sessions.js'
import { toMessages } from './to-messages.js'

type Line = Record<string, unknown>

function read(lines: readonly unknown[]) {
  const chain = buildChain(indexTranscriptLines(lines, { sessionId: SESSION, keep: 'all' }))
  return toMessages(chain?.entries ?? [])
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
        const fields = parent === undefined ? {} : { parentUuid: parent === 0 ? null : lineId(parent) }
        if (lost && at % 3 === 2) return []
        return [role === 'user' ? user(at + 1, blocks, fields) : assistant(at + 1, blocks, fields)]
      })
      const { messages } = read(lines)
      if (messages.length === 0) return
      const next = messages.at(-1)?.role === 'user' ? messages : [...messages, { role: 'user', content: 'next' }]
      assert.equal(checkMessages({ model: 'm', max_tokens: 1, messages: next }), undefined)
    }),
    { numRuns: byTier({ quick: 100, all: 400 }) },
  )
})

test('results come first, in the order of their calls, also those that are missing', () => {
  const { messages, repairs } = read([
    user(1, 'Go.'),
    callLine(2, 'a'),
    callLine(3, 'b'),
    callLine(4, 'c'),
    user(5, [
      { type: 'text', text: 'by the way' },
      { type: 'tool_result', tool_use_id: 'b', content: 'done' },
    ]),
  ])
  assert.deepEqual(glance({ messages }), [
    'user: Go.',
    'assistant: [call a] [call b] [call c]',
    'user: [failed a] [result b] [failed c] by the way',
  ])
  assert.deepEqual(repairs, ['2 tool call(s) had no result and were marked as interrupted'])
})

test('a second result of one call is kept as text, so that nothing it says is lost', () => {
  const { messages, repairs } = read([user(1, 'Go.'), callLine(2, 'a'), result(3, 'a'), result(4, 'a')])
  assert.deepEqual(
    glance({ messages }).at(-1),
    'user: [result a] The result of a tool call that could not be read: done 4',
  )
  assert.deepEqual(repairs, ['1 tool result(s) lost their call and were kept as text'])
})

test('a result without a call and without words leaves nothing behind, and its neighbors are joined', () => {
  const empty = [{ type: 'tool_result', tool_use_id: 'gone', content: '' }]
  const { messages } = read([user(1, 'Go.'), assistant(2, 'One.'), user(3, empty), assistant(4, 'Two.')])
  assert.deepEqual(glance({ messages }), ['user: Go.', 'assistant: One. Two.'])
})

test('the lists that are made are their own: the stored messages stay as they were', () => {
  const lines = [user(1, [{ type: 'text', text: 'a' }]), user(2, [{ type: 'text', text: 'b' }])]
  const index = indexTranscriptLines(lines, { sessionId: SESSION, keep: 'all' })
  const entries = buildChain(index)?.entries ?? []
  assert.deepEqual(toMessages(entries), toMessages(entries))
  assert.deepEqual(index.entries[0]?.message?.content, [{ type: 'text', text: 'a' }])
})

test('nothing is nothing', () => {
  assert.deepEqual(toMessages([]), { messages: [], repairs: [] })
  assert.deepEqual(read([user(1, ''), assistant(2, [])]), { messages: [], repairs: [] })
})

test('of a call without a result the model reads whether it began, where that was written down', () => {
  const noted = { journaled: true }
  const lines = [user(1, 'Go.'), callLine(2, 'a', noted), callLine(3, 'b', noted), callLine(4, 'c')]
  const begun = { type: 'tool-start', sessionId: 'of-another-session', toolUseId: 'a', toolName: 'Bash' }
  const index = indexTranscriptLines([...lines, { type: 'queue-operation', operation: 'dequeue', kedge: begun }], {
    sessionId: SESSION,
    keep: 'all',
  })
  const { messages, repairs } = toMessages(buildChain(index)?.entries ?? [], index.started)
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
