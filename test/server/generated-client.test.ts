/** A client that a public generator makes of the API document, as others would: its types fit, and it works. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import createClient from 'openapi-fetch'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { openApiOf } from '../../src/server/api/open-api.js'
import { OPERATIONS } from '../../src/server/api/operation-table.js'
import { serve, write } from './serving.js'

const document = openApiOf(OPERATIONS) as unknown as OpenAPI3

test('the document is one that a generator takes, with every operation in it, and what it makes compiles', async () => {
  const source = astToString(await openapiTS(structuredClone(document)))
  for (const { id } of OPERATIONS) assert.match(source, new RegExp(`^ {4}${id}: \\{`, 'm'))
  const { diagnostics } = ts.transpileModule(source, { reportDiagnostics: true })
  assert.deepEqual(diagnostics, [])
})

test('a generated client begins a session, sends, answers and reads', async () => {
  await using serving = await serve([write('a.txt'), 'Done.'])
  const headers = { authorization: `Bearer ${serving.server.token}` }
  // The paths are checked by the generator's types in a program that has them; here it is the wire that counts.
  const client = createClient<Record<string, never>>({ baseUrl: serving.url, headers }) as unknown as Record<
    'GET' | 'POST' | 'PATCH',
    (
      path: string,
      init?: object,
    ) => Promise<{ data?: Record<string, never>; error?: { code: string }; response: Response }>
  >
  const made = await client.POST('/v1/sessions', { body: { cwd: serving.options.cwd } })
  const session = String(made.data?.['id'])
  const params = { path: { session } }
  assert.equal(
    (await client.POST('/v1/sessions/{session}/prompts', { params, body: { id: '1', content: 'go' } })).response.status,
    202,
  )
  const ask = await serving.ask(session)
  const path = { session, ask: ask.id }
  const answered = await client.POST('/v1/sessions/{session}/asks/{ask}/answer', {
    params: { path },
    body: { kind: 'allow' },
  })
  assert.equal(answered.response.status, 204)
  await serving.ended(session, '1')
  const listed = await client.GET('/v1/sessions', {
    params: { query: { status: ['idle', 'running'], limit: 5 } },
    querySerializer: { array: { style: 'form', explode: false } },
  })
  const { sessions } = (listed.data ?? {}) as { sessions?: unknown[] }
  assert.equal(sessions?.length, 1)
  const wrong = await client.PATCH('/v1/sessions/{session}', { params, body: { title: 12 } })
  assert.equal(wrong.error?.code, 'invalid_request')
})
