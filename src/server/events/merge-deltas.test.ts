import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LogItem } from '../../protocol/session-log/entries.js'
import { mergeDeltas } from './merge-deltas.js'

const delta = (text: string, more: { index?: number; parent?: string; type?: string; seq?: number } = {}) => {
  const { index = 0, parent = null, type = 'text_delta', seq = 1 } = more
  const field =
    { text_delta: 'text', thinking_delta: 'thinking', input_json_delta: 'partial_json' }[type] ?? 'signature'
  const event = { type: 'content_block_delta', index, delta: { type, [field]: text } }
  const data = { type: 'stream_event', event, parent_tool_use_id: parent }
  return { session: 's', seq, at: '', kind: 'delta', data } as unknown as LogItem // as they come from an agent
}
const entry = { session: 's', seq: 2, at: '', kind: 'state', data: {} } as LogItem

describe('deltas that go out together', () => {
  for (const type of ['text_delta', 'thinking_delta', 'input_json_delta'])
    it(`are one: ${type}`, () => {
      const pieces = ['a', 'b', 'c'].map((text) => delta(text, { type }))
      assert.deepEqual(mergeDeltas(pieces), [delta('abc', { type })])
      assert.deepEqual(
        pieces,
        ['a', 'b', 'c'].map((text) => delta(text, { type })),
      )
    })

  it('stay apart when they belong to different things, or something came between', () => {
    for (const items of [
      [delta('a'), entry, delta('b')],
      [delta('a'), delta('b', { index: 1 }), delta('c')],
      [delta('a'), delta('b', { parent: 'toolu_1' })],
      [delta('a'), delta('b', { type: 'thinking_delta' })],
      [delta('a'), delta('b', { seq: 3 })],
      [delta('a', { type: 'signature_delta' }), delta('b', { type: 'signature_delta' })],
    ])
      assert.deepEqual(mergeDeltas(items), items)
  })
})
