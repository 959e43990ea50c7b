/** One tenant tries to reach another's sessions by every operation of the API: nothing is told, and no row is changed. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ModelServer, startModelServer, type TestOptions, testOptions } from 'kedge/testing'
import { openDatabase } from '../../src/cluster/database/database.js'
import { openCluster } from '../../src/cluster/open-cluster.js'
import { saveSchedule } from '../../src/cluster/runs/schedules.js'
import { createTestDatabase, type TestDatabase } from '../../src/cluster/test-database.js'
import { startWorker } from '../../src/cluster/worker/start-worker.js'
import { listPathParamNames } from '../../src/server/api/operation.js'
import { OPERATIONS } from '../../src/server/api/operation-table.js'
import { createClusterServer } from '../../src/server/serve-cluster.js'
import { isEndOf, readUntil } from '../hub/hub-stage.js'
import { type Reply, send } from '../server/serving.js'

/** In all that the other tenant has said: none of it may come back. */
const SECRET = 'pomegranate'
const VICTIM = 'acme'
const STRANGER = 'zenith'

type Ids = {
  session: string
  ask: string
  prompt: string
  message: string
  token: string
  task: string
  webhook: string
}
type Sent = { query?: string; body?: unknown; type?: string }

/** What each operation is sent; by default nothing but the ids in its path. */
const SENT: Record<string, (ids: Ids & { cwd: string }) => Sent> = {
  listSessions: () => ({ query: '?limit=500' }),
  changeSession: () => ({ body: { title: 'Mine', mode: 'plan', archived: true } }),
  forkSession: ({ message }) => ({ body: { message } }),
  rewindSession: ({ message }) => ({ body: { message, what: 'conversation' } }),
  sendPrompt: () => ({ body: { id: 'foreign', content: 'Do as I say' } }),
  reorderPrompts: ({ prompt }) => ({ body: { order: [prompt] } }),
  interrupt: () => ({ body: { scope: 'all' } }),
  listAsks: ({ session }) => ({ query: `?session=${session}` }),
  answerAsk: () => ({ body: { kind: 'allow' } }),
  openMcpApp: () => ({ body: { server: 'desk', uri: 'ui://desk/view' } }),
  callMcpApp: () => ({ body: { server: 'desk', tool: 'clear', arguments: {} } }),
  followSession: () => ({ query: '?after=0' }),
  followAll: () => ({ query: '?after=0' }),
  readLog: () => ({ query: '?after=0' }),
  readFile: () => ({ query: '?path=a.txt' }),
  listHits: ({ session }) => ({ query: `?text=${SECRET}&session=${session}` }),
  importSession: () => ({ body: {}, type: 'application/x-ndjson' }),
  toggleMcpServer: () => ({ body: { enabled: false } }),
  moveToBackground: () => ({ body: {} }),
  askAside: () => ({ body: { question: 'What is the secret?' } }),
  explainPermission: ({ cwd }) => ({ body: { cwd, tool: 'Bash', input: { command: 'ls' } } }),
  login: () => ({ body: { key: 'a-key-that-a-page-made-up-for-tests' } }),
  createToken: ({ session }) => ({ body: { name: 'Eve', scopes: ['read', 'prompt', 'answer'], sessions: [session] } }),
  createWebhook: () => ({ body: { url: 'http://127.0.0.1:9/' } }),
  createPush: () => ({ body: { endpoint: 'https://push.example.com/1', keys: { p256dh: 'AAAA', auth: 'AAAA' } } }),
  universalInstallAgent: () => ({ body: {} }),
  universalSendMessage: () => ({ body: { message: 'Do as I say' } }),
  universalStreamMessage: () => ({ body: { message: 'Do as I say' } }),
  universalReplyPermission: () => ({ body: { reply: 'always' } }),
  universalReplyQuestion: () => ({ body: { answers: [['Red']] } }),
}

/** Of one's own, or of nobody's: they work, and tell nothing of the other. */
const OWN = new Set([
  ...['listSessions', 'followAll', 'listHits', 'whoAmI', 'login', 'logout', 'listTokens', 'createToken', 'readAudit'],
  ...[
    'getOpenApi',
    'getDocs',
    'listWebhooks',
    'createWebhook',
    'getPushKey',
    'listPush',
    'listAcp',
    'universalListAcp',
  ],
  ...['removeAcp', 'universalRemoveAcp', 'universalGetHealth', 'universalListAgents', 'universalGetAgent'],
  ...['universalInstallAgent', 'universalListModels', 'universalListModes', 'universalListSessions'],
])
/** The same id is another session for another tenant: these come last, since they make it. */
const MAKING = ['createSession', 'universalCreateSession']
const ACP = /^(universalP|p)ostAcp$/

for (const wall of ['with the wall of the database', 'by the statements alone'])
  describe(`what is another tenant's, ${wall}`, { timeout: 400_000 }, () => {
    it('is neither told nor changed by any operation, whatever ids are known', async () => {
      const tables = await createTestDatabase()
      const model = await startModelServer(({ body }) =>
        JSON.stringify(body.messages).includes('write') && body.messages.length < 2
          ? { tools: [{ id: 'toolu_secret', name: 'Write', input: { file_path: 'a.txt', content: SECRET } }] }
          : `The ${SECRET} is ripe.`,
      )
      const options = testOptions(model, { model: 'claude-sonnet-4-5-20250929' })
      const database = wall.startsWith('with') ? tables.url : tables.adminUrl
      const ids = await fill(tables, options)
      const nodeOf = async (tenant: string) => {
        const token = `token-of-${tenant}-for-tests`
        const server = await createClusterServer({
          database,
          tenant,
          token,
          app: '',
          port: 0,
          roots: [options.cwd],
        })
        const { url } = await server.listen()
        const call = (method: string, path: string, { body, type = 'application/json' }: Sent = {}, by = token) =>
          send(
            url,
            method,
            path,
            { authorization: `Bearer ${by}`, ...(body === undefined ? {} : { 'content-type': type }) },
            body === undefined ? '' : JSON.stringify(body),
          )
        return { server, url, token, call }
      }
      // Both on one machine, by one user.
      process.env['CLAUDE_CONFIG_DIR'] = options.env['CLAUDE_CONFIG_DIR'] ?? ''
      const [victim, stranger] = [await nodeOf(VICTIM), await nodeOf(STRANGER)]
      const made = await victim.call('POST', '/v1/tokens', { body: { name: SECRET, scopes: ['admin'] } })
      assert.equal(made.status, 201)
      const hooked = await victim.call('POST', '/v1/webhooks', { body: { url: `http://127.0.0.1:9/${SECRET}` } })
      assert.equal(hooked.status, 201)
      assert.notEqual(victim.server.tokenFile, stranger.server.tokenFile)
      const key = 'a-key-that-a-page-made-up-for-tests'
      const login = await victim.call('POST', '/v1/login', { body: { key } })
      const cookie = login.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
      assert.notEqual(cookie, '')
      const known = {
        ...ids,
        token: String(made.json.id),
        task: 'b1',
        webhook: String(hooked.json.id),
        cwd: options.cwd,
      }

      const before = await rowsOf(tables, VICTIM)
      assert.ok(before.length > 20, `${before.length} rows`)
      const told = async (id: string, reply: Reply) => {
        assert.ok(!`${reply.text}`.includes(SECRET), `${id} tells: ${reply.text}`)
        assert.deepEqual(await rowsOf(tables, VICTIM), before, id)
      }

      const tried = new Set<string>()
      for (const { id, method, path } of OPERATIONS) {
        if (MAKING.includes(id) || ACP.test(id)) continue
        const values: Record<string, string> = { ...known, ...OTHER_PARAMS, name: known.session }
        for (const name of listPathParamNames(path)) assert.ok(values[name], `${id} has {${name}}`)
        const where = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ''))
        const sent = SENT[id]?.(known) ?? {}
        const reply = await stranger.call(method.toUpperCase(), `${where}${sent.query ?? ''}`, sent)
        tried.add(id)
        const isRefused = reply.status >= 400 && reply.status < 500 && reply.status !== 400
        const isNobodys = reply.status === 501 || id === 'createPush'
        assert.ok(OWN.has(id) ? reply.status < 300 : isRefused || isNobodys, `${id}: ${reply.status} ${reply.text}`)
        await told(id, reply)
      }

      for (const prefix of ['/v1', '/universal/v1']) {
        const post = (method: string, params: object) =>
          stranger.call('POST', `${prefix}/acp/mine`, { body: { jsonrpc: '2.0', id: method, method, params } })
        assert.equal((await post('initialize', { protocolVersion: 1 })).status, 200)
        const at = { sessionId: known.session, cwd: options.cwd, mcpServers: [] }
        for (const name of [
          'load',
          'resume',
          'fork',
          'delete',
          'close',
          'prompt',
          'set_mode',
          'archive',
          'set_title',
        ]) {
          const more = { prompt: [{ type: 'text', text: 'Do as I say' }], modeId: 'plan', title: 'Mine' }
          const reply = await post(`session/${name}`, { ...at, ...more })
          assert.equal(reply.json.code, 'session_not_found', `${name}: ${reply.text}`)
          await told(`session/${name}`, reply)
        }
        const listed = await post('session/list', {})
        assert.deepEqual(listed.json.result.sessions, [])
        tried.add(prefix === '/v1' ? 'postAcp' : 'universalPostAcp')
        await stranger.call('DELETE', `${prefix}/acp/mine`)
      }

      // A token for one of their sessions is a token of our own; theirs, and their cookies, are none here.
      const own = await stranger.call('POST', '/v1/tokens', SENT['createToken']?.(known))
      for (const by of [own.json.token, victim.token, made.json.token]) {
        const reply = await stranger.call('GET', `/v1/sessions/${known.session}`, {}, by)
        assert.equal(reply.status, by === own.json.token ? 404 : 401)
        await told('a token', reply)
      }
      const [, value = ''] = cookie.split('=')
      const { host, port } = new URL(stranger.url)
      const headers = { cookie: `kedge_session_${port}=${value}`, host, 'x-kedge-key': key }
      assert.equal((await send(stranger.url, 'GET', '/v1/me', headers)).status, 401)
      const figures = await stranger.call('GET', '/metrics')
      assert.match(figures.text, /^kedge_cluster_parked_asks 0$/m)
      assert.ok(!figures.text.includes(VICTIM), figures.text)
      await told('metrics', figures)

      for (const [id, path, body] of [
        ['createSession', '/v1/sessions', { cwd: options.cwd, id: known.session, title: 'Mine' }],
        ['universalCreateSession', '/universal/v1/sessions/mine', { agent: 'claude' }],
      ] as const) {
        const reply = await stranger.call('POST', path, { body })
        assert.ok(reply.status < 300, reply.text)
        await told(id, reply)
        tried.add(id)
      }
      // With an id of the same name there is nothing to be had either: neither what was said nor what was asked.
      for (const part of ['log', 'history', 'prompts', 'changes', 'tasks', `asks/${known.ask}`])
        await told(part, await stranger.call('GET', `/v1/sessions/${known.session}/${part}`))
      const answered = await stranger.call('POST', `/v1/sessions/${known.session}/asks/${known.ask}/answer`, {
        body: { kind: 'allow' },
      })
      assert.equal(answered.json.code, 'ask_not_found')
      assert.equal((await stranger.call('DELETE', `/v1/sessions/${known.session}`)).status, 204)
      await told('deleteSession', answered)
      assert.deepEqual(
        OPERATIONS.map(({ id }) => id).filter((id) => !tried.has(id)),
        [],
        'operations nobody tried',
      )

      const seen = await victim.call('GET', `/v1/sessions/${known.session}`)
      assert.deepEqual([seen.status, seen.json.asks], [200, 1])
      await Promise.all([victim.server.close(), stranger.server.close()])
      await close(tables, model, options)
    })
  })

const OTHER_PARAMS = { server: 'steps', subscription: 's', connection: 'nobody', agent: 'claude' }

async function close(tables: TestDatabase, model: ModelServer, options: TestOptions): Promise<void> {
  await tables.drop()
  await options[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
}

/** One session that has talked and is parked on a question, one with a prompt that waits; no worker any more. */
async function fill(tables: TestDatabase, options: TestOptions): Promise<Omit<Ids, 'token' | 'task' | 'webhook'>> {
  const cluster = await openCluster({ database: tables.url, connections: 4 })
  const worker = await startWorker({ cluster, options, warmMs: 0 })
  const hub = cluster.hub(VICTIM)
  const { id: session } = await hub.create({ cwd: options.cwd, title: SECRET })
  await hub.send(session, { id: 'first', content: `What of the ${SECRET}?` })
  await readUntil(hub, session, isEndOf('first'))
  const [message] = await hub.messages(session)
  const asking = await hub.create({ cwd: options.cwd, title: SECRET })
  await hub.send(asking.id, { id: 'asks', content: `write of the ${SECRET}` })
  for await (const { kind } of hub.read(asking.id)) if (kind === 'ask') break
  await worker.stop(10_000)
  await hub.end()
  await cluster.close()
  // Nobody takes it.
  const later = await openCluster({ database: tables.url, connections: 2 })
  const again = later.hub(VICTIM)
  await again.send(session, { id: 'waits', content: `More of the ${SECRET}` })
  await saveSchedule(later.database.as(VICTIM), { id: 'daily', session, cron: '0 9 1 1 *', prompt: SECRET })
  const [ask] = await again.asks()
  await again.end()
  await later.close()
  assert.ok(ask && message)
  return { session: ask.session, ask: ask.id, prompt: 'waits', message: message.uuid }
}

/** Every row that is a tenant's, in our tables and the engine's, as text. */
async function rowsOf(tables: TestDatabase, tenant: string): Promise<string[]> {
  const database = await openDatabase({ url: tables.url, connections: 1 })
  const operator = database.asOperator()
  const found = await operator.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'kedge' and column_name = 'tenant' order by 1`,
  )
  const rows: string[] = []
  for (const { name } of found) {
    const some = await operator.query<{ row: string }>(
      `select row_to_json(one)::text as row from kedge.${name} as one where tenant = $1 order by 1`,
      [tenant],
    )
    rows.push(...some.map(({ row }) => `${name} ${row}`))
  }
  const runs = await operator.query<{ row: string }>(
    `select row_to_json(one)::text as row from kedge_engine.workflow_status as one
     where workflow_uuid like $1 || '/%' order by 1`,
    [tenant],
  )
  await database.close()
  return [...rows, ...runs.map(({ row }) => `run ${row}`)]
}
