import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/fast-check.js'
import { parseJson } from '../client/parse-json.js'
import { createChatStreamReader } from './chat-events.js'
import { CHAT_DELTA_FAST_PARSE, createRepeatedEventParser, RESPONSES_DELTA_FAST_PARSE } from './repeated-events.js'
import { createResponsesStreamReader, type ServiceStreamReader } from './responses-events.js'
import { createSentToolNames } from './sent-names.js'

const reading = () => ({ names: createSentToolNames(), keptFor: { service: 's', model: 'm' } })

/** What becomes of a stream whose events are read in this way. */
function madeOf(reader: ServiceStreamReader, parse: (data: string) => unknown, stream: readonly string[]): unknown[] {
  for (const event of stream.map(parse)) reader.push(event)
  reader.end()
  return reader.take()
}

const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom(
    '',
    ' word',
    '"',
    '\\',
    'a"b',
    '\\u0041',
    '\n',
    '"content":"x"',
    '}',
    '"}}',
    '","delta":"',
    'é',
    '\u2028',
  ),
)
const chatChunk = fc.record({
  text: words,
  delta: fc.constantFrom('content', 'content', 'content', 'refusal', 'reasoning_content', 'role'),
  id: fc.constantFrom('c1', 'c1', 'c2'),
  finish: fc.constantFrom(null, null, null, 'stop', 'length'),
  usage: fc.constantFrom(undefined, null, null, { prompt_tokens: 1, completion_tokens: 2 }),
  spaced: fc.constantFrom(0, 0, 0, 1),
  before: fc.constantFrom({}, {}, { note: { content: 'n' } }),
  behind: fc.constantFrom({}, {}, { obfuscation: 'xy' }, { sequence_number: 7 }),
})

test('of a chat stream the same is made, whether each chunk is parsed or not', () => {
  fc.assert(
    fc.property(fc.array(chatChunk, { maxLength: 12 }), (chunks) => {
      const stream = chunks.map(({ text, delta, id, finish, usage, spaced, before, behind }) => {
        const given = delta === 'role' ? { role: 'assistant', content: text } : { [delta]: text }
        const choices = [{ index: 0, delta: given, logprobs: null, finish_reason: finish }]
        return JSON.stringify({ id, ...before, model: 'm', choices, usage, ...behind }, undefined, spaced)
      })
      const reader = () => createChatStreamReader(reading(), () => 'call_1')
      const plain = madeOf(reader(), parseJson, stream)
      assert.deepEqual(madeOf(reader(), createRepeatedEventParser(parseJson, CHAT_DELTA_FAST_PARSE), stream), plain)
    }),
  )
})

const responsesEvent = fc.record({
  text: words,
  type: fc.constantFrom('output_text', 'output_text', 'output_text', 'refusal', 'reasoning_summary_text'),
  item: fc.constantFrom('i1', 'i1', 'i2'),
  numbered: fc.constantFrom('before', 'before', 'behind', 'never', 'twice'),
})

test('of a stream of responses the same is made, with numbers that count up, and without', () => {
  fc.assert(
    fc.property(fc.array(responsesEvent, { maxLength: 12 }), (events) => {
      const begun = { type: 'response.created', response: { id: 'r', model: 'm' } }
      const ended = { type: 'response.completed', response: { id: 'r', model: 'm', output: [], usage: {} } }
      const stream = events.map(({ text, type, item, numbered }, index) => {
        const number = { sequence_number: index * 7 }
        return {
          type: `response.${type}.delta`,
          ...(numbered === 'before' || numbered === 'twice' ? number : {}),
          item_id: item,
          output_index: 0,
          content_index: 0,
          delta: text,
          logprobs: [],
          ...(numbered === 'behind' ? number : {}),
          ...(numbered === 'twice' ? { more: number } : {}),
        }
      })
      const all = [begun, ...stream, ended].map((event) => JSON.stringify(event))
      const plain = madeOf(createResponsesStreamReader(reading()), parseJson, all)
      const parse = createRepeatedEventParser(parseJson, RESPONSES_DELTA_FAST_PARSE)
      assert.deepEqual(madeOf(createResponsesStreamReader(reading()), parse, all), plain)
    }),
  )
})

test('what is said twice in one event is said twice again in the next that is the same', () => {
  const chunk = (delta: object, before: object = {}) =>
    JSON.stringify({ id: 'c', ...before, model: 'm', choices: [{ index: 0, delta }] })
  for (const event of [
    chunk({ content: 'a' }, { note: { content: 'n' } }),
    chunk({ content: 'a', reasoning_content: 't' }),
    chunk({ reasoning_content: 't', content: 'a' }),
    chunk({ content: 'a', extra: { content: 'b' } }),
    chunk({ role: 'assistant', content: 'a' }),
  ]) {
    const reader = () => createChatStreamReader(reading(), () => 'call_1')
    const stream = [event, event, event]
    const read = createRepeatedEventParser(parseJson, CHAT_DELTA_FAST_PARSE)
    assert.deepEqual(madeOf(reader(), read, stream), madeOf(reader(), parseJson, stream), event)
  }
})

test('a long text is parsed once, what differs in more is parsed again, and what is no JSON is none', () => {
  const parsed: string[] = []
  const parse = createRepeatedEventParser((data) => {
    parsed.push(data)
    return parseJson(data)
  }, CHAT_DELTA_FAST_PARSE)
  const chunk = (content: string, more = '') =>
    `{"id":"c","model":"m","choices":[{"delta":{"content":"${content}"}}]${more}}`
  for (const text of ['one', ' two', ' thrée', '']) parse(chunk(text))
  assert.equal(parsed.length, 1)
  parse(chunk('\\n'))
  parse(chunk('x', ',"usage":{"prompt_tokens":1}'))
  assert.equal(parsed.length, 3)
  assert.equal(parse(chunk('a"b')), undefined)
  assert.equal(parse(chunk('tab\there')), undefined)
  assert.equal(parse('{"id":"c"'), undefined)
  const counted = createRepeatedEventParser(parseJson, RESPONSES_DELTA_FAST_PARSE)
  const delta = (number: string, text: string) => `{"type":"t","sequence_number":${number},"delta":"${text}"}`
  assert.deepEqual(counted(delta('1', 'a')), { type: 't', sequence_number: 1, delta: 'a' })
  assert.deepEqual(counted(delta('22', 'b')), { type: 't', sequence_number: 1, delta: 'b' })
  assert.deepEqual(counted(delta('"x"', 'c')), { type: 't', sequence_number: 'x', delta: 'c' })
  assert.equal(counted(delta('', 'd')), undefined)
})
