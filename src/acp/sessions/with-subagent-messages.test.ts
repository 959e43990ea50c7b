import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionMessage } from '../../protocol/stored-sessions.js'
import { withSubagentMessages } from './with-subagent-messages.js'

const said = (uuid: string, parent: string | null, ...calls: string[]): SessionMessage => ({
  type: 'assistant',
  uuid: uuid as SessionMessage['uuid'],
  session_id: 's',
  message: { content: [{ type: 'text', text: uuid }, ...calls.map((id) => ({ type: 'tool_use', id }))] },
  parent_tool_use_id: parent,
  parent_agent_id: null,
})
const order = (messages: SessionMessage[], byCall: Record<string, SessionMessage[]>) =>
  [...withSubagentMessages(messages, new Map(Object.entries(byCall)))].map(({ uuid }) => uuid)

test('agents, and theirs, speak after the call that started them; what no call started is not told', () => {
  const main = [said('1', null, 'a', 'b', 'other'), said('2', null)]
  const agents = { b: [said('b1', 'b')], a: [said('a1', 'a', 'deep'), said('a2', 'a')], deep: [said('d1', 'deep')] }
  assert.deepEqual(order(main, { ...agents, lost: [said('l1', 'lost')] }), ['1', 'a1', 'd1', 'a2', 'b1', '2'])
})

test('a call that comes twice, or below itself, is followed once', () => {
  assert.deepEqual(order([said('1', null, 'a'), said('2', null, 'a')], { a: [said('a1', 'a', 'a')] }), ['1', 'a1', '2'])
})

test('lines that are damaged have no calls', () => {
  const odd = [undefined, 'text', { content: 'a' }, { content: [null, 1, { type: 'tool_use' }] }]
  const main = odd.map((message, at) => ({ ...said(String(at), null), message }))
  assert.deepEqual(order(main, { a: [said('a1', 'a')] }), ['0', '1', '2', '3'])
})
