/** A primary is lost together with its last transactions, and its standby goes on: nothing is told twice under one number. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createSdkMcpServer, tool } from 'kedge'
import { z } from 'zod'
import type { LogItem } from '../../src/protocol/session-log/entries.js'
import { entriesOf, isEndOf, readUntil } from '../hub/hub-stage.js'
import { replicated } from './replicated.js'
import { openStage } from './stage.js'
import { stepModel } from './step-model.js'

const until = async <T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> => {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((done) => setTimeout(done, 20))
  }
}

/** Steps that count; slow ones wait until they are told to go on. */
function steps() {
  const taken: string[] = []
  const waiting = new Map<string, () => void>()
  const step = (kind: string) =>
    tool(kind, 'Takes a step', { name: z.string() }, async ({ name }) => {
      taken.push(name)
      if (kind === 'slow') await new Promise<void>((done) => waiting.set(name, done))
      return { content: [{ type: 'text', text: `stepped ${name}` }] }
    })
  const mcpServers = { steps: createSdkMcpServer({ name: 'steps', tools: ['step', 'slow'].map(step) }) }
  return { taken, waiting, options: { mcpServers, allowedTools: ['mcp__steps__step', 'mcp__steps__slow'] } }
}

const wentBack = (item: LogItem) =>
  item.kind === 'message' &&
  item.data.type === 'system' &&
  item.data.subtype === 'informational' &&
  item.data.code === 'database_went_back'

/** What was lost keeps its number; each comes once, in order, and there is one gap, which is said. */
function isHonest(items: readonly LogItem[]): void {
  const numbers = entriesOf(items).map(({ seq }) => seq)
  assert.deepEqual(
    numbers,
    [...new Set(numbers)].sort((a, b) => a - b),
  )
  const jumps = entriesOf(items).filter(({ seq }, index) => seq !== (numbers[index - 1] ?? 0) + 1)
  assert.equal(jumps.length, 1)
  assert.ok(jumps[0] && wentBack(jumps[0]))
}

it('a failover that loses the last transactions: said to readers and to the model, and fenced', {
  timeout: 120_000,
}, async () => {
  const database = await replicated()
  const own = steps()
  const { url } = database
  const tables = { url, adminUrl: url, admin: async () => [], cut: async () => {}, drop: database.stop }
  await using stage = await openStage(stepModel, { options: own.options, tables, silentMs: 60_000 })
  const { hub, cluster, server } = stage
  const [idle, busy, lost] = [await stage.begin(), await stage.begin(), await stage.begin()]
  await hub.send(idle, { id: 'one', content: 'one: step' })
  await readUntil(hub, idle, isEndOf('one'))
  await hub.send(busy, { id: 'two', content: 'two: slow step slow' })
  await until(() => own.waiting.get('two.0'))
  await database.caughtUp()
  database.lag()

  // All of this is seen by readers, and is lost.
  const end = new AbortController()
  const seen: LogItem[] = []
  const reading = (async () => {
    for await (const item of hub.read(busy, { deltas: false, signal: end.signal })) seen.push(item)
  })()
  own.waiting.get('two.0')?.()
  await until(() => own.waiting.get('two.2'))
  await hub.send(idle, { id: 'gone', content: 'gone: step' })
  const before = await readUntil(hub, idle, isEndOf('gone'), { deltas: false })
  const feed = await hub.last()
  await until(() => (JSON.stringify(seen).includes('stepped two.1') ? true : undefined))
  assert.deepEqual(own.taken, ['one.0', 'two.0', 'two.1', 'two.2', 'gone.0'])
  const asked = server.requests.length
  await database.failOver()

  // The turn goes on from what there is: what had begun is told as unknown, and that something is missing.
  const last = own.waiting.get('two.2')
  await until(() => (own.waiting.get('two.2') !== last ? true : undefined))
  own.waiting.get('two.2')?.()
  await until(() => seen.find(isEndOf('two')))
  end.abort()
  await reading
  isHonest(seen)
  assert.deepEqual(own.taken.slice(5), ['two.1', 'two.2'])
  const first = server.requests[asked]
  assert.match(first?.system ?? '', /was set back\. .* may have taken effect: look before you repeat/)
  assert.match(JSON.stringify(first?.body.messages.at(-1)), /may or may not have taken effect/)
  const results = entriesOf(seen).filter(({ data }) => 'type' in data && data.type === 'result')
  assert.equal(results.length, 1)

  // One that rests says it by itself; what was lost of it can be sent again.
  const after = before.at(-1)?.seq ?? 0
  const told = await readUntil(hub, idle, wentBack, { deltas: false, after })
  isHonest([...before, ...told])
  assert.equal((await hub.send(idle, { id: 'gone', content: 'gone: step' })).repeated, false)
  await readUntil(hub, idle, isEndOf('gone'), { after: told.at(-1)?.seq ?? 0 })
  assert.equal(own.taken.at(-1), 'gone.0')
  const { value: next } = await hub.read('all', { after: feed }).next()
  assert.ok(next && next.all > 1_000_000_000)
  const rows = await cluster.database
    .as('acme')
    .query<{ id: string; epoch: number }>('select id, epoch::float8 from kedge.sessions where id = any($1)', [
      [idle, busy],
    ])
  for (const { epoch } of rows) assert.ok(epoch > 1_000_000_000)
  assert.equal((await hub.info(lost)).status, 'idle')
})
