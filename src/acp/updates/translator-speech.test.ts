/** What the model says, as it streams and as a whole: each word is sent once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ContentBlock, RawStreamEvent } from '../../protocol/content.js'
import { MINIMAL_CLIENT_ABILITIES } from '../test-client.js'
import { AcpUpdateTranslator } from './translator.js'

const start = (id: string): RawStreamEvent => ({ type: 'message_start', message: { id, usage: {} } as never }) // no more is read
const block = (index: number, content_block: ContentBlock): RawStreamEvent => ({
  type: 'content_block_start',
  index,
  content_block,
})
const says = (index: number, text: string): RawStreamEvent => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'text_delta', text },
})
const text = (content: string): ContentBlock => ({ type: 'text', text: content, citations: null })

class Speech {
  readonly #translator = new AcpUpdateTranslator({
    client: MINIMAL_CLIENT_ABILITIES,
    session: 's',
    cwd: '/w',
    now: () => 0,
  })

  stream(event: RawStreamEvent) {
    return this.#take({ type: 'stream_event', event, parent_tool_use_id: null })
  }

  whole(id: string, content: ContentBlock) {
    return this.#take({ type: 'assistant', parent_tool_use_id: null, message: { id, content: [content] } })
  }

  #take(message: object) {
    const out = this.#translator.take(message as never) // with the fields that are read
    return out.map((one) => ('update' in one ? one.update : assert.fail(one.method)))
  }
}

const told = (updates: readonly object[]) =>
  updates.map((update) => (update as { content: { text: string } }).content.text).join('')

test('what streamed is not told again with the whole; what did not is', () => {
  const speech = new Speech()
  const streamed = [start('m1'), block(0, text('')), says(0, 'Hel'), says(0, 'lo')].flatMap((one) => speech.stream(one))
  assert.equal(told(streamed), 'Hello')
  assert.equal(told(speech.whole('m1', text('Hello'))), '')
  assert.equal(told(speech.whole('m2', text('By itself.'))), 'By itself.')
  assert.equal(told(new Speech().whole('m1', text('Hello'))), 'Hello')
})

test('a reader who missed the end of a block gets the rest of it with the whole', () => {
  const speech = new Speech()
  for (const one of [start('m1'), block(0, text('')), says(0, 'Hel')]) speech.stream(one)
  assert.equal(told(speech.whole('m1', text('Hello'))), 'lo')
})

test('a stream that begins again tells each word once', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { maxLength: 8 }), fc.nat(8), (words, cut) => {
      const speech = new Speech()
      const begin = [start('m1'), block(0, text(''))]
      const first = [...begin, ...words.slice(0, cut).map((word) => says(0, word))]
      const again = [...begin, ...words.map((word) => says(0, word))]
      const all = [...first, ...again].flatMap((one) => speech.stream(one))
      assert.equal(told(all) + told(speech.whole('m1', text(words.join('')))), words.join(''))
    }),
  )
})

test('blocks of one message are taken in their order; a block that is done does not disturb the next', () => {
  const speech = new Speech()
  for (const one of [start('m1'), block(0, text('')), says(0, 'one'), block(1, text('')), says(1, 'tw')])
    speech.stream(one)
  assert.equal(told(speech.whole('m1', text('one'))), '')
  assert.equal(told(speech.stream(says(1, 'o'))), 'o')
  assert.equal(told(speech.whole('m1', text('two'))), '')
})

test('thinking the API keeps to itself is told of once', () => {
  const speech = new Speech()
  const hidden: ContentBlock = { type: 'redacted_thinking', data: 'x' }
  speech.stream(start('m1'))
  assert.deepEqual(speech.stream(block(0, hidden)), [
    {
      sessionUpdate: 'agent_thought_chunk',
      content: { type: 'text', text: '' },
      messageId: 'm1',
      _meta: { kedge: { redacted: true } },
    },
  ])
  assert.deepEqual(speech.whole('m1', hidden), [])
})

test('a call is told when it begins, and with each field of its input', () => {
  const speech = new Speech()
  speech.stream(start('m1'))
  const begun = speech.stream(block(0, { type: 'tool_use', id: 'c1', name: 'Write', input: {} } as ContentBlock)) // its other fields are not read
  const more = speech.stream({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'input_json_delta', partial_json: '{"file_path":"/a","c' },
  })
  assert.deepEqual(
    [...begun, ...more].map((update) => {
      assert.ok('toolCallId' in update && 'rawInput' in update)
      return [update.sessionUpdate, update.toolCallId, update.rawInput]
    }),
    [
      ['tool_call', 'c1', {}],
      ['tool_call_update', 'c1', { file_path: '/a' }],
    ],
  )
})
