/** Two servers that are replaced in turn, and readers that change server and kind of connection: each sees every entry once, in order. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import { openCluster } from '../../src/cluster/open-cluster.js'
import { ClusterSessions } from '../../src/cluster/runs/cluster-sessions.js'
import { createLogEntryWriter } from '../../src/cluster/runs/fenced-log-entries.js'
import { addLogEntries, lockSession } from '../../src/cluster/runs/run-changes.js'
import { createDeltaBuffer } from '../../src/cluster/store/delta-buffer.js'
import { createTestDatabase } from '../../src/cluster/test-database.js'
import type { LogEntry } from '../../src/protocol/session-log/entries.js'
import type { KedgeServer } from '../../src/server/public-server.js'
import { createClusterServer } from '../../src/server/serve-cluster.js'
import { caseRandom, chooseSeed, type Random } from '../fuzz/random.js'
import { events } from '../server/serving.js'
import { byTier } from '../support/tier.js'
import { pause } from './disturb-cluster.js'
import { callNode, TOKEN } from './programs.js'

const CHANGES = byTier({ quick: 150, all: 300, long: 3000 })
const READERS = 8
type Seen = LogEntry & { all?: number }
type StartedNode = { url: string; server: KedgeServer }

const KINDS = ['last-event-id', 'after', 'socket', 'json'] as const

/** One connection, up to the number of entries the reader has patience for. */
async function* connect(random: Random, { url }: StartedNode, session: string | undefined, last: number) {
  const kind = random.pick(session === undefined ? KINDS.slice(0, 3) : KINDS)
  const path = session === undefined ? '/v1/events' : `/v1/sessions/${session}/events`
  const client = { url, server: { token: TOKEN } }
  if (kind === 'json') {
    const { json } = await callNode(url, 'GET', `/v1/sessions/${session}/log?after=${last}&limit=${1 + random.int(20)}`)
    yield* json?.entries ?? []
  } else if (kind === 'socket') yield* overSocket(url, `${path}?after=${last}`)
  else {
    // A browser repeats the address it was opened with, and the header wins.
    const stale = `${path}?after=${random.int(last + 1)}`
    const stream = kind === 'after' ? events(client, `${path}?after=${last}`) : events(client, stale, idOf(last))
    for await (const { data } of stream) yield data
  }
}
const idOf = (last: number) => ({ 'last-event-id': String(last) })

async function* overSocket(url: string, path: string) {
  const ws = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } })
  const items: Seen[] = []
  let isOver = false
  let wake = () => {}
  ws.on('message', (data) => {
    items.push(...JSON.parse(String(data)))
    wake()
  })
  ws.on('error', () => {})
  ws.on('close', () => {
    isOver = true
    wake()
  })
  try {
    for (;;) {
      for (let item = items.shift(); item; item = items.shift()) yield item
      if (isOver) return
      await new Promise<void>((done) => {
        wake = done
      })
    }
  } finally {
    ws.terminate()
  }
}

test('readers that change see every entry once, in order, while servers are replaced', {
  timeout: 300_000,
}, async () => {
  const seed = chooseSeed(20261119)
  const tables = await createTestDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'kedge-rolling-'))
  const cluster = await openCluster({ database: tables.url })
  const ports = cluster.ports('default')
  const hub = cluster.hub('default')
  const writer = createLogEntryWriter({
    database: cluster.database.asOperator(),
    newId: () => crypto.randomUUID(),
    onFenced() {},
    onWritten: (tenant, session) => ports.wake(tenant, session),
  })
  const frames = createDeltaBuffer(ports.database, (session) => ports.wake('default', session))
  const sessions = new ClusterSessions(ports)
  const start = async (): Promise<StartedNode> => {
    const given = { database: tables.url, tenant: 'default', app: '', port: 0, token: TOKEN, roots: [folder], folder }
    const server = await createClusterServer(given)
    return { server, url: (await server.listen()).url }
  }
  const nodes = [await start(), await start()]
  const ids = [(await hub.create({ cwd: folder })).id, (await hub.create({ cwd: folder })).id]
  // As a worker has them.
  const epoch = 7
  await ports.database.query(`update kedge.sessions set state = 'running', epoch = ${epoch}, owner = 'worker'`)

  const write = async (session: string, random: Random) => {
    const data = { type: 'system', subtype: 'informational', content: 'x'.repeat(random.int(400)) }
    const body = () => ({ kind: 'message' as const, data: { ...data, uuid: crypto.randomUUID() } as never })
    const bodies = Array.from({ length: 1 + random.int(3) }, body)
    const event = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'word ' } }
    frames.add({
      session,
      seq: (await hub.info(session)).seq,
      at: '',
      kind: 'delta',
      data: { type: 'stream_event', event, parent_tool_use_id: null } as never,
    })
    const way = random.int(4)
    if (way < 2) await writer.add({ tenant: 'default', session, epoch }, bodies)
    else if (way === 2)
      await sessions.change(session, async (tx, row) => {
        await addLogEntries(tx, row, bodies)
      })
    // A transaction that began long before it writes.
    else
      await ports.database.transaction(async (tx) => {
        await pause(random.int(10))
        await addLogEntries(tx, await lockSession(tx, 'default', session), bodies)
      })
  }
  let isOver = false
  const follow = async (reader: number) => {
    const random = caseRandom(seed, 100 + reader)
    const session = [...ids, undefined][reader % 3]
    const seen: Seen[] = []
    const last = () => (session === undefined ? seen.at(-1)?.all : seen.at(-1)?.seq) ?? 0
    const isDone = async () => isOver && last() >= (await hub.last(session))
    while (!(await isDone())) {
      try {
        let patience = 1 + random.int(60)
        for await (const item of connect(random, random.pick(nodes), session, last())) {
          if (item.kind === 'delta') continue
          seen.push(item)
          patience -= 1
          if (patience === 0 || (await isDone())) break
        }
      } catch {
        // Its server is gone.
      }
      await pause(random.int(5))
    }
    return { session, seen }
  }
  const roll = async () => {
    const random = caseRandom(seed, 1)
    const replace = async (n: number) => {
      await nodes[n % 2]?.server.close()
      nodes[n % 2] = await start()
    }
    for (let n = 0; !isOver; n += 1) {
      await pause(50 + random.int(200))
      await replace(n)
    }
    // A reader that has everything still waits on its stream.
    for (const n of [0, 1]) await replace(n)
  }
  const readers = Array.from({ length: READERS }, (_, n) => follow(n))
  const rolling = roll()
  const lanes = Array.from({ length: 6 }, async (_, lane) => {
    const random = caseRandom(seed, 10 + lane)
    for (let n = lane; n < CHANGES; n += 6) await write(ids[lane % 2] ?? '', random)
  })
  await Promise.all(lanes)
  isOver = true
  await rolling
  const found = await Promise.all(readers)

  const logs = new Map<string, LogEntry[]>()
  for (const id of ids) {
    const log: LogEntry[] = []
    for await (const entries of hub.stored(id, 0)) log.push(...entries)
    assert.deepEqual(
      log.map(({ seq }) => seq),
      log.map((_, n) => n + 1),
    )
    logs.set(id, log)
  }
  for (const { session, seen } of found) {
    const plain = seen.map(({ all: _, ...entry }) => entry)
    for (const [id, log] of logs)
      if (session === undefined || session === id)
        assert.deepEqual(
          plain.filter((entry) => entry.session === id),
          log,
          `seed ${seed}`,
        )
    if (session === undefined)
      assert.deepEqual(
        seen.map(({ all }) => all),
        seen.map((_, n) => n + 1),
        `seed ${seed}`,
      )
  }
  await Promise.all(nodes.map(({ server }) => server.close()))
  await hub.end()
  await cluster.close()
  await tables.drop()
  rmSync(folder, { recursive: true, force: true })
})
