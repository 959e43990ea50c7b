import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/fast-check.js'
import { type Answer, eventsOf, wholeOf } from '../../../test/support/model-api.js'
import { takeUnreadableReason } from '../../engine/unreadable-input.js'
import { type AssembledStreamStep, createAssembler, readWholeMessage } from './assemble.js'

const ANSWER: Answer = {
  blocks: [
    { thinking: ['Let me ', 'think.'], signature: 'sig' },
    { text: ['Calling ', 'a tool.'] },
    { tool: 'Bash', id: 'toolu_1', json: ['{"command":"e', 'cho hi"}'] },
  ],
  stopReason: 'tool_use',
}

function feed(events: readonly unknown[]): AssembledStreamStep[] {
  const assembler = createAssembler()
  return events.map((event) => assembler.push(event))
}

test('a stream becomes the message it describes', () => {
  const steps = feed(eventsOf(ANSWER))
  const last = steps.at(-1)
  assert.equal(last?.type, 'done')
  assert.deepEqual(last.message, wholeOf(ANSWER))
  assert.deepEqual(last.message, readWholeMessage(wholeOf(ANSWER)))
  const blocks = steps.flatMap((step) => (step.type === 'event' && step.block ? [step.block] : []))
  assert.deepEqual(blocks, last.message.content)
})

test('the header has no content, and usage grows with the stream', () => {
  const assembler = createAssembler()
  assert.deepEqual([assembler.header(), assembler.hasContent()], [null, false])
  const events = eventsOf(ANSWER)
  for (const event of events.slice(0, 3)) assembler.push(event)
  assert.deepEqual([assembler.header()?.content, assembler.hasContent()], [[], true])
  assert.equal(assembler.usage().output_tokens, 1)
  for (const event of events.slice(3)) assembler.push(event)
  assert.deepEqual(assembler.usage(), {
    input_tokens: 10,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 5,
  })
})

const start = { type: 'message_start', message: { id: 'm', model: 'x', usage: {} } }
const textStart = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
const stop = { type: 'content_block_stop', index: 0 }

test('contradictions break the stream', () => {
  const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } }
  const rows: unknown[][] = [
    [undefined],
    ['text'],
    [[]],
    [{ type: 'message_start' }],
    [{ type: 'message_start', message: { id: 5 } }],
    [start, start],
    [textStart],
    [start, textStart, textStart],
    [start, { ...textStart, index: 'zero' }],
    [start, { ...textStart, content_block: {} }],
    [start, { ...textStart, content_block: { type: 'tool_use', name: 'Bash' } }],
    [start, delta],
    [start, textStart, stop, delta],
    [start, stop],
    [{ type: 'message_delta' }],
    [{ type: 'message_stop' }],
    [start, textStart, { type: 'message_stop' }],
  ]
  assert.deepEqual(
    rows.map((events) => feed(events).at(-1)?.type),
    rows.map(() => 'broken'),
  )
})

test('what is new is passed over', () => {
  const types = feed([
    { type: 'hello' },
    {},
    start,
    textStart,
    { type: 'content_block_delta', index: 0, delta: { type: 'sparkle_delta', sparkle: 1 } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'x' } },
    { type: 'content_block_delta', index: 0 },
    stop,
    { type: 'message_stop' },
  ]).map((step) => step.type)
  assert.deepEqual(types, ['unknown', 'unknown', 'event', 'event', 'unknown', 'unknown', 'unknown', 'event', 'done'])
})

test("tool input that isn't a JSON object becomes empty, and says so to whoever would run it", () => {
  const inputs = ['{"a":', 'null', '[1]', '"x"', '', '{}}', '{"a":1}', '"{\\"a\\":1}"'].map((json) => {
    const deltas =
      json === ''
        ? []
        : [{ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: json } }]
    const steps = feed([
      start,
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't', name: 'Bash', input: {} } },
      ...deltas,
      stop,
    ])
    const last = steps.at(-1)
    if (last?.type !== 'event' || last.block?.type !== 'tool_use') return 'no block'
    const { block, why } = takeUnreadableReason(last.block)
    return [block.input, why]
  })
  const broken = [{}, 'is not a valid JSON object']
  assert.deepEqual(inputs, [
    ...[broken, broken, broken, broken],
    [{}, undefined],
    broken,
    [{ a: 1 }, undefined],
    [{ a: 1 }, undefined],
  ])
})

test('citations, unknown blocks and late message fields are kept', () => {
  const citation = { type: 'char_location', cited_text: 'x' }
  const steps = feed([
    start,
    textStart,
    { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation } },
    stop,
    { type: 'content_block_start', index: 1, content_block: { type: 'brand_new', payload: [1] } },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'brand_new' }, context_management: { applied_edits: [] } },
    { type: 'message_stop' },
  ])
  const last = steps.at(-1)
  assert.equal(last?.type, 'done')
  assert.deepEqual(last.message.content, [
    { type: 'text', text: '', citations: [citation] },
    { type: 'brand_new', payload: [1] },
  ])
  assert.equal(last.message.stop_reason, 'brand_new')
  assert.deepEqual(last.message.context_management, { applied_edits: [] })
})

test('counts that are no numbers count as nothing', () => {
  const usage = {
    input_tokens: 'many',
    output_tokens: -4,
    cache_read_input_tokens: null,
    cache_creation_input_tokens: Number.POSITIVE_INFINITY,
  }
  const assembler = createAssembler()
  assembler.push({ type: 'message_start', message: { id: 'm', usage } })
  assert.deepEqual(assembler.usage(), {
    input_tokens: 0,
    output_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
  })
})

test('whole messages that are none', () => {
  const whole = wholeOf(ANSWER)
  const rows = [
    null,
    [],
    {},
    { ...whole, type: 'error' },
    { ...whole, content: 'x' },
    { ...whole, content: [1] },
    { ...whole, id: 1 },
  ]
  assert.deepEqual(
    rows.map((value) => readWholeMessage(value)),
    rows.map(() => undefined),
  )
})

test('whatever comes, nothing is thrown and only message_stop completes', () => {
  const event = fc.oneof(
    fc.constantFrom<unknown>(...eventsOf(ANSWER)),
    fc.record(
      {
        type: fc.constantFrom(
          'message_start',
          'content_block_start',
          'content_block_delta',
          'content_block_stop',
          'message_delta',
          'error',
        ),
        index: fc.anything(),
        message: fc.anything(),
        content_block: fc.anything(),
        delta: fc.anything(),
        usage: fc.anything(),
      },
      { requiredKeys: ['type'] },
    ),
    fc.anything(),
  )
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const assembler = createAssembler()
      for (const one of events) {
        const step = assembler.push(one)
        if (step.type === 'done') assert.equal(step.event.type, 'message_stop')
      }
    }),
  )
})
