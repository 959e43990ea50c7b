import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { callsOf } from './made-calls.js'

const assistant = (content: unknown, parent?: string) => ({
  type: 'assistant',
  ...(parent === undefined ? {} : { parent_tool_use_id: parent }),
  message: { content },
})
const user = (content: unknown) => ({ type: 'user', message: { content } })
const use = (id: string, name: string, input: unknown = {}) => ({ type: 'tool_use', id, name, input })
const result = (id: string, content: unknown, isError?: boolean) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...(isError === undefined ? {} : { is_error: isError }),
})

describe('calls of a run', () => {
  it('are told in their order, with what came of them', () => {
    const calls = callsOf([
      { type: 'system', subtype: 'init' },
      assistant([{ type: 'text', text: 'hm' }, use('1', 'Read', { file_path: '/a' }), use('2', 'Bash')]),
      user([
        result('2', 'no', true),
        result('1', [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }]),
      ]),
      { type: 'result' },
    ])
    assert.deepEqual(calls, [
      { id: '1', name: 'Read', input: { file_path: '/a' }, parent: null, text: 'ab', isError: false },
      { id: '2', name: 'Bash', input: {}, parent: null, text: 'no', isError: true },
    ])
  })

  it('say which agent made them', () => {
    const [outer, inner] = callsOf([assistant([use('1', 'Agent')]), assistant([use('2', 'Grep')], '1')])
    assert.deepEqual([outer?.parent, inner?.parent], [null, '1'])
  })

  it('without a result are empty, and results without a call are nobody’s', () => {
    const calls = callsOf([assistant([use('1', 'Bash')]), user([result('9', 'lost')]), user('just words')])
    assert.deepEqual(calls, [{ id: '1', name: 'Bash', input: {}, parent: null, text: '', isError: false }])
  })

  it('are not what a user wrote, nor results what the model wrote', () => {
    assert.deepEqual(callsOf([user([use('1', 'Bash')]), assistant([result('1', 'x')])]), [])
    assert.equal(callsOf([assistant([use('1', 'Bash'), result('1', 'made up')])])[0]?.text, '')
  })

  it('of messages without content are none', () => {
    assert.deepEqual(callsOf([{}, { type: 'assistant' }, { type: 'assistant', message: {} }, assistant('text')]), [])
    const [call] = callsOf([assistant([use('1', 'Bash')]), user([result('1', undefined)])])
    assert.equal(call?.text, '')
  })
})
