import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ContentBlock } from '@agentclientprotocol/sdk/unstable'
import { promptContent } from './prompt-content.js'

const text = (content: string): ContentBlock => ({ type: 'text', text: content })

test('links are named, files that came along stand behind what was said', () => {
  const content = promptContent([
    text('Look at '),
    { type: 'resource_link', uri: 'file:///w/a.ts', name: 'a.ts' },
    { type: 'resource', resource: { uri: 'file:///w/b".ts', text: 'let b' } },
    { type: 'resource', resource: { uri: 'file:///w/c.png', blob: 'QQ==', mimeType: 'image/png' } },
    { type: 'image', data: 'QQ==', mimeType: 'image/png' },
  ])
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QQ==' } }
  assert.deepEqual(content, [
    { type: 'text', text: 'Look at ' },
    { type: 'text', text: '[@a.ts](file:///w/a.ts)' },
    { type: 'text', text: '[@b".ts](file:///w/b".ts)' },
    { type: 'text', text: '[@c.png](file:///w/c.png)' },
    image,
    { type: 'text', text: '\n<context ref="file:///w/b%22.ts">\nlet b\n</context>' },
    image,
  ])
})

test('commands of MCP servers get the name they have inside', () => {
  const first = (said: string) => promptContent([text(said)])[0]
  assert.deepEqual(first('/mcp:git:review two files'), { type: 'text', text: '/mcp__git__review two files' })
  assert.deepEqual(first('/mcp:git:review'), { type: 'text', text: '/mcp__git__review' })
  assert.deepEqual(first('/mcp reconnect git'), { type: 'text', text: '/mcp reconnect git' })
})

test('what the model can not take is refused with what to do', () => {
  assert.throws(() => promptContent([]), /send at least one block that is not blank/)
  assert.throws(
    () => promptContent([{ type: 'audio', data: '', mimeType: 'audio/wav' }]),
    /"audio": send text or images/,
  )
  assert.throws(
    () => promptContent([{ type: 'image', data: 'x', mimeType: 'image/tiff' }]),
    /"image\/tiff": send image\/jpeg/,
  )
})
