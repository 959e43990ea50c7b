import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ContentBlockParam } from '../protocol/content.js'
import type { CallResult } from './finished-call.js'
import { toolResultBlocks } from './result-message.js'

function result(id: string, content: CallResult['block']['content'], follow?: string): CallResult {
  return {
    call: { id, name: 'T', input: {} },
    block: { type: 'tool_result', tool_use_id: id, content },
    output: content,
    context: [],
    ...(follow === undefined ? {} : { follow }),
  }
}

const text = (content: string): ContentBlockParam => ({ type: 'text', text: content })

test('all results first, then what tools say after them, then what hooks add, then what the user said meanwhile', () => {
  const results = [result('1', 'one', 'skill one'), result('2', 'two'), result('3', 'three', 'skill three')]
  assert.deepEqual(toolResultBlocks(results, ['hook a', 'hook b'], [text('stop that')]), [
    ...results.map(({ block }) => block),
    ...['skill one', 'skill three', 'hook a', 'hook b', 'stop that'].map(text),
  ])
})

test('nothing where there is nothing to say', () => {
  assert.deepEqual(toolResultBlocks([], [], []), [])
})
