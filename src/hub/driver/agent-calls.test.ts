import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { SDKMessage } from '../../protocol/messages.js'
import { SubAgentCallIndex } from './agent-calls.js'

const said = (id: string, input: object, parent: string | null = null) =>
  ({
    type: 'assistant',
    parent_tool_use_id: parent,
    message: { content: [{ type: 'tool_use', id, name: 'Any', input }] },
  }) as unknown as SDKMessage // the fields that are looked at
const answered = (id: string) =>
  ({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id }] } }) as unknown as SDKMessage // as above

it('names the sub-agent a call is of, also one that works on in the background; nobody for the main thread', () => {
  const calls = new SubAgentCallIndex()
  calls.note(said('start', { subagent_type: 'Explore', description: 'Look', name: 'ann' }))
  calls.note(answered('start'))
  calls.note(said('deeper', { subagent_type: 'Plan' }, 'start'))
  calls.note(said('read', {}, 'deeper'))
  calls.note(said('own', {}))
  assert.deepEqual(
    ['deeper', 'read', 'own'].map((id) => calls.of(id)),
    [{ type: 'Explore', name: 'ann', job: 'Look' }, { type: 'Plan', job: '' }, undefined],
  )
  calls.note(answered('read'))
  assert.equal(calls.of('read'), undefined)
})
