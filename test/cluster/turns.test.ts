/** Turns on a worker, as interfaces see them: prompts, questions, answers, interruptions, limits. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createSdkMcpServer, type Options, type PermissionUpdate, tool } from 'kedge'
import { z } from 'zod'
import { ClusterSessions } from '../../src/cluster/runs/cluster-sessions.js'
import { listSchedules, saveSchedule } from '../../src/cluster/runs/schedules.js'
import { storeAnswerRules } from '../../src/cluster/runs/session-rules.js'
import { rewindAsRequested } from '../../src/hub/rewind.js'
import type { Ask } from '../../src/protocol/session-log/ask-types.js'
import type { LogItem } from '../../src/protocol/session-log/entries.js'
import { entriesOf, isEndOf, readUntil, story } from '../hub/hub-stage.js'
import { openStage, type Stage } from './stage.js'
import { stepModel } from './step-model.js'

const taken: string[] = []
/** Steps that wait until they are told to go on. */
const waiting = new Map<string, () => void>()

function steps(): Pick<Options, 'mcpServers' | 'allowedTools'> {
  const step = (kind: string) =>
    tool(kind, 'Takes a step', { name: z.string() }, async ({ name }) => {
      taken.push(name)
      if (kind === 'slow') await new Promise<void>((done) => waiting.set(name, done))
      return { content: [{ type: 'text', text: `stepped ${name}` }] }
    })
  const server = createSdkMcpServer({ name: 'steps', tools: ['step', 'risky', 'slow'].map(step) })
  return { mcpServers: { steps: server }, allowedTools: ['mcp__steps__step', 'mcp__steps__slow', 'Task'] }
}

const until = async <T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> => {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((done) => setTimeout(done, 20))
  }
}

const results = (items: readonly LogItem[]) =>
  entriesOf(items).flatMap(({ kind, data }) =>
    kind === 'message' && 'type' in data && data.type === 'result' ? [data] : [],
  )

describe('a session of a cluster', { timeout: 400_000 }, () => {
  let stage: Stage
  before(async () => {
    stage = await openStage(stepModel, { options: steps(), warmMs: 50, perTenant: 3 })
  })
  after(() => stage[Symbol.asyncDispose]())

  const openAsk = (session: string): Promise<Ask> => until(async () => (await stage.hub.asks({ session }))[0])
  /** Its state, as the row has it. */
  const state = async (session: string) =>
    (
      await stage.cluster.database
        .as('acme')
        .query<{ state: string }>('select state from kedge.sessions where id = $1', [session])
    )[0]?.state

  it('answers, is parked on a question without a run, goes on with the answer, and ends each prompt once', async () => {
    const { hub } = stage
    const session = await stage.begin({ title: 'Parked' })
    await hub.send(session, { id: 'a', content: 'a: step' })
    const first = await readUntil(hub, session, isEndOf('a'))
    assert.deepEqual(story(first), [
      ...['state cwd status title', 'prompt queued a', 'state status', 'prompt started a', 'system/init'],
      ...['state model mode', 'assistant', 'user', 'assistant', 'result', 'prompt done a'],
    ])
    await hub.send(session, { id: 'b', content: 'b: risky step' })
    const ask = await openAsk(session)
    await until(async () => ((await state(session)) === 'waiting' ? true : undefined))
    const info = await hub.info(session)
    assert.deepEqual([info.status, info.asks, info.title, taken.includes('b.0')], ['needs-you', 1, 'Parked', false])
    assert.deepEqual(ask.tool?.input, { name: 'b.0' })
    const answers = await Promise.all(
      ['ada', 'ben'].map((name) => hub.answer(session, ask.id, { kind: 'allow' }, { name })),
    )
    assert.equal(answers.filter((answer) => answer === 'accepted').length, 1)
    const rest = await readUntil(hub, session, isEndOf('b'), { after: first.at(-1)?.seq ?? 0 })
    assert.deepEqual([results(rest).length, taken.filter((name) => name.startsWith('b.'))], [1, ['b.0', 'b.1']])
    assert.deepEqual(
      story(rest).filter((line) => /prompt|ask|answered/.test(line)),
      ['prompt queued b', 'prompt started b', 'ask', 'answered', 'prompt done b'],
    )
  })

  it('a no is told to the model; an answer that does not fit is refused; a question of a sub-agent holds its worker', async () => {
    const { hub } = stage
    const session = await stage.begin()
    await hub.send(session, { id: 'a', content: 'no: risky' })
    const ask = await openAsk(session)
    await assert.rejects(hub.answer(session, ask.id, { kind: 'answers', answers: {} }, { name: 'ada' }), {
      code: 'invalid_answer',
    })
    await assert.rejects(hub.answer(session, 'none', { kind: 'allow' }, { name: 'ada' }), { code: 'ask_not_found' })
    await hub.answer(session, ask.id, { kind: 'deny', message: 'Not today' }, { name: 'ada' })
    const items = await readUntil(hub, session, isEndOf('a'))
    assert.match(JSON.stringify(items), /Not today/)
    assert.ok(!taken.includes('no.0'))
  })

  it('what was allowed or forbidden for the session counts in later stretches; a deny wins', async () => {
    const { hub } = stage
    const session = await stage.begin()
    const rule = (behavior: 'allow' | 'deny', toolName: string): PermissionUpdate => ({
      type: 'addRules',
      behavior,
      rules: [{ toolName }],
      destination: 'session',
    })
    await hub.send(session, { id: 'a', content: 'always: risky' })
    const ask = await openAsk(session)
    await until(async () => ((await state(session)) === 'waiting' ? true : undefined))
    const updates = [rule('allow', 'mcp__steps__risky')]
    await hub.answer(session, ask.id, { kind: 'allow', updates }, { name: 'ada' })
    await readUntil(hub, session, isEndOf('a'))
    await hub.send(session, { id: 'b', content: 'still: risky risky' })
    const items = await readUntil(hub, session, isEndOf('b'))
    assert.equal(items.filter(({ kind }) => kind === 'ask').length, 1)
    assert.deepEqual(
      taken.filter((name) => /^(always|still)\./.test(name)),
      ['always.0', 'still.0', 'still.1'],
    )
    const own = { tenant: 'acme', id: session }
    const forbidden = { kind: 'allow', updates: [rule('deny', 'mcp__steps__risky'), rule('deny', 'mcp__steps__step')] }
    await stage.cluster.database
      .as('acme')
      .transaction((tx) => storeAnswerRules(tx, own, { request: {}, answer: forbidden, by: { name: 'ada' } }))
    await hub.send(session, { id: 'c', content: 'denied: risky step' })
    await readUntil(hub, session, isEndOf('c'))
    assert.ok(!taken.some((name) => name.startsWith('denied.')))
    await hub.delete(session)
    const left = await stage.cluster.database.as('acme').query('select 1 from kedge.rules where key = $1', [session])
    assert.equal(left.length, 0)
  })

  it('is interrupted where it runs, where it waits for somebody, and where it waits for a worker', async () => {
    const { hub } = stage
    const session = await stage.begin()
    await hub.send(session, { id: 'runs', content: 'runs: slow step' })
    await until(() => waiting.get('runs.0'))
    await hub.interrupt(session)
    const [stopped] = results(await readUntil(hub, session, isEndOf('runs')))
    assert.deepEqual([stopped?.subtype, taken.includes('runs.1')], ['error_during_execution', false])
    waiting.get('runs.0')?.()

    await hub.send(session, { id: 'waits', content: 'waits: risky step' })
    const ask = await openAsk(session)
    await until(async () => ((await state(session)) === 'waiting' ? true : undefined))
    await hub.interrupt(session)
    const items = await readUntil(hub, session, isEndOf('waits'))
    assert.equal(results(items).length, 2)
    assert.deepEqual(await hub.answer(session, ask.id, { kind: 'allow' }, { name: 'ada' }), { already: 'withdrawn' })
    await hub.send(session, { id: 'more', content: 'more: step' })
    await readUntil(hub, session, isEndOf('more'))
    assert.ok(taken.includes('more.0'))
  })

  it('prompts wait in order, can be moved and taken away; one that steers joins the running turn', async () => {
    const { hub } = stage
    const session = await stage.begin()
    await hub.send(session, { id: 'a', content: 'first: slow step' })
    await until(() => waiting.get('first.0'))
    for (const id of ['b', 'c', 'd']) await hub.send(session, { id, content: `${id}-queued: step` })
    await hub.send(session, { id: 'e', content: 'Steer', when: 'steer' })
    await until(async () => ((await hub.queue(session)).length === 3 ? true : undefined))
    await hub.removePrompt(session, 'c')
    await hub.reorder(session, ['d', 'b'])
    assert.deepEqual(
      (await hub.queue(session)).map(({ id }) => id),
      ['d', 'b'],
    )
    assert.equal((await hub.send(session, { id: 'b', content: 'again' })).repeated, true)
    await assert.rejects(hub.removePrompt(session, 'c'), { code: 'prompt_not_found' })
    waiting.get('first.0')?.()
    const items = await readUntil(hub, session, isEndOf('b'))
    const ends = story(items).filter((line) => /^prompt (done|removed)/.test(line))
    assert.deepEqual(ends.slice(-2), ['prompt done d', 'prompt done b'])
    assert.deepEqual(
      new Set(ends),
      new Set(['prompt removed c', 'prompt done a', 'prompt done e', 'prompt done d', 'prompt done b']),
    )
  })

  it('goes back in its conversation, and its copy goes its own way', async () => {
    const { hub } = stage
    const session = await stage.begin()
    await hub.send(session, { id: 'a', content: 'one: step' })
    await readUntil(hub, session, isEndOf('a'))
    await hub.send(session, { id: 'b', content: 'two: step' })
    await readUntil(hub, session, isEndOf('b'))
    const copy = await hub.fork(session)
    await hub.send(copy.id, { id: 'c', content: 'copy: step' })
    await readUntil(hub, copy.id, isEndOf('c'))
    const texts = async (id: string) => JSON.stringify(await hub.messages(id))
    assert.match(await texts(copy.id), /two: step.*copy: step/)
    const two = (await hub.messages(session)).find((message) => JSON.stringify(message).includes('two: step'))
    const undone = await hub.rewindConversation(session, { message: two?.uuid ?? '' })
    assert.ok(undone.messages >= 2)
    await hub.send(session, { id: 'd', content: 'three: step' })
    await readUntil(hub, session, isEndOf('d'))
    assert.doesNotMatch(await texts(session), /two: step/)
    const files = { message: two?.uuid ?? '', what: 'files' } as const
    await assert.rejects(rewindAsRequested(hub, undefined, session, files), { code: 'not_on_cluster' })
  })

  it('a tenant whose budget is spent or who is paused is refused; other tenants see nothing of it', async () => {
    const { hub, cluster } = stage
    const session = await stage.begin()
    const database = cluster.database.as('acme')
    await database.query(
      `insert into kedge.tenants (tenant, budget_usd, spent_usd) values ('acme', 1, 1)
       on conflict (tenant) do update set budget_usd = 1, spent_usd = 1`,
    )
    await assert.rejects(hub.send(session, { id: 'a', content: 'a: step' }), { code: 'budget_spent' })
    await database.query(`update kedge.tenants set budget_usd = null, paused = true`)
    await assert.rejects(hub.send(session, { id: 'a', content: 'a: step' }), { code: 'tenant_paused' })
    await database.query(`update kedge.tenants set paused = false`)
    const other = cluster.hub('other')
    const calls: (() => Promise<unknown>)[] = [
      () => other.info(session),
      () => other.send(session, { id: 'x', content: 'x' }),
      () =>
        other
          .messages(session)
          .then((messages) => assert.deepEqual(messages, []))
          .then(() => Promise.reject({ code: 'session_not_found' })),
      () => other.interrupt(session),
      () => other.change(session, { title: 'Mine' }),
      () => other.queue(session),
      () => other.use(session, {}),
      () => other.asks({ session }),
      () => other.fork(session),
      () => other.rewindConversation(session, { message: 'x' }),
      () => other.read(session).next(),
      () => other.readTexts(session).next(),
      () => other.reorder(session, []),
      () => other.removePrompt(session, 'a'),
      () => other.resumeTurn(session),
      () => other.close(session),
      () => other.last(session),
    ]
    for (const [n, call] of calls.entries())
      await assert.rejects(call, (error: { code?: string }) => {
        assert.match(
          error.code ?? String(error),
          /^(session_not_found|session_id_unknown|message_not_found)$/,
          `call ${n}: ${error}`,
        )
        return true
      })
    await other.delete(session)
    assert.deepEqual([(await hub.info(session)).title, (await other.list()).sessions], [undefined, []])
    assert.equal(await other.folderOf(session), undefined)
    for await (const entries of other.stored(session, 0)) assert.deepEqual(entries, [])
    await other.end()
  })

  it('a schedule sends its prompt when it is due, once; a delayed prompt waits for its time', async () => {
    const { hub, cluster } = stage
    const session = await stage.begin()
    const database = cluster.database.as('acme')
    await saveSchedule(database, {
      id: 'daily',
      session,
      cron: '0 9 * * 1-5',
      timeZone: 'Europe/Berlin',
      prompt: 'daily: step',
    })
    await assert.rejects(saveSchedule(database, { id: 'odd', session, cron: 'whenever', prompt: '' }), {
      code: 'invalid_option',
    })
    const [made] = await listSchedules(database)
    assert.deepEqual(
      [made?.cron, made?.timeZone, new Date(made?.next ?? 0).getUTCMinutes()],
      ['0 9 * * 1-5', 'Europe/Berlin', 0],
    )
    await database.query(`update kedge.schedules set next_at = now()`)
    const items = await readUntil(
      hub,
      session,
      ({ kind, data }) => kind === 'prompt' && 'change' in data && data.change === 'done',
    )
    assert.equal(results(items).length, 1)
    assert.ok(taken.includes('daily.0'))
    await until(async () => (((await listSchedules(database))[0]?.next ?? 0) > Date.now() ? true : undefined))
    // A moment behind the end of its prompt.
    await until(async () => ((await state(session)) === 'idle' ? true : undefined))
    const sessions = new ClusterSessions(cluster.ports('acme'))
    const at = new Date(Date.now() + 3_600_000)
    await sessions.submit(session, { clientId: 'late', body: 'late: step', notBefore: at })
    assert.equal(await state(session), 'idle')
    await database.query(`update kedge.inbox set not_before = now() where client_id = 'late'`)
    await readUntil(hub, session, isEndOf('late'))
  })

  it('one stream over all sessions of the tenant, numbered without gaps, the same for everybody', async () => {
    const { hub, cluster } = stage
    const last = await hub.last()
    const session = await stage.begin()
    const readers = [hub, cluster.hub('acme')].map(async (one) => {
      const items = []
      for await (const item of one.read('all', { after: last })) {
        items.push(item)
        if (item.kind === 'prompt' && 'change' in item.data && item.data.change === 'done') return items
      }
      return items
    })
    await hub.send(session, { id: 'a', content: 'feed: step step' })
    const [one, two] = await Promise.all(readers)
    assert.deepEqual(one, two)
    assert.deepEqual(
      one?.map(({ all }) => all),
      one?.map((_, index) => last + 1 + index),
    )
    const own = await readUntil(hub, session, isEndOf('a'), { deltas: false })
    // The session of the test before may still say that it is idle.
    const ofThis = one?.filter((entry) => entry.session === session).map(({ all: _, ...entry }) => entry)
    assert.deepEqual(ofThis, own)
  })

  it('options that are no data, or may hold keys, are refused by name', async () => {
    const { hub, options } = stage
    const withOptions = (given: Options) => hub.create({ cwd: options.cwd, options: given })
    await assert.rejects(withOptions({ canUseTool: async () => ({ behavior: 'allow' }) }), {
      code: 'not_on_cluster',
      message: /canUseTool/,
    })
    await assert.rejects(withOptions({ env: { KEY: 'secret' } }), {
      code: 'not_on_cluster',
      message: /env can't be stored with a session, because it can contain secrets/,
    })
  })
})
