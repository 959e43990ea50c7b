import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../protocol/json.js'
import type { Connection } from './connection.js'
import { readResource } from './read-resource.js'

async function read(answer: JsonObject, { maxTokens = 100, timeoutMs = undefined as number | undefined } = {}) {
  const asked: unknown[] = []
  const kept: (string | Uint8Array)[] = []
  const connection = {
    config: { timeoutMs },
    async request(method: string, params: JsonObject, options: { timeoutMs: number }) {
      asked.push([method, params, options.timeoutMs])
      return answer
    },
  } as unknown as Connection
  const keep = async (content: string | Uint8Array) => `/kept/${kept.push(content)}`
  const ports = { keep, maxTokens, callMs: 5 }
  const { contents } = await readResource(connection, 'a://asked', ports, new AbortController().signal)
  return { contents, asked, kept }
}

test('texts are given as they are; bytes, images too, are kept in a file', async () => {
  const { contents, kept } = await read({
    contents: [
      { uri: 'a://1', mimeType: 'text/plain\n', text: 'one' },
      { uri: 7, text: '' },
      'no object',
      { uri: 'a://2', mimeType: 'image/png', blob: 'AAAA' },
      { uri: 'a://3', blob: '!' },
    ],
  })
  assert.deepEqual(contents, [
    { uri: 'a://1', mimeType: 'text/plain', text: 'one' },
    { uri: 'a://asked', text: '' },
    { uri: 'a://2', mimeType: 'image/png', text: '[content of type image/png, 3 bytes, kept in /kept/1]' },
    { uri: 'a://3', text: '[content left out: its data is not base64]' },
  ])
  assert.deepEqual(kept, [new Uint8Array(3)])
})

test('all parts share one limit: what the first has used, the second has not', async () => {
  const { contents, kept } = await read(
    { contents: [{ text: 'x'.repeat(40) }, { text: 'y'.repeat(40) }] },
    { maxTokens: 12 },
  )
  assert.equal(contents[0]?.text, 'x'.repeat(40))
  assert.match(contents[1]?.text ?? '', /^y{8}\n\[32 more characters are left out here/)
  assert.deepEqual(kept, ['y'.repeat(40)])
})

test('a limit that is used up still shows the beginning of each further part', async () => {
  const parts = [{ text: 'x'.repeat(400) }, { text: 'yyyyyyyy' }]
  const { contents } = await read({ contents: parts }, { maxTokens: 2 })
  assert.match(contents[1]?.text ?? '', /^yyyy\n\[4 more/)
})

test('what is no list holds nothing, and a hundred parts are enough', async () => {
  assert.deepEqual((await read({})).contents, [])
  const many = Array.from({ length: 130 }, () => ({ text: '' }))
  assert.equal((await read({ contents: many })).contents.length, 100)
})

test('the time of the server counts, or that of all calls', async () => {
  assert.deepEqual((await read({})).asked, [['resources/read', { uri: 'a://asked' }, 5]])
  assert.deepEqual((await read({}, { timeoutMs: 77 })).asked, [['resources/read', { uri: 'a://asked' }, 77]])
})
