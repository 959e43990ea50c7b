/** A node of a cluster: what callers send ends up in PostgreSQL, and no agent is in its process. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type ModelServer, startModelServer, type TestOptions, testOptions } from 'kedge/testing'
import { loadPg } from '../../src/cluster/database/load-pg.js'
import { openCluster } from '../../src/cluster/open-cluster.js'
import { createTestDatabase, type TestDatabase } from '../../src/cluster/test-database.js'
import { startWorker } from '../../src/cluster/worker/start-worker.js'
import type { Ask } from '../../src/protocol/session-log/ask-types.js'
import type { KedgeServer } from '../../src/server/public-server.js'
import { createClusterServer } from '../../src/server/serve-cluster.js'
import { type Reply, send } from '../server/serving.js'

const TOKEN = 'token-of-a-node-for-tests'
const TENANT = 'acme'

describe('a node of a cluster', { timeout: 120_000 }, () => {
  let tables: TestDatabase
  let model: ModelServer
  let options: TestOptions
  let server: KedgeServer
  let url = ''
  let ask: Ask
  const configDir = process.env['CLAUDE_CONFIG_DIR']

  const call = (method: string, path: string, body?: unknown, token = TOKEN): Promise<Reply> =>
    send(
      ...([url, method, path] as const),
      { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body === undefined ? '' : JSON.stringify(body),
    )

  before(async () => {
    tables = await createTestDatabase()
    model = await startModelServer(() => ({ tools: [{ name: 'Bash', input: { command: 'mkfifo made' } }] }))
    options = testOptions(model, { model: 'claude-sonnet-4-5-20250929' })
    process.env['CLAUDE_CONFIG_DIR'] = options.env['CLAUDE_CONFIG_DIR'] ?? ''
    // One session is parked on a question; no worker takes anything from here on.
    const cluster = await openCluster({ database: tables.url, connections: 4 })
    const worker = await startWorker({ cluster, options, warmMs: 0 })
    const hub = cluster.hub(TENANT)
    const { id } = await hub.create({ cwd: options.cwd, title: 'Asks' })
    await hub.send(id, { id: 'first', content: 'go' })
    for await (const { kind } of hub.read(id)) if (kind === 'ask') break
    const [open] = await hub.asks()
    assert.ok(open)
    ask = open
    await worker.stop(10_000)
    await hub.end()
    await cluster.close()
    server = await createClusterServer({
      database: tables.url,
      tenant: TENANT,
      token: TOKEN,
      app: '',
      port: 0,
      roots: [options.cwd],
    })
    url = (await server.listen()).url
  })
  after(async () => {
    await server.close()
    await tables.drop()
    await options[Symbol.asyncDispose]()
    await model[Symbol.asyncDispose]()
    if (configDir === undefined) delete process.env['CLAUDE_CONFIG_DIR']
    else process.env['CLAUDE_CONFIG_DIR'] = configDir
  })

  const NUL = '\u0000'

  test('says by name that it has no agents and no files, and does the rest', async () => {
    const at = `/v1/sessions/${ask.session}`
    assert.equal((await call('GET', '/v1/me')).json.isCluster, true)
    const needAgents: [string, string, unknown?][] = [
      ...['models', 'commands', 'agents', 'context', 'mcp', 'settings'].map((name): [string, string] => [
        'GET',
        `${at}/${name}`,
      ]),
      ['POST', `${at}/mcp/docs/reconnect`],
      ['POST', `${at}/background`, {}],
      ['POST', `${at}/rewind`, { message: ask.session, what: 'files' }],
      ['POST', `${at}/rewind`, { message: ask.session, what: 'both' }],
    ]
    for (const [method, path, body] of needAgents) {
      const { status, json } = await call(method, path, body)
      assert.deepEqual([status, json.code], [501, 'not_on_cluster'], path)
    }
    const none = await call('POST', `${at}/rewind`, { message: ask.session, what: 'conversation' })
    assert.equal(none.json.code, 'message_not_found')
    assert.equal((await call('PATCH', at, { title: 'Renamed' })).json.title, 'Renamed')
    const acp = '/v1/acp/editor'
    const capabilities = { protocolVersion: 1, clientCapabilities: {} }
    await call('POST', acp, { jsonrpc: '2.0', id: 1, method: 'initialize', params: capabilities })
    const { json } = await call('POST', acp, { jsonrpc: '2.0', id: 2, method: 'auth/status', params: {} })
    assert.deepEqual(json.result, { state: 'unknown', accounts: [] })
  })

  test('refuses U+0000, which no text of the database can hold, by name and in every place', async () => {
    const at = `/v1/sessions/${ask.session}`
    const of = `${at}/asks/${ask.id}/answer`
    const bad = `a${NUL}b`
    const queries = [
      ...['text', 'cwd', 'cursor', 'status'].map((name) => `/v1/sessions?${name}=a%00b`),
      ...['text=a%00b', 'text=a&cwd=a%00b', 'text=a&cursor=a%00b', 'text=a&session=a%00b'].map(
        (q) => `/v1/search?${q}`,
      ),
      ...[`/v1/asks?session=a%00b`, `${at}/changes?path=a%00b`, `${at}/file?path=a%00b`, `${at}/files?text=a%00b`],
    ]
    const cwd = options.cwd
    const bodies: (readonly [string, string, unknown])[] = [
      ...['id', 'title', 'model', 'cwd', 'mode', 'effort'].map(
        (name) => ['POST', '/v1/sessions', { cwd, [name]: bad }] as const,
      ),
      ...['title', 'model', 'mode', 'effort'].map((name) => ['PATCH', at, { [name]: bad }] as const),
      ['POST', `${at}/prompts`, { id: bad, content: 'x' }],
      ['POST', `${at}/prompts`, { content: 'x', attachments: [{ name: bad, mediaType: 'text/plain', data: '' }] }],
      ['PUT', `${at}/prompts/order`, { order: [bad] }],
      ['POST', `${at}/fork`, { message: bad }],
      ['POST', `${at}/rewind`, { message: bad, what: 'both' }],
      ['POST', of, { kind: 'allow', hash: bad }],
      ['POST', of, { kind: 'deny', message: bad }],
      ['POST', of, { kind: 'revise', comments: bad }],
      ['POST', of, { kind: 'answers', answers: { a: bad } }],
      ['POST', '/v1/tokens', { name: bad, scopes: ['read'] }],
      ['POST', '/v1/webhooks', { url: `http://127.0.0.1:9/${bad}` }],
      ['POST', '/v1/push', { endpoint: bad, keys: { p256dh: 'AAAA', auth: 'AAAA' } }],
      ['POST', '/v1/login', { key: bad.repeat(20) }],
      ...['agent', 'title', 'model', 'directory', 'variant'].map(
        (name) => ['POST', '/universal/v1/sessions/mine', { agent: 'claude', [name]: bad }] as const,
      ),
    ]
    for (const path of queries) {
      const { status, json } = await call('GET', path)
      assert.ok(status === 400 || json?.code === 'not_on_cluster', `${path}: ${status} ${json?.code}`)
      if (json.code === 'invalid_request' && path.includes('text=a%00b')) assert.match(json.detail, /U\+0000/)
    }
    for (const [method, path, body] of bodies) {
      const { status, json } = await call(method, path, body)
      assert.deepEqual([status, json.code], [400, 'invalid_request'], `${method} ${path} ${JSON.stringify(body)}`)
    }
    // In a path there is nothing of that name.
    for (const part of [
      `${at}/asks/a%00b`,
      `${at}/prompts/a%00b`,
      '/v1/tokens/a%00b',
      '/universal/v1/sessions/a%00b/events',
    ])
      assert.equal((await call('GET', part)).status, 404, part)
  })

  test('keeps U+0000 in what is said, and tells an editor what is wrong elsewhere', async () => {
    const made = (await call('POST', '/v1/sessions', { cwd: options.cwd })).json.id
    assert.equal((await call('POST', `/v1/sessions/${made}/prompts`, { content: `a${NUL}b` })).status, 202)
    const { prompts } = (await call('GET', `/v1/sessions/${made}/prompts`)).json
    assert.deepEqual(
      prompts.map(({ content }: { content: string }) => content),
      [`a${NUL}b`],
    )
    const speak = async (id: number, method: string, params: object) =>
      (await call('POST', '/v1/acp/texts', { jsonrpc: '2.0', id, method, params })).json
    const hello = await speak(1, 'initialize', { protocolVersion: 1, clientCapabilities: {} })
    assert.ok(hello.result, JSON.stringify(hello))
    for (const [n, method] of ['session/load', 'session/prompt', 'session/set_mode', 'session/close'].entries()) {
      const more = { cwd: options.cwd, mcpServers: [], prompt: [{ type: 'text', text: 'x' }], modeId: 'plan' }
      const said = await speak(n + 2, method, { sessionId: `a${NUL}b`, ...more })
      assert.doesNotMatch(JSON.stringify(said), /invalid byte sequence|22021/, method)
      assert.notEqual(said.error?.code ?? said.code, undefined, method)
    }
    assert.equal((await call('DELETE', '/v1/acp/texts')).status, 204)
  })

  test('gives an inbox of 1,000 requests in pages of 200, also while requests are answered', async () => {
    const { Client } = await loadPg()
    const client = new Client({ connectionString: tables.adminUrl })
    await client.connect()
    // Ten at a time have been asked at the same moment.
    await client.query(`
      insert into kedge.asks (tenant, session, id, run, request, asked)
      select tenant, session, 'm' || n, run, replace(request, id, 'm' || n), asked + (n / 10) * interval '1 microsecond'
      from kedge.asks, generate_series(1, 999) n`)
    const seen: string[] = []
    const sizes: number[] = []
    for (let query = ''; ; ) {
      const { asks, next } = (await call('GET', `/v1/asks${query}`)).json
      seen.push(...asks.map(({ id }: { id: string }) => id))
      sizes.push(asks.length)
      if (next === undefined) break
      await client.query(`update kedge.asks set state = 'void' where id = $1`, [seen.at(-1)])
      query = `?cursor=${encodeURIComponent(next)}`
    }
    await client.query(`delete from kedge.asks where id <> $1`, [ask.id])
    await client.end()
    assert.deepEqual(sizes, [200, 200, 200, 200, 200])
    assert.equal(new Set(seen).size, 1000)
    assert.deepEqual((await call('GET', '/v1/asks?cursor=x')).json, { asks: [] })
    assert.equal((await call('GET', '/v1/asks?cursor=a%00b')).status, 400)
  })

  test('takes from a lesser token only updates that the request suggests, for its session', async () => {
    const { session, id, suggestions } = ask
    const made = await call('POST', '/v1/tokens', { name: 'Ada', scopes: ['answer'], sessions: [session] })
    const answer = (updates: unknown[]) =>
      call('POST', `/v1/sessions/${session}/asks/${id}/answer`, { kind: 'allow', updates }, made.json.token)
    const [suggested] = suggestions
    assert.ok(suggested)
    const bare = { type: 'addRules', rules: [{ toolName: 'Bash' }], behavior: 'allow', destination: 'session' }
    for (const update of [bare, { ...bare, destination: 'userSettings' }, suggested.update]) {
      const { status, json } = await answer([update])
      assert.deepEqual([status, json.code], [403, 'forbidden_update'], JSON.stringify(update))
    }
    const reply = `/universal/v1/sessions/${session}/permissions/${id}/reply`
    const universal = await call('POST', reply, { reply: 'always', updates: [bare] }, made.json.token)
    assert.deepEqual([universal.status, universal.json.code], [400, 'invalid_request'])
    assert.equal((await call('GET', `/v1/sessions/${session}/asks/${id}`)).status, 200, 'still open')
    assert.equal((await answer([{ ...suggested.update, destination: 'session' }])).status, 204)
  })
})
