import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageParam } from '../protocol/content.js'
import { tokensForCharacters, withoutOldToolResults } from './old-results.js'

const LEFT_OUT = '[The result of this call was left out to make room. Call again if it is needed.]'
const ids = ['a', 'b', 'c', 'd']

const call = (id: string): MessageParam => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'Bash', input: {} }],
})
const result = (id: string, content: string): MessageParam => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content }],
})

test('old results are left out, the last ones and short ones stay, and so does every call', () => {
  const long = 'x'.repeat(1000)
  const messages = [call('a'), result('a', long), call('b'), result('b', 'short'), call('c'), result('c', long)]
  const { messages: shorter, saved } = withoutOldToolResults(messages, 1)
  assert.match(JSON.stringify(shorter[1]), /left out to make room/)
  assert.deepEqual([shorter[0], ...shorter.slice(2)], [messages[0], ...messages.slice(2)])
  assert.ok(saved > 900 && saved < 1000)
  // What did not change is the same object: the request is built from what is known.
  assert.equal(shorter[5], messages[5])
  assert.deepEqual(withoutOldToolResults(shorter, 1).saved, 0)
  assert.equal(withoutOldToolResults(messages, 10).saved, 0)
})

test('which results are old goes by their order, also where one message holds several', () => {
  const long = (id: string) => ({ type: 'tool_result' as const, tool_use_id: id, content: `${id}${'x'.repeat(500)}` })
  const messages: MessageParam[] = [
    { role: 'user', content: [{ type: 'text', text: 'first' }, long('a'), long('b')] },
    { role: 'user', content: [long('c'), long('d')] },
  ]
  const left = (keep: number) =>
    withoutOldToolResults(messages, keep).messages.flatMap(({ content }) =>
      typeof content === 'string'
        ? []
        : content.flatMap((b) => (b.type === 'tool_result' && b.content !== LEFT_OUT ? b.tool_use_id : [])),
    )
  assert.deepEqual([0, 1, 2, 3, 4, 9].map(left), [[], ['d'], ['c', 'd'], ['b', 'c', 'd'], ids, ids])
  assert.deepEqual(withoutOldToolResults([{ role: 'user', content: 'a text' }], 0), {
    messages: [{ role: 'user', content: 'a text' }],
    saved: 0,
  })
})

test('a picture is as long as its data; that it failed stays known', () => {
  const image = {
    type: 'image' as const,
    source: { type: 'base64' as const, media_type: 'image/png' as const, data: '' },
  }
  const big = { ...image, source: { ...image.source, data: 'A'.repeat(4000) } }
  const messages: MessageParam[] = [
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [big], is_error: true }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'b' }] },
  ]
  const { messages: shorter, saved } = withoutOldToolResults(messages, 0)
  assert.deepEqual(shorter[0]?.content, [{ type: 'tool_result', tool_use_id: 'a', content: LEFT_OUT, is_error: true }])
  assert.equal(shorter[1], messages[1])
  assert.equal(saved, JSON.stringify([big]).length - LEFT_OUT.length)
  assert.deepEqual([tokensForCharacters(0), tokensForCharacters(35), tokensForCharacters(36)], [0, 9, 10])
})
