/** What outlasts the process: asks, prompts that wait, and the stream over all sessions. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { memoryLogStore } from '../../src/hub/log/memory-log-store.js'
import type { Ask } from '../../src/protocol/session-log/ask-types.js'
import type { LogItem } from '../../src/protocol/session-log/entries.js'
import { startAskingServer } from '../mcp/servers/asking.js'
import { within } from '../support/eventually.js'
import { entriesOf, isEndOf, openHubStage, readUntil } from './hub-stage.js'

const write = (file_path: string) => ({ tools: [{ name: 'Write', input: { file_path, content: 'new\n' } }] })
const ada = { name: 'Ada' }
const KEPT = { all: true, keepAsks: true }
const isAsk = (item: LogItem) => item.kind === 'ask'
const askIn = (items: readonly LogItem[]): Ask => {
  const last = items.at(-1)
  assert.ok(last?.kind === 'ask')
  return last.data
}

test('an ask stays open over a restart; a yes begins a turn in which that call is not asked about again', async () => {
  await using stage = await openHubStage([write('a.txt'), write('a.txt'), write('b.txt'), 'Done.'], KEPT)
  const session = await stage.begin()
  await stage.hub.send(session, { id: '1', content: 'go' })
  const ask = askIn(await readUntil(stage.hub, session, isAsk))
  const hub = await stage.reopen()
  await hub.recover()
  const items = await within('the end of the prompt', readUntil(hub, session, isEndOf('1')))
  assert.ok(items.some(isEndOf('1')), JSON.stringify(items))
  assert.deepEqual(await hub.asks(), [ask])
  assert.equal((await hub.info(session)).status, 'needs-you')
  assert.equal(await hub.answer(session, ask.id, { kind: 'allow' }, ada), 'accepted')
  assert.deepEqual(await hub.answer(session, ask.id, { kind: 'deny' }, { name: 'Bob' }), { already: ada })
  const next = askIn(
    await readUntil(
      hub,
      session,
      (item) => isAsk(item) && 'tool' in item.data && /b.txt/.test(JSON.stringify(item.data.tool)),
    ),
  )
  assert.equal(existsSync(join(stage.options.cwd, 'a.txt')), true)
  assert.equal(existsSync(join(stage.options.cwd, 'b.txt')), false)
  await hub.answer(session, next.id, { kind: 'deny' }, ada)
  const log = entriesOf(await readUntil(hub, session, isEndOf(`answer-${ask.id}`)))
  const answers = log.flatMap((entry) => (entry.kind === 'answered' ? [entry.data.by.name] : []))
  assert.deepEqual(answers, ['Ada', 'Ada', 'Ada'])
  assert.match(JSON.stringify(stage.server.requests.at(1)?.body), /The answer has come since: it is allowed/)
})

test('a plan keeps its text over a restart; once approved, the session leaves plan mode without another question', async () => {
  const exit = { tools: [{ name: 'ExitPlanMode', input: {} }] }
  const savePlan = ({ body }: { body: unknown }) => {
    const [file_path = ''] = /\/[^"\s]*\/plans\/[\w-]+\.md/.exec(JSON.stringify(body)) ?? []
    return { tools: [{ name: 'Write', input: { file_path, content: '# The plan' } }] }
  }
  await using stage = await openHubStage([savePlan, exit, exit, 'Done.'], KEPT)
  const session = await stage.begin({ mode: 'plan' })
  await stage.hub.send(session, { id: '1', content: 'go' })
  const ask = askIn(await readUntil(stage.hub, session, isAsk))
  assert.deepEqual([ask.kind, ask.tool?.input], ['plan', { plan: '# The plan' }])
  const hub = await stage.reopen()
  await hub.recover()
  assert.equal(await hub.answer(session, ask.id, { kind: 'approve' }, ada), 'accepted')
  const log = await within('the end', readUntil(hub, session, isEndOf(`answer-${ask.id}`)))
  const plans = entriesOf(log).flatMap((entry) => (entry.kind === 'ask' ? [entry.data.tool?.input] : []))
  assert.deepEqual(plans, [{ plan: '# The plan' }, { plan: '# The plan' }])
  assert.match(JSON.stringify(stage.server.requests.at(-1)?.body), /The user has approved your plan\..*# The plan/)
  assert.notEqual((await hub.info(session)).mode, 'plan')
})

test('a no to what was left over is written down, and nothing runs', async () => {
  await using stage = await openHubStage([write('a.txt')], KEPT)
  const session = await stage.begin()
  await stage.hub.send(session, { id: '1', content: 'go' })
  const ask = askIn(await readUntil(stage.hub, session, isAsk))
  const hub = await stage.reopen()
  assert.equal(await hub.answer(session, ask.id, { kind: 'deny' }, ada), 'accepted')
  const { status, asks, waiting } = await hub.info(session)
  assert.deepEqual({ status, asks, waiting }, { status: 'idle', asks: 0, waiting: 0 })
  assert.equal(stage.server.requests.length, 1)
})

test('an interrupt takes back what was left over', async () => {
  await using stage = await openHubStage([write('a.txt')], KEPT)
  const session = await stage.begin()
  await stage.hub.send(session, { id: '1', content: 'go' })
  const ask = askIn(await readUntil(stage.hub, session, isAsk))
  const hub = await stage.reopen()
  await hub.interrupt(session)
  assert.deepEqual(await hub.asks({ session }), [])
  assert.deepEqual(await hub.answer(session, ask.id, { kind: 'allow' }, ada), { already: 'withdrawn' })
})

test('what waits is gone on with after a restart, except where a turn was cut', async () => {
  await using stage = await openHubStage([write('a.txt'), 'Other.'], KEPT)
  const cut = await stage.begin()
  await stage.hub.send(cut, { id: '1', content: 'go' })
  await readUntil(stage.hub, cut, isAsk)
  await stage.hub.send(cut, { id: '2', content: 'then this' })
  const hub = await stage.reopen()
  await hub.recover()
  assert.deepEqual(
    (await hub.queue(cut)).map(({ id }) => id),
    ['2'],
  )
  assert.equal(hub.size, 1)
  assert.equal(stage.server.requests.length, 1)
  const again = await stage.reopen()
  await again.recover()
  assert.equal(stage.server.requests.length, 1)
  await again.resumeTurn(cut)
  const items = await within('the end of the prompt', readUntil(again, cut, isEndOf('2')))
  assert.ok(items.some(isEndOf('2')), JSON.stringify(items))
})

test('what waited when its process was killed, and nothing had begun, is gone on with', async () => {
  const store = memoryLogStore(Date.now)
  await using stage = await openHubStage(['Hello.'], { ...KEPT, store })
  const session = await stage.begin()
  await stage.hub.end()
  const writer = await store.open({ session })
  const prompt = { id: '1', content: 'Hi', when: 'queue' as const }
  await writer.append([
    {
      session,
      seq: writer.last + 1,
      at: '2026-01-01T00:00:00.000Z',
      kind: 'prompt',
      data: { change: 'queued', prompt },
    },
  ])
  await writer.summarize({ cwd: stage.options.cwd, status: 'idle', archived: false, costUsd: 0, waiting: 0, seq: 1 })
  await writer.release()
  const hub = await stage.reopen()
  await hub.recover()
  const items = await within('the end of the prompt', readUntil(hub, session, isEndOf('1')))
  assert.ok(items.some(isEndOf('1')), JSON.stringify(items))
})

test('one stream over all sessions goes on where it was after a restart', async () => {
  await using stage = await openHubStage(['One.', 'Two.'], KEPT)
  const first = await stage.begin()
  const second = await stage.begin()
  await stage.hub.send(first, { id: '1', content: 'Hi' })
  await readUntil(stage.hub, first, isEndOf('1'))
  const hub = await stage.reopen()
  const before = await hub.last()
  await hub.send(second, { id: '2', content: 'Hi' })
  const seen: Record<string, number[]> = { [first]: [], [second]: [] }
  const numbers: number[] = []
  for await (const item of hub.read('all')) {
    numbers.push(item.all)
    seen[item.session]?.push(item.seq)
    if (item.session === second && isEndOf('2')(item)) break
  }
  assert.ok(numbers.length > before)
  assert.deepEqual(
    numbers,
    numbers.map((_, n) => n + 1),
  )
  for (const seqs of Object.values(seen))
    assert.deepEqual(
      seqs,
      seqs.map((_, n) => n + 1),
    )
  assert.deepEqual((await hub.list()).sessions.map(({ id }) => id).sort(), [first, second].sort())
})

test('a session in which nothing runs or waits can be let go, and is there again when it is asked for', async () => {
  await using stage = await openHubStage([write('a.txt')], KEPT)
  const [quiet, busy] = [await stage.begin({ title: 'Quiet' }), await stage.begin()]
  await stage.hub.send(busy, { id: '1', content: 'go' })
  await readUntil(stage.hub, busy, isAsk)
  assert.deepEqual([await stage.hub.closeIfIdle(quiet), await stage.hub.closeIfIdle(busy)], [true, false])
  assert.equal(stage.hub.size, 1)
  const { title, seq } = await stage.hub.info(quiet)
  assert.deepEqual({ title, seq }, { title: 'Quiet', seq: 1 })
})

test('a hub without that stream says so', async () => {
  await using stage = await openHubStage([])
  await assert.rejects(stage.hub.read('all').next(), { code: 'unsupported_option' })
})

/** The turn that waited for a server is over; its call was continued. */
const isCallResult = (item: LogItem) =>
  item.kind === 'message' && item.data.type === 'user' && /deployed shop/.test(JSON.stringify(item.data))

test('the question of an MCP server stays open over a restart; the answer continues the call, without another prompt', async () => {
  await using asking = await startAskingServer()
  const deploy = { tools: [{ name: 'mcp__s__deploy', input: { app: 'shop' } }] }
  const options = { mcpServers: { s: { type: 'http' as const, url: asking.url } }, allowedTools: ['mcp__s'] }
  await using stage = await openHubStage([deploy, 'Done.'], { ...KEPT, options })
  const session = await stage.begin()
  await stage.hub.send(session, { id: '1', content: 'go' })
  const ask = askIn(await within('a question', readUntil(stage.hub, session, isAsk)))
  assert.deepEqual([ask.kind, ask.origin?.useId.length !== 0], ['elicitation', true])
  const hub = await stage.reopen()
  await hub.recover()
  assert.deepEqual(await hub.asks(), [ask])
  assert.equal((await hub.info(session)).status, 'needs-you')
  const content = { where: 'Bonn' }
  assert.equal(await hub.answer(session, ask.id, { kind: 'elicitation', action: 'accept', content }, ada), 'accepted')
  const log = await within('the result of the call', readUntil(hub, session, isCallResult))
  assert.match(JSON.stringify(log.at(-1)), /Bonn/)
  assert.equal(entriesOf(log).filter(({ kind }) => kind === 'ask').length, 1)
  const states = asking.of('tools/call').map(({ params }) => params['requestState'])
  assert.deepEqual(states, [undefined, '[]'])
  const isDone = (item: LogItem) => item.kind === 'message' && item.data.type === 'result' && !item.data.is_error
  await within(
    'the end',
    readUntil(hub, session, (item) => isDone(item) && JSON.stringify(item).includes('Done.')),
  )
})

test('a prompt after the restart gives up the call of the open question, and says so', async () => {
  await using asking = await startAskingServer()
  const deploy = { tools: [{ name: 'mcp__s__deploy', input: { app: 'shop' } }] }
  const options = { mcpServers: { s: { type: 'http' as const, url: asking.url } }, allowedTools: ['mcp__s'] }
  await using stage = await openHubStage([deploy, 'Noted.'], { ...KEPT, options })
  const session = await stage.begin()
  await stage.hub.send(session, { id: '1', content: 'go' })
  await within('a question', readUntil(stage.hub, session, isAsk))
  const hub = await stage.reopen()
  await hub.recover()
  await hub.send(session, { id: '2', content: 'never mind' })
  const log = await within('the end', readUntil(hub, session, isEndOf('2')))
  const reasons = entriesOf(log).flatMap((entry) => (entry.kind === 'withdrawn' ? [entry.data.reason] : []))
  assert.deepEqual(reasons, ['A prompt came instead of the answer.'])
  assert.deepEqual([await hub.asks(), asking.of('tools/call').length], [[], 1])
})
