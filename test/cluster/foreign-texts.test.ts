/** What callers send to a node of a cluster, where all of it ends up in PostgreSQL. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type ModelServer, startModelServer, type TestOptions, testOptions } from 'kedge/testing'
import { openCluster } from '../../src/cluster/open-cluster.js'
import { type TestDatabase, testDatabase } from '../../src/cluster/test-database.js'
import { startWorker } from '../../src/cluster/worker/start-worker.js'
import type { Ask } from '../../src/hub/ask-types.js'
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
    tables = await testDatabase()
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
      ...{ database: tables.url, tenant: TENANT, token: TOKEN, app: '', port: 0, roots: [options.cwd] },
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
    assert.equal((await call('GET', `/v1/sessions/${session}/asks/${id}`)).status, 200, 'still open')
    assert.equal((await answer([{ ...suggested.update, destination: 'session' }])).status, 204)
  })
})
