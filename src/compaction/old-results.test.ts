import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageParam } from '../protocol/content.js'
import { withoutOldResults } from './old-results.js'

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
  const { messages: shorter, saved } = withoutOldResults(messages, 1)
  assert.match(JSON.stringify(shorter[1]), /left out to make room/)
  assert.deepEqual([shorter[0], ...shorter.slice(2)], [messages[0], ...messages.slice(2)])
  assert.ok(saved > 900 && saved < 1000)
  // What did not change is the same object: the request is built from what is known.
  assert.equal(shorter[5], messages[5])
  assert.deepEqual(withoutOldResults(shorter, 1).saved, 0)
  assert.equal(withoutOldResults(messages, 10).saved, 0)
})
