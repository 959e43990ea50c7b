import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc, { anyCharacter } from '../../test/fast-check.js'
import type { ContentBlock, RawStreamEvent } from '../protocol/content.js'
import { scriptedMessage, toStreamEvents } from './scripted-answer.js'
import type { Answer } from './turn.js'

const idsOf = () => {
  let made = 0
  return { messageId: 'msg_1', model: 'test-model', nextToolId: () => `toolu_test_${made++}` }
}
const message = (answer: Answer) => scriptedMessage(answer, idsOf())

describe('an answer as a message', () => {
  it('has thinking, text and calls in this order', () => {
    assert.deepEqual(
      message({ text: 'so', thinking: 'hm', tools: [{ name: 'Bash' }, { name: 'Read', id: 't', input: { a: 1 } }] }),
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'test-model',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'sig_test' },
          { type: 'text', text: 'so' },
          { type: 'tool_use', id: 'toolu_test_0', name: 'Bash', input: {} },
          { type: 'tool_use', id: 't', name: 'Read', input: { a: 1 } },
        ],
        stop_reason: 'tool_use',
        stop_sequence: null,
        usage: { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 5 },
      },
    )
  })

  it('ends as it is told, or as its content says', () => {
    assert.equal(message({ text: 'x' }).stop_reason, 'end_turn')
    assert.equal(message({ tools: [{ name: 'x' }] }).stop_reason, 'tool_use')
    assert.equal(message({ tools: [{ name: 'x' }], stopReason: 'max_tokens' }).stop_reason, 'max_tokens')
    assert.equal(message({ text: 'x', stopReason: 'stop_sequence', stopSequence: '###' }).stop_sequence, '###')
  })

  it('takes blocks, usage and model as they are given', () => {
    const content: ContentBlock[] = [{ type: 'redacted_thinking', data: 'x' }]
    const made = message({ text: 'left out', content, usage: { output_tokens: 9 }, model: 'other' })
    assert.deepEqual(
      [made.content, made.model, made.usage.output_tokens, made.usage.input_tokens],
      [content, 'other', 9, 10],
    )
    assert.deepEqual(message({}).content, [])
  })
})

/** Puts a stream together again, as a client does. */
function joined(events: readonly RawStreamEvent[]) {
  const blocks: Record<string, unknown>[] = []
  const open = new Set<number>()
  for (const event of events) {
    if (event.type === 'content_block_start') {
      assert.equal(event.index, blocks.length)
      assert.equal(open.size, 0, 'one block at a time')
      blocks.push({ ...event.content_block, json: '' })
      open.add(event.index)
    } else if (event.type === 'content_block_stop') {
      assert.ok(open.delete(event.index))
    } else if (event.type === 'content_block_delta') {
      assert.ok(open.has(event.index))
      const block = blocks[event.index] ?? {}
      const { delta } = event
      if (delta.type === 'text_delta') block['text'] = `${block['text']}${delta.text}`
      if (delta.type === 'thinking_delta') block['thinking'] = `${block['thinking']}${delta.thinking}`
      if (delta.type === 'signature_delta') block['signature'] = delta.signature
      if (delta.type === 'input_json_delta') block['json'] = `${block['json']}${delta.partial_json}`
    }
  }
  return blocks.map(({ json, ...block }) => (json === '' ? block : { ...block, input: JSON.parse(String(json)) }))
}

describe('an answer as a stream', () => {
  it('begins without content and ends with why', () => {
    const made = message({
      text: 'hello',
      usage: { output_tokens: 7, server_tool_use: { web_search_requests: 2 } as never },
    })
    const events = toStreamEvents(made)
    assert.deepEqual(
      events.map(({ type }) => type),
      [
        ...['message_start', 'content_block_start', 'content_block_delta', 'content_block_delta'],
        ...['content_block_stop', 'message_delta', 'message_stop'],
      ],
    )
    const [first] = events
    assert.ok(first?.type === 'message_start')
    assert.deepEqual(
      [first.message.content, first.message.stop_reason, first.message.usage.output_tokens],
      [[], null, 1],
    )
    assert.equal('server_tool_use' in first.message.usage, false)
    assert.deepEqual(events.at(-2), {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 7, server_tool_use: { web_search_requests: 2 } },
    })
  })

  it('comes in pieces as large as wanted', () => {
    const pieces = (text: string, chunk?: number) =>
      toStreamEvents(message({ text }), chunk).flatMap((event) =>
        event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? event.delta.text : [],
      )
    assert.deepEqual(pieces('hello'), ['hel', 'lo'])
    assert.deepEqual(pieces('hello', 2), ['he', 'll', 'o'])
    assert.deepEqual(pieces('hi', 0), ['h', 'i'])
    assert.deepEqual(pieces('hi', 99), ['hi'])
    assert.deepEqual(pieces('a😀b', 2), ['a😀', 'b'], 'no half of a character')
  })

  it('of a call without arguments has one empty piece', () => {
    const events = toStreamEvents(message({ tools: [{ name: 'x' }] })).filter(
      ({ type }) => type === 'content_block_delta',
    )
    assert.deepEqual(events, [
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '' } },
    ])
  })

  it('is the same answer when it is put together again', () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 12, minLength: 1 })
    const answers = fc.record(
      {
        text,
        thinking: text,
        tools: fc.array(fc.record({ name: fc.constant('T'), input: fc.dictionary(fc.string(), fc.jsonValue()) }), {
          maxLength: 2,
        }),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(answers, fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }), (answer, chunk) => {
        const made = message(answer as Answer)
        // As JSON, which is what is sent.
        assert.deepEqual(joined(toStreamEvents(made, chunk)), JSON.parse(JSON.stringify(made.content)))
      }),
    )
  })
})
