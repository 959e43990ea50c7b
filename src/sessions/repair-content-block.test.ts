import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEmptyText, repairContentBlock } from './repair-content-block.js'

type Block = Record<string, unknown>
const PNG = { type: 'base64', media_type: 'image/png', data: 'AAAA' }

test('a block that has nothing wrong is the same object, so that it is written down once', () => {
  const good: ['user' | 'assistant', Block][] = [
    ['user', { type: 'text', text: 't' }],
    ['user', { type: 'text', text: 't', cache_control: { type: 'ephemeral' } }],
    ['user', { type: 'tool_result', tool_use_id: 'a', content: '' }],
    ['user', { type: 'tool_result', tool_use_id: 'a', is_error: true, content: [{ type: 'text', text: 't' }] }],
    ['user', { type: 'tool_result', tool_use_id: 'a' }],
    ['user', { type: 'image', source: PNG }],
    ['user', { type: 'image', source: { type: 'url', url: 'https://x.example' } }],
    ['user', { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 't' }, title: 'T' }],
    ['user', { type: 'tool_reference', tool_name: 'x' }],
    ['assistant', { type: 'tool_use', id: 'a', name: 'Bash', input: {} }],
    ['assistant', { type: 'thinking', thinking: '', signature: 's' }],
    ['assistant', { type: 'redacted_thinking', data: 'd' }],
    ['assistant', { type: 'code_execution_tool_result', anything: 1 }],
    ['assistant', { type: 'bash_code_execution_tool_result' }],
    ['assistant', { type: 'compaction', content: '' }],
  ]
  for (const [role, block] of good) assert.equal(repairContentBlock(role, block), block, JSON.stringify(block))
})

test('what the API would refuse is none', () => {
  const bad: ['user' | 'assistant', unknown][] = [
    ['user', undefined],
    ['user', []],
    ['user', { type: 'text', text: '' }],
    ['user', { type: 'tool_use', id: 'a', name: 'Bash', input: {} }],
    ['assistant', { type: 'tool_result', tool_use_id: 'a', content: '' }],
    ['assistant', { type: 'image', source: PNG }],
    ['user', { type: 'code_execution_tool_result' }],
    ['assistant', { type: 'my_code_execution_tool_result' }],
    ['assistant', { type: 'tool_use', id: 'a'.repeat(201), name: 'Bash', input: {} }],
    ['assistant', { type: 'tool_use', id: 'a', name: 'no name', input: {} }],
    ['assistant', { type: 'tool_use', id: 'a', name: 'Bash', input: [] }],
    ['user', { type: 'tool_result', tool_use_id: 'a', content: { text: 't' } }],
    ['user', { type: 'image', source: { ...PNG, media_type: 'image/bmp' } }],
    ['user', { type: 'image', source: { ...PNG, data: 'not base64' } }],
    ['user', { type: 'image', source: { ...PNG, data: '' } }],
    ['user', { type: 'image', source: 'https://x.example' }],
    ['user', { type: 'document', source: { type: 'base64', media_type: 'application/zip', data: 'AAAA' } }],
    ['user', { type: 'hasOwnProperty' }],
  ]
  for (const [role, block] of bad) assert.equal(repairContentBlock(role, block), undefined, JSON.stringify(block))
})

test('fields that nobody knows, or that are wrong, go; the block stays', () => {
  const cases: ['user' | 'assistant', Block, Block][] = [
    ['user', { type: 'text', text: 't', citations: 1, mood: 'x' }, { type: 'text', text: 't' }],
    ['user', { type: 'text', text: 't', cache_control: { type: 'forever' } }, { type: 'text', text: 't' }],
    [
      'user',
      { type: 'tool_result', tool_use_id: 'a', content: 'c', is_error: 'yes' },
      { type: 'tool_result', tool_use_id: 'a', content: 'c' },
    ],
    [
      'assistant',
      { type: 'thinking', thinking: 'h', signature: 's', cache_control: { type: 'ephemeral' } },
      { type: 'thinking', thinking: 'h', signature: 's' },
    ],
  ]
  for (const [role, given, wanted] of cases) {
    const before = structuredClone(given)
    assert.deepEqual(repairContentBlock(role, given), wanted)
    assert.deepEqual(given, before, 'what is stored stays as it was')
  }
})

test('of the parts of a result only those that can be used stay', () => {
  const text = { type: 'text', text: 't' }
  const content = [
    text,
    { type: 'text', text: ' ' },
    { type: 'tool_use', id: 'a', name: 'b', input: {} },
    null,
    { type: 'image', source: PNG },
  ]
  assert.deepEqual(repairContentBlock('user', { type: 'tool_result', tool_use_id: 'a', content }), {
    type: 'tool_result',
    tool_use_id: 'a',
    content: [text, { type: 'image', source: PNG }],
  })
})

test('what is nested without end is none, wherever it is', () => {
  const nested = (depth: number): Block => (depth === 0 ? {} : { x: nested(depth - 1) })
  const use = (depth: number) => ({ type: 'tool_use', id: 'a', name: 'Bash', input: nested(depth) })
  assert.notEqual(repairContentBlock('assistant', use(198)), undefined)
  assert.equal(repairContentBlock('assistant', use(199)), undefined)
  assert.equal(repairContentBlock('assistant', { type: 'container_upload', deep: nested(300) }), undefined)
})

test('a text of blanks is empty; what is no text is not', () => {
  for (const text of ['', ' ', '\n\t\u00a0']) assert.equal(isEmptyText({ type: 'text', text }), true)
  for (const other of [{ type: 'text', text: '.' }, { type: 'text' }, { type: 'thinking', text: '' }, null, ''])
    assert.equal(isEmptyText(other), false)
})
