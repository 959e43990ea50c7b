/** Bad callers of Kedge as an MCP server, one row each: they get a clear error, nothing of others, and nothing hangs. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, describe, test } from 'node:test'
import { createSdkMcpServer, tool } from 'kedge'
import { createMcpHttpServer } from '../../../src/server/mcp/public-mcp-server.js'
import { type Serving, serve } from '../../server/serving.js'

const MODERN = '2026-07-28'
const ACCEPT = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
type Sent = { status: number; text: string; session: string | undefined; retryAfter: string | undefined }

/** One request as it is written, with headers that a library would correct. */
function post(url: string, body: unknown, headers: Record<string, string> = {}, method = 'POST'): Promise<Sent> {
  const { hostname, port, pathname } = new URL(url)
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { hostname, port, path: pathname, method, headers: { ...ACCEPT, ...headers }, agent: false },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        const { 'mcp-session-id': session, 'retry-after': retryAfter } = response.headers
        const one = Array.isArray(session) ? session[0] : session
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text, session: one, retryAfter }))
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
  })
}

const clientInfo = { name: 'bad', version: '1' }
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
}
const envelope = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
}
const callOf = (name: string, args: object, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args, _meta: envelope, ...more },
})
const headersFor = (name: string, token: string) => ({
  authorization: `Bearer ${token}`,
  'mcp-protocol-version': MODERN,
  'mcp-method': 'tools/call',
  'mcp-name': name,
})
const called = (url: string, token: string, name: string, args: object) =>
  post(url, callOf(name, args), headersFor(name, token))

describe('bad callers of the sessions of a server', async () => {
  const serving: Serving = await serve(() => 'Done.', { maxBody: 10_000 })
  const url = `${serving.url}/mcp`
  const { token } = serving.server
  const auth = { authorization: `Bearer ${token}` }
  after(() => serving[Symbol.asyncDispose]())
  const others = await serving.begin()
  const own = await serving.begin()
  const limited = async (scopes: string[], sessions?: string[]) => {
    const { json } = await serving.call('POST', '/v1/tokens', {
      body: { name: 'limited', scopes, ...(sessions ? { sessions } : {}) },
    })
    return String(json.token)
  }

  test('1 a caller without a token gets 401 and a challenge', async () => {
    const { status, text } = await post(url, initialize)
    assert.equal(status, 401)
    assert.match(text, /Authorization: Bearer TOKEN/)
  })
  test('2 a token in the address does not count', async () => {
    assert.equal((await post(`${url}?token=${token}`, initialize)).status, 401)
  })
  test('3 a page of another origin can not call, even with the token', async () => {
    const { status, text } = await post(url, initialize, { ...auth, origin: 'https://evil.example' })
    assert.equal(status, 403)
    assert.match(text, /forbidden_origin/)
  })
  test('4 a name that resolves here (DNS rebinding) is not a name of this server', async () => {
    const { status, text } = await post(url, initialize, { ...auth, host: 'evil.example' })
    assert.equal(status, 421)
    assert.match(text, /forbidden_host/)
  })
  test("5 a token for one session can't read another", async () => {
    const { text } = await called(url, await limited(['read'], [own]), 'read_session', { session: others })
    assert.match(text, /The token is for other sessions/)
  })
  test("6 a token for one session can't send to another", async () => {
    const { text } = await called(url, await limited(['prompt'], [own]), 'send_prompt', {
      session: others,
      prompt: 'x',
    })
    assert.match(text, /The token is for other sessions/)
  })
  test("7 a token for one session can't start one", async () => {
    const { text } = await called(url, await limited(['prompt'], [own]), 'start_session', { prompt: 'x' })
    assert.match(text, /The token is for sessions that exist/)
  })
  test('8 a list shows a token only its sessions', async () => {
    const { text } = await called(url, await limited(['read'], [own]), 'list_sessions', {})
    assert.ok(text.includes(own) && !text.includes(others))
  })
  test("9 a token that can only read can't send, answer, or stop", async () => {
    const reader = await limited(['read'])
    for (const [name, args] of [
      ['send_prompt', { session: own, prompt: 'x' }],
      ['answer_request', { session: own, request: 'x', answer: { kind: 'allow' } }],
      ['interrupt_session', { session: own }],
    ] as const)
      assert.match((await called(url, reader, name, args)).text, /This needs the scope/)
  })
  test("10 a token that can't answer can't start a session that asks for nothing", async () => {
    const sender = await limited(['prompt'])
    const { text } = await called(url, sender, 'start_session', { prompt: 'x', mode: 'bypassPermissions' })
    assert.match(text, /needs the scope admin/)
  })
  test('11 a folder outside of the roots is refused', async () => {
    const { text } = await called(url, token, 'start_session', { prompt: 'x', folder: '/etc' })
    assert.match(text, /Sessions can't work in that folder/)
  })
  test('12 damaged JSON is a parse error', async () => {
    const { status, text } = await post(url, '{"jsonrpc":"2.0",', auth)
    assert.equal(status, 400)
    assert.match(text, /-32700/)
  })
  test('13 JSON that is not a message of JSON-RPC is refused', async () => {
    for (const body of ['null', '42', '"initialize"', '[]', '{}', '{"jsonrpc":"1.0","id":1,"method":"initialize"}']) {
      const { status } = await post(url, body, auth)
      assert.ok(status >= 400 && status < 500, `${body}: ${status}`)
    }
  })
  test('14 a message that is too large is refused before it is read', async () => {
    const { status } = await post(url, { ...initialize, padding: 'x'.repeat(20_000) }, auth)
    assert.equal(status, 413)
  })
  test('15 a type that is not JSON is refused', async () => {
    const { status } = await post(url, initialize, { ...auth, 'content-type': 'text/plain' })
    assert.ok(status === 415 || status === 400, String(status))
  })
  test('16 a session id of another caller is unknown', async () => {
    const opened = await post(url, initialize, auth)
    assert.ok(opened.session)
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }
    const other = { authorization: `Bearer ${await limited(['read'])}`, 'mcp-session-id': opened.session }
    const { status, text } = await post(url, list, other)
    assert.equal(status, 404)
    assert.match(text, /Session not found/)
    assert.equal((await post(url, undefined, other, 'DELETE')).status, 404)
    assert.equal((await post(url, list, { ...auth, 'mcp-session-id': opened.session })).status, 200)
  })
  test('17 a header that names another tool than the body is refused', async () => {
    const body = callOf('start_session', { prompt: 'x' })
    const { status, text } = await post(url, body, headersFor('list_sessions', token))
    assert.equal(status, 400)
    assert.match(text, /-32020/)
  })
  test('18 arguments that the schema does not know are refused by name', async () => {
    const args = { session: own, options: { settings: '{}' } }
    assert.match((await called(url, token, 'read_session', args)).text, /options/)
  })
  test('19 `__proto__` in arguments reaches nothing', async () => {
    const body = JSON.stringify(callOf('list_sessions', {})).replace(
      '"arguments":{}',
      '"arguments":{"__proto__":{"x":1}}',
    )
    const { text } = await post(url, body, headersFor('list_sessions', token))
    assert.equal(Reflect.get({}, 'x'), undefined)
    assert.match(text, /__proto__|sessions/)
  })
  test('20 twenty wrong tokens make the caller wait', async () => {
    for (let n = 0; n < 20; n++) await post(url, initialize, { authorization: `Bearer wrong-token-number-${n}` })
    const { status, retryAfter } = await post(url, initialize, { authorization: 'Bearer wrong-token-again-x' })
    assert.equal(status, 429)
    assert.ok(Number(retryAfter) > 0)
  })
})

describe('bad callers of a server of `createMcpHttpServer()`', async () => {
  const ask = tool(
    'ask',
    'Asks.',
    { type: 'object', properties: {} },
    async (_args, { inputResponses, requestState }) => {
      if (inputResponses) return { content: [{ type: 'text', text: `state ${requestState}` }] }
      const params = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } }
      return {
        content: [],
        resultType: 'input_required',
        requestState: 'mine',
        inputRequests: { sure: { method: 'elicitation/create', params } },
      }
    },
  )
  const served = createMcpHttpServer(createSdkMcpServer({ name: 'asks', tools: [ask] }), {
    authenticate: ({ headers }) => (headers.authorization ? { id: headers.authorization } : undefined),
  })
  const { url } = await served.listen()
  after(() => served.close())
  const asked = async () => {
    const { text } = await post(url, callOf('ask', {}), headersFor('ask', 'ada'))
    return String(JSON.parse(text).result.requestState)
  }
  const retry = (requestState: string, who: string) =>
    post(
      url,
      callOf('ask', {}, { requestState, inputResponses: { sure: { action: 'accept', content: {} } } }),
      headersFor('ask', who),
    )

  test('21 request state is sealed: the caller who has it gets on', async () => {
    assert.match((await retry(await asked(), 'ada')).text, /state mine/)
  })
  test('22 request state of another caller is refused', async () => {
    const { text } = await retry(await asked(), 'eve')
    assert.match(text, /-32602/)
    assert.doesNotMatch(text, /mine/)
  })
  test('23 request state that was changed is refused', async () => {
    const state = await asked()
    assert.match((await retry(`${state.slice(0, -2)}xx`, 'ada')).text, /-32602/)
  })
  test('24 a server that names no way to recognize callers is not made', () => {
    assert.throws(
      () => createMcpHttpServer(createSdkMcpServer({ name: 'open' }), {}),
      /one of token, authenticate, and anonymous/,
    )
  })
  test('25 a short token, and a port for the network without a word, are not taken', () => {
    const server = createSdkMcpServer({ name: 'open' })
    assert.throws(() => createMcpHttpServer(server, { token: 'short' }), /at least 16 characters/)
    assert.throws(() => createMcpHttpServer(server, { anonymous: true, host: '0.0.0.0' }), /set allowRemote/)
  })
})
