/** `client.overview()` against a real server: every session and every open request, always current. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient, type OverviewSnapshot, UnauthorizedError } from 'kedge/client'
import { type Serving, serve, write } from '../server/serving.js'

const backoff = { firstMs: 1, longestMs: 20 }
const clientOf = ({ url, server }: Serving) => createClient({ url, token: server.token, backoff })
const shown = ({ sessions, requests }: OverviewSnapshot) => [sessions.map(({ title }) => title), requests.length]

test('an overview has what was there and what comes: sessions, their state, requests, and the answers of others', async () => {
  await using serving = await serve([write('a.txt'), 'Written.'])
  const [client, other] = [clientOf(serving), clientOf(serving)]
  const { cwd } = serving.options
  const first = await client.create({ cwd, title: 'First' })
  const overview = client.overview()
  assert.equal(client.overview(), overview)
  assert.deepEqual([overview.value.isReady, shown(overview.value)], [false, [[], 0]])
  const values: OverviewSnapshot[] = []
  const leave = overview.subscribe((value) => values.push(value))
  assert.deepEqual(shown(await overview.until(() => true)), [['First'], 0])
  const second = await other.create({ cwd, title: 'Second' })
  await other.send(second.id, 'go')
  const asking = await overview.until(({ requests }) => requests.length > 0)
  assert.deepEqual(shown(asking), [['Second', 'First'], 1])
  await overview.until(({ sessions }) => sessions[0]?.status === 'needs-you' && sessions[0].asks === 1)
  const [request] = overview.value.requests
  assert.ok(request)
  await other.answer(second.id, request, { kind: 'allow' })
  await overview.until(({ sessions, requests }) => requests.length === 0 && sessions[0]?.status === 'idle')
  // What the fold made of the entries is what the server has.
  const [folded] = overview.value.sessions
  assert.deepEqual(folded, await other.info(second.id))
  await other.change(first.id, { archived: true, title: 'Old' })
  await overview.until(({ sessions }) => sessions.some(({ title, archived }) => title === 'Old' && archived))
  await other.delete(second.id)
  overview.refresh()
  await overview.until(({ sessions }) => sessions.length === 1)
  assert.ok(values.every((value, at) => value !== values[at - 1]))
  leave()
  await client.end()
  await other.end()
})

test('an overview that nobody watched, and one whose server was away, are right afterwards', async () => {
  await using serving = await serve([write('b.txt')])
  const client = clientOf(serving)
  const overview = client.overview()
  assert.deepEqual(shown(await overview.until(() => true)), [[], 0])
  const port = Number(new URL(serving.url).port)
  const other = clientOf(serving)
  const { id } = await other.create({ cwd: serving.options.cwd, title: 'Meanwhile' })
  await other.send(id, 'go')
  await serving.ask(id)
  const leave = overview.subscribe(() => {})
  assert.deepEqual(shown(await overview.until(({ requests }) => requests.length > 0)), [['Meanwhile'], 1])
  await serving.server.close()
  await overview.until(({ connection }) => connection === 'lost')
  await serving.restart({ port })
  await overview.until(({ connection }) => connection === 'live')
  assert.deepEqual(shown(overview.value), [['Meanwhile'], 1])
  leave()
  await client.end()
  await other.end()
})

test('an overview ends with the token that it has, and starts again with another', async () => {
  await using serving = await serve([])
  let token = 'wrong'
  const client = createClient({ url: serving.url, token: () => token, backoff })
  const overview = client.overview()
  const leave = overview.subscribe(() => {})
  await assert.rejects(
    overview.until(() => true),
    UnauthorizedError,
  )
  assert.equal(overview.value.connection, 'ended')
  token = serving.server.token
  overview.restart()
  await overview.until(() => true)
  leave()
  const late = createClient({ url: serving.url, token })
  await late.end()
  await assert.rejects(
    late.overview().until(() => true),
    { code: 'client_ended' },
  )
})
