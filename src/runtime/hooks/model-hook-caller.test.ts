import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createModelHookCaller } from './model-hook-caller.js'

test('a signed request: its signature is not shown, what it covers can not be changed, bytes are read as text', async () => {
  const bytes = new TextEncoder().encode('"größer"}')
  const authorization =
    'AWS4-HMAC-SHA256 Credential=id/20260101/eu/bedrock, SignedHeaders=host;x-covered, Signature=abc'
  const written = {
    url: new URL('https://user:pass@bedrock.example/model/m/invoke?key=hidden'),
    headers: { authorization, 'X-Covered': '1', 'X-Free': '2', 'x-given': 'Bearer token-9' },
    // Cut in the middle of a letter.
    body: ['{"text":', bytes.slice(0, 4), bytes.slice(4)],
  }
  let told: unknown
  const reports: string[] = []
  const { beforeRequest } = createModelHookCaller(
    async (_event, fields) => {
      told = fields()
      const headers = { 'x-covered': 'no', 'x-free': 'yes', 'x-given': 'no', authorization: 'no' }
      return { answers: [{ hookSpecificOutput: { hookEventName: 'ModelRequest', headers } }], hasCrashed: false }
    },
    (text) => reports.push(text),
  )
  const about = { model: 'm', attempt: 2, secrets: ['token-9', ''] }
  assert.deepEqual(await beforeRequest(written, about, new AbortController().signal), {
    headers: { authorization, 'X-Covered': '1', 'x-free': 'yes', 'x-given': 'Bearer token-9' },
  })
  assert.deepEqual(told, {
    model: 'm',
    attempt: 2,
    url: 'https://bedrock.example/model/m/invoke',
    body: '{"text":"größer"}',
    headers: { 'X-Covered': '1', 'X-Free': '2' },
  })
  assert.deepEqual(
    reports.map((text) => /"(.*)"/.exec(text)?.[1]),
    ['x-covered', 'x-given', 'authorization'],
  )
})
