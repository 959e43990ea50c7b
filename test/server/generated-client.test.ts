/** Clients that others have: one that a public generator makes of the API document, and curl. Each drives every operation. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import createClient from 'openapi-fetch'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { openApiDocument } from '../../src/server/api/open-api.js'
import type { Operation } from '../../src/server/api/operation.js'
import { OPERATIONS } from '../../src/server/api/operation-table.js'
import {
  type Drive,
  driveServer,
  driveSessions,
  driveUniversal,
  type Got,
  type Sent,
  STEPS,
} from './drive-operations.js'
import { type Serving, serve } from './serving.js'

const document = openApiDocument(OPERATIONS) as unknown as OpenAPI3

test('the document is one that a generator takes, with every operation in it, and what it makes compiles', async () => {
  const source = astToString(await openapiTS(structuredClone(document)))
  for (const { id } of OPERATIONS) assert.match(source, new RegExp(`^ {4}${id}: \\{`, 'm'))
  const { diagnostics } = ts.transpileModule(source, { reportDiagnostics: true })
  assert.deepEqual(diagnostics, [])
})

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Answer = { data?: unknown; error?: unknown; response: Response }
type Send = (path: string, init: object) => Promise<Answer>

/** The paths are checked by the generator's types in a program that has them; here it is the wire that counts. */
function generated({ url, server }: Serving): (operation: Operation, sent: Sent) => Promise<Got> {
  const headers = { authorization: `Bearer ${server.token}` }
  const client = createClient<Record<string, never>>({ baseUrl: url, headers }) as unknown as Record<Method, Send>
  return async ({ method, path, answer }, { params = {}, query = {}, body, raw }) => {
    const isStream = answer.type === 'text/event-stream'
    const leave = new AbortController()
    const { data, error, response } = await client[method.toUpperCase() as Method](path, {
      params: { path: params, query },
      querySerializer: { array: { style: 'form', explode: false } },
      signal: leave.signal,
      parseAs: isStream ? 'stream' : answer.type ? 'text' : 'json',
      ...(body === undefined ? {} : { body }),
      ...(raw ? { body: raw.text, bodySerializer: (text: string) => text, headers: { 'content-type': raw.type } } : {}),
    })
    const text = isStream
      ? await begun(data as ReadableStream<Uint8Array>)
      : String(data ?? JSON.stringify(error) ?? '')
    leave.abort()
    return { status: response.status, json: data ?? error, text }
  }
}

/** Up to its first event. */
async function begun(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString()
    if (/^data: .*\n/m.test(text)) break
  }
  return text
}

function curl({ url, server }: Serving): (operation: Operation, sent: Sent) => Promise<Got> {
  return async ({ method, path, answer }, { params = {}, query = {}, body, raw }) => {
    const where = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''))
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    )
    const given = raw ?? (body === undefined ? undefined : { type: 'application/json', text: JSON.stringify(body) })
    const args = [
      ...[
        '-sS',
        '-N',
        '-X',
        method.toUpperCase(),
        '-H',
        `Authorization: Bearer ${server.token}`,
        '-w',
        '\n%{http_code}',
      ],
      ...(given ? ['-H', `Content-Type: ${given.type}`, '--data-binary', given.text] : []),
      ...(answer.type === 'text/event-stream' ? ['--max-time', '1'] : []),
      `${url}${where}?${search}`,
    ]
    const { stdout } = await promisify(execFile)('curl', args, { maxBuffer: 1e8 }).catch((error) => {
      // Its time was up: of a stream that is all there is.
      if (error.code === 28 || error.stdout) return error as { stdout: string }
      throw error
    })
    const [, text = '', status] = /^([\s\S]*)\n(\d+)$/.exec(stdout) ?? []
    return {
      status: Number(status),
      text,
      json: /^\{/.test(text) && !raw && !answer.type ? JSON.parse(text) : undefined,
    }
  }
}

const hasCurl = spawnSync('curl', ['--version']).status === 0

for (const [name, make, isThere] of [
  ['a generated client', generated, true],
  ['curl', curl, hasCurl],
] as const)
  test(`${name} drives every operation`, { skip: !isThere }, async () => {
    const mcpServers = { gone: { type: 'stdio' as const, command: 'no-such-program-here' } }
    await using serving = await serve(STEPS, { options: { mcpServers } })
    const driven = new Set<string>()
    const send = make(serving)
    const drive: Drive = (id, sent = {}) => {
      const operation = OPERATIONS.find((one) => one.id === id)
      assert.ok(operation, id)
      driven.add(id)
      return send(operation, sent)
    }
    await driveSessions(serving, drive)
    await driveUniversal(serving, drive)
    await driveServer(serving, drive)
    assert.deepEqual(
      OPERATIONS.map(({ id }) => id).filter((id) => !driven.has(id)),
      [],
    )
  })
