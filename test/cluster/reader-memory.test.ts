/** What readers of a long log cost a node: its process is started for it, and says what it holds after a garbage collection. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { test } from 'node:test'
import { openDatabase } from '../../src/cluster/database/database.js'
import { createTestDatabase, type TestDatabase } from '../../src/cluster/test-database.js'
import { eventually } from '../support/eventually.js'
import { callNode, openPlace, type Place, startNode, TOKEN } from './programs.js'
import { stepModel } from './step-model.js'

const READERS = 20
const ENTRIES = 1000
const EACH = 15_000
const MB = 1e6

test('a log of 15 MB: twenty readers that stall, then twenty that catch up', { timeout: 120_000 }, async (t) => {
  const tables = await createTestDatabase()
  await using opened = await openPlace(tables.url, stepModel)
  const place: Place = {
    ...opened,
    preload: new URL('./tell-memory.js', import.meta.url).href,
  }
  const node = await startNode(place)
  t.after(() => node.end('SIGKILL'))
  const session = await longLog(node.url, place, tables)
  /** Asks the process, which writes a line. */
  const held = async (): Promise<number> => {
    const count = () => [...node.log().matchAll(/^held (\d+)$/gm)].length
    const before = count()
    node.child.kill('SIGUSR2')
    await eventually('the node says what it holds', () => count() > before)
    return Number([...node.log().matchAll(/^held (\d+)$/gm)].at(-1)?.[1])
  }
  /** What it holds when that no longer changes much. */
  const settled = async (): Promise<number> => {
    let last = await held()
    await eventually('it holds the same again', async () => {
      const before = last
      last = await held()
      return Math.abs(last - before) < 0.2 * MB
    })
    return last
  }
  const readers = () =>
    callNode(node.url, 'GET', '/metrics').then(({ text }) => Number(/^kedge_readers (\d+)/m.exec(text)?.[1]))

  await drain(await open(node.url, session, 0))
  await eventually('the first reader has left', async () => (await readers()) === 0)
  const empty = await settled()
  const stalled = await Promise.all(Array.from({ length: READERS }, () => open(node.url, session, 0)))
  await eventually('all of them read', async () => (await readers()) === READERS)
  const growth = (await settled()) - empty
  const catching = stalled.map(drain)
  let most = 0
  let isOver = false
  const all = Promise.all(catching).finally(() => {
    isOver = true
  })
  while (!isOver) most = Math.max(most, (await held()) - empty)
  const lengths = await all
  assert.deepEqual(new Set(lengths.map((length) => length > ENTRIES * EACH)), new Set([true]))
  assert.ok(growth < 100 * MB, `${READERS} stalled readers: ${growth} bytes`)
  // All of the log for each would be 300 MB; on a busy machine the collector comes late.
  assert.ok(most < 60 * MB, `${READERS} readers that catch up: ${most} bytes`)
  await tables.drop()
})

async function longLog(url: string, { folder }: Place, tables: TestDatabase): Promise<string> {
  const { id } = (await callNode(url, 'POST', '/v1/sessions', { cwd: folder })).json
  const database = await openDatabase({ url: tables.url, connections: 1 })
  await database.as('default').query(
    `insert into kedge.log_entries (tenant, session, seq, kind, body)
     select 'default', $1::text, n, 'message', json_build_object('session', $1::text, 'seq', n, 'at', '', 'kind', 'message',
       'data', json_build_object('type', 'system', 'content', repeat(md5(n::text), $2::int / 32)))::text
     from generate_series(2, $3::int + 1) as n`,
    [id, EACH, ENTRIES],
  )
  await database.as('default').query('update kedge.sessions set event_seq = $2 where id = $1', [id, ENTRIES + 1])
  await database.close()
  return id
}

/** A reader that has asked, and takes nothing. */
async function open(url: string, session: string, after: number): Promise<Socket> {
  const { port } = new URL(url)
  const socket = createConnection({ port: Number(port), host: '127.0.0.1' }).pause()
  await once(socket, 'connect')
  socket.write(
    `GET /v1/sessions/${session}/events?after=${after} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
  )
  return socket
}

/** Takes all of it; returns how much that was. */
async function drain(socket: Socket): Promise<number> {
  let length = 0
  let end = ''
  for await (const chunk of socket) {
    length += chunk.length
    end = (end + chunk).slice(-100_000)
    if (end.includes(`\nid: ${ENTRIES + 1}\n`)) break
  }
  socket.destroy()
  return length
}
