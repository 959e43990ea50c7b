/**
 * Kedge as an MCP server: sessions as tools, driven by clients of the official libraries (today's and the one before),
 * over HTTP with the server's tokens, and over stdio.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { startModelServer, testOptions } from 'kedge/testing'
import { serve } from '../../server/serving.js'
import { command as kedge } from '../../support/stage.js'

type Structured = {
  session: string
  status: string
  text: string
  last: number
  requests: { request: string; title: string; tool: string }[]
  sessions: { session: string; folder: string }[]
}
type Caller = { callTool(request: { name: string; arguments?: Record<string, unknown> }): Promise<object> }

async function call(client: Caller, name: string, args: Record<string, unknown> = {}) {
  const result: { isError?: boolean; structuredContent?: unknown; content?: { text: string }[] } =
    await client.callTool({
      name,
      arguments: args,
    })
  return {
    isError: result.isError === true,
    is: result.structuredContent as Structured, // as the tools of Kedge answer
    text: result.content?.[0]?.text ?? '',
  }
}
const withToken = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } })

const clients = {
  '2026-07-28': async (url: string, token: string) => {
    const client = new ClientV2({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new HttpV2(new URL(url), withToken(token)))
    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28')
    return client
  },
  '2025-11-25': async (url: string, token: string) => {
    const client = new ClientV1({ name: 'test', version: '1' })
    const transport = new HttpV1(new URL(url), withToken(token))
    // The library's optional `sessionId` isn't its own interface's with exact optional properties.
    await client.connect(transport as Parameters<typeof client.connect>[0])
    return client
  },
}

for (const [revision, connect] of Object.entries(clients)) {
  test(`${revision}: a client starts a session, answers its request, sends to it, reads it, and lists it`, async () => {
    await using serving = await serve([
      { tools: [{ name: 'Bash', input: { command: 'mkfifo made' } }] },
      'The file is there.',
      'Nothing else to do.',
    ])
    const client = await connect(`${serving.url}/mcp`, serving.server.token)
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      [
        ...['list_sessions', 'read_session', 'list_requests'],
        ...['start_session', 'send_prompt', 'answer_request', 'interrupt_session'],
      ],
    )
    const started = await call(client, 'start_session', { prompt: 'Make a file.' })
    assert.equal(started.is.status, 'needs-you', started.text)
    const [request] = started.is.requests
    assert.equal(request?.tool, 'Bash')
    assert.match(request?.title ?? '', /Run this command/)
    const { session } = started.is
    const answered = await call(client, 'answer_request', {
      session,
      request: request?.request,
      answer: { kind: 'allow' },
    })
    assert.equal(answered.is.status, 'idle', answered.text)
    assert.match(answered.is.text, /Agent: The file is there\./)
    const sent = await call(client, 'send_prompt', { session, prompt: 'And now?' })
    assert.match(sent.is.text, /User: And now\?\n\nAgent: Nothing else to do\./)
    assert.doesNotMatch(sent.is.text, /The file is there/)
    const read = await call(client, 'read_session', { session })
    assert.match(
      read.is.text,
      /User: Make a file\.[\s\S]*mkfifo made[\s\S]*The file is there\.[\s\S]*Nothing else to do\./,
    )
    assert.deepEqual((await call(client, 'read_session', { session, after: read.is.last })).is.text, '')
    const listed = await call(client, 'list_sessions')
    assert.deepEqual(
      listed.is.sessions.map(({ session, folder }) => ({ session, folder })),
      [{ session, folder: serving.options.cwd }],
    )
    const again = await call(client, 'answer_request', { session, request: request?.request, answer: { kind: 'deny' } })
    assert.ok(again.isError)
    assert.match(again.text, /main answered this request first/)
    await client.close()
  })
}

test('a client on stdio drives sessions of its own process, as far as --scope lets it', async () => {
  await using model = await startModelServer([{ tools: [{ name: 'Bash', input: { command: 'mkfifo made' } }] }])
  const { cwd, env } = testOptions(model)
  const client = new ClientV2({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const flags = ['--scope', 'read', '--scope', 'prompt', '--model', 'claude-sonnet-4-5-20250929']
  const set = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  const command = {
    command: process.execPath,
    args: [kedge, 'mcp', 'serve', ...flags],
    cwd,
    env: Object.fromEntries(set),
  }
  await client.connect(new StdioV2({ ...command, stderr: 'inherit' }))
  assert.equal(client.getServerVersion()?.name, 'kedge')
  const started = await call(client, 'start_session', { prompt: 'Make a file.' })
  assert.equal(started.is.status, 'needs-you', started.text)
  const [request] = started.is.requests
  const { session } = started.is
  const answered = await call(client, 'answer_request', {
    session,
    request: request?.request,
    answer: { kind: 'allow' },
  })
  assert.ok(answered.isError)
  assert.match(answered.text, /needs the scope answer/)
  const elsewhere = await call(client, 'start_session', { prompt: 'Read /etc.', folder: '/etc' })
  assert.match(elsewhere.text, /Sessions can't work in that folder/)
  await client.close()
})
