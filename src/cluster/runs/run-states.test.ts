/** The states of a session as a model: whatever order things come in, every prompt ends once and nobody is stuck. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { eventually } from '../../../test/support/eventually.js'
import { byTier } from '../../../test/support/tier.js'
import { createMemoryRunQueue, MemoryRuns } from '../engine/memory-engine.js'
import type { RunKey } from '../engine/run-engine.js'
import { openTestDatabase } from '../test-database.js'
import { clusterSessionStore } from '../worker/run-session-store.js'
import { type ClaimedRun, claimRun, type NextPrompt } from './claimed-run.js'
import { ClusterSessions } from './cluster-sessions.js'
import {
  freeUnresponsiveRuns,
  noteWorkerReturned,
  releaseRuns,
  requeueLostSessions,
  runsOwnedBy,
  sendHeartbeat,
  takeOverRuns,
} from './recover-runs.js'
import { lockSession, type RunPorts } from './run-changes.js'

const opened = openTestDatabase({ connections: 4 })
let tenants = 0
after(async () => (await opened).drop())

type Offered = { run: RunKey; end(): void }
type Active = { worker: string; run: ClaimedRun; offer: Offered; step: NextPrompt; asked?: string }

/** Workers are played by hand: the engine's offers wait until somebody takes one. */
async function createWorld() {
  const { database } = await opened
  const own = database.as(`tenant-${tenants++}`)
  const clock = { now: Date.now() }
  const shared = new MemoryRuns(() => clock.now)
  const engine = createMemoryRunQueue(shared)
  const offers: Offered[] = []
  const handler = (run: RunKey) =>
    new Promise<void>((end) => {
      offers.push({ run, end })
    })
  await engine.work(handler, { worker: 'any', capacity: 1000, queues: [{ name: 'runs', perTenant: 1000 }] })
  const ports: RunPorts = { database: own, engine, wake() {}, wakeWorker() {} }
  const everybody: RunPorts = { ...ports, database: database.asOperator() }
  const sessions = new ClusterSessions(ports)
  await sessions.create({ id: 's' })
  const world = {
    own,
    engine,
    shared,
    offers,
    ports,
    everybody,
    sessions,
    workers: 0,
    active: [] as Active[],
    later(ms: number) {
      clock.now += ms
      shared.offerAll()
    },
    /** What is delayed is waited for. */
    async claim(which = 0): Promise<Active | undefined> {
      world.later(3_600_000)
      await Promise.resolve()
      // Whoever looks for lost runs finds those of other tests too.
      const mine = offers.filter(({ run }) => run.tenant === own.tenant)
      const offer = mine[which % Math.max(1, mine.length)]
      if (!offer) return undefined
      offers.splice(offers.indexOf(offer), 1)
      const worker = `${own.tenant}-worker-${world.workers++}`
      await sendHeartbeat(own, { worker })
      const run = await claimRun(ports, offer.run, worker)
      if (!run) return void offer.end()
      const active: Active = { worker, run, offer, step: await run.next() }
      if (active.step.kind === 'idle') offer.end()
      else world.active.push(active)
      return active
    },
    /** It falls silent; what it does later, if it wakes, is another matter. */
    async silence({ worker }: Active) {
      await own.query(`update kedge.workers set beat = now() - interval '1 hour' where id = $1`, [worker])
    },
    reap: () => takeOverRuns(everybody, 60_000),
    state: async () => (await own.query(`select state, run, epoch::int, owner, attempts from kedge.sessions`))[0],
  }
  return world
}
type World = Awaited<ReturnType<typeof createWorld>>

const isFenced = (error: unknown) => assert.equal((error as { code?: string }).code, 'session_fenced')

describe('a session of many machines', () => {
  it('is claimed again by the worker that did not hear that it has it, and by nobody else', async () => {
    const { sessions, ports, offers, state } = await createWorld()
    await sessions.submit('s', { clientId: 'a', body: 'Hello' })
    const { run } = offers[0] ?? assert.fail('nothing was offered')
    const unheard = await claimRun(ports, run, 'one')
    assert.ok(unheard)
    assert.equal(await claimRun(ports, run, 'other'), undefined)
    const claimed = await claimRun(ports, run, 'one')
    const step = await claimed?.next()
    assert.ok(claimed && step?.kind === 'prompt')
    await assert.rejects(unheard.next(), { code: 'session_fenced' })
    const row = await state()
    assert.deepEqual([row?.['owner'], row?.['attempts']], ['one', 1])
    await claimed.finish([step.prompt])
    assert.equal((await claimed.next()).kind, 'idle')
  })

  it('goes from a prompt to its result, and to the next; the same prompt is one', async () => {
    const { sessions, claim, state, offers } = await createWorld()
    assert.equal((await sessions.submit('s', { clientId: 'a', body: 'Hello' })).repeated, false)
    assert.equal((await sessions.submit('s', { clientId: 'a', body: 'Hello' })).repeated, true)
    assert.equal((await sessions.submit('s', { clientId: 'b', body: 'More' })).repeated, false)
    assert.deepEqual([offers.length, (await state())?.['state']], [1, 'queued'])
    const active = await claim()
    assert.ok(active?.step.kind === 'prompt')
    assert.deepEqual([active.step.prompt.body, active.step.begun], ['Hello', false])
    await active.run.finish([active.step.prompt])
    const next = await active.run.next()
    assert.ok(next.kind === 'prompt')
    await active.run.finish([next.prompt])
    assert.deepEqual([next.prompt.body, await active.run.next()], ['More', { kind: 'idle' }])
    await assert.rejects(active.run.next(), { code: 'session_fenced' })
    assert.equal((await state())?.['state'], 'idle')
    await assert.rejects(sessions.submit('nobody', { clientId: 'a', body: '' }), { code: 'session_not_found' })
  })

  it('takes a prompt that comes while it waits for the row to rest', async () => {
    const { sessions, claim, own } = await createWorld()
    await sessions.submit('s', { clientId: 'a', body: 'Hello' })
    const active = await claim()
    assert.ok(active?.step.kind === 'prompt')
    await active.run.finish([active.step.prompt])
    let next: Promise<NextPrompt> | undefined
    await own.transaction(async (tx) => {
      await lockSession(tx, own.tenant, 's')
      next = active.run.next()
      await eventually('it waits for the row', async () => {
        const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return (await own.query(waiting)).length > 0
      })
      await tx.query(
        `insert into kedge.inbox (tenant, session, client_id, kind, body, not_before)
         values ($1, 's', 'b', 'prompt', '"More"', clock_timestamp())`,
        [own.tenant],
      )
    })
    const step = await next
    assert.ok(step?.kind === 'prompt')
    assert.equal(step.prompt.clientId, 'b')
    await active.run.finish([step.prompt])
    assert.equal((await active.run.next()).kind, 'idle')
  })

  it('waits for somebody without a run, and goes on with the first answer', async () => {
    const { sessions, claim, state, shared } = await createWorld()
    await sessions.submit('s', { clientId: 'a', body: 'Do it' })
    const active = await claim()
    assert.equal(await active?.run.ask({ id: 'ask-1', request: { tool: 'Bash' }, canPark: true }), undefined)
    assert.equal(await active?.run.park(), true)
    active?.offer.end()
    assert.deepEqual((await state())?.['state'], 'waiting')
    assert.equal((await sessions.submit('s', { clientId: 'b', body: 'Later' })).repeated, false)
    const answers = await Promise.all(
      ['ada', 'ben'].map((by) => sessions.answer('ask-1', { behavior: 'allow' }, { name: by })),
    )
    const first = answers.indexOf('accepted')
    assert.deepEqual(answers[1 - first], { already: { name: ['ada', 'ben'][first] } })
    await assert.rejects(sessions.answer('ask-2', {}, { name: 'ada' }), { code: 'ask_not_found' })
    const again = await claim()
    assert.ok(again?.step.kind === 'prompt')
    assert.deepEqual([again.step.prompt.body, again.step.begun], ['Do it', true])
    assert.deepEqual(await again.run.ask({ id: 'ask-1', request: {}, canPark: true }), {
      answer: { behavior: 'allow' },
    })
    assert.equal(await again.run.park(), false)
    assert.equal([...shared.runs.values()].filter((run) => run.state !== 'ended').length, 1)
  })

  it('is not parked once it was resumed, however far the worker is', async () => {
    const { sessions, claim, state, offers } = await createWorld()
    await sessions.submit('s', { clientId: 'a', body: 'Do it' })
    const active = await claim()
    assert.ok(active)
    const leaves = async () => (await active.run.news()).wishes.map((wish) => JSON.stringify(wish))
    // The worker hasn't read the park yet.
    await sessions.park('s', 'park-1')
    await sessions.resumeTurn('s', 'resume-1')
    assert.deepEqual(await leaves(), ['{"resume":true}'])
    // The worker has read the park, and reads the resume before it has parked.
    await sessions.park('s', 'park-2')
    assert.deepEqual(await leaves(), ['{"leave":"park"}'])
    await sessions.resumeTurn('s', 'resume-2')
    await sessions.park('s', 'park-3')
    await sessions.resumeTurn('s', 'resume-3')
    await active.run.requeue({ parked: true, blameless: true })
    active.offer.end()
    assert.deepEqual([(await state())?.['state'], offers.length], ['queued', 1])
    // The last command wins.
    const next = await claim()
    assert.ok(next)
    await next.run.news()
    await sessions.resumeTurn('s', 'resume-4')
    await sessions.park('s', 'park-4')
    await next.run.requeue({ parked: true, blameless: true })
    next.offer.end()
    assert.equal((await state())?.['state'], 'waiting')
    await sessions.resumeTurn('s', 'resume-5')
    assert.equal((await state())?.['state'], 'queued')
  })

  it('is not parked later by a wish from before it was resumed, though it waited for an answer meanwhile', async () => {
    const { sessions, claim, state } = await createWorld()
    await sessions.submit('s', { clientId: 'a', body: 'Do it' })
    const active = await claim()
    await active?.run.ask({ id: 'ask-1', request: { tool: 'Bash' }, canPark: true })
    await sessions.park('s', 'park')
    assert.equal(await active?.run.park(), true)
    active?.offer.end()
    await sessions.resumeTurn('s', 'resume')
    assert.equal((await state())?.['state'], 'waiting')
    await sessions.answer('ask-1', { behavior: 'allow' }, { name: 'ada' })
    const again = await claim()
    assert.deepEqual((await again?.run.news())?.wishes, [])
  })

  it('is taken from a silent worker, which changes nothing any more; after five in vain its turn ends', async () => {
    const world = await createWorld()
    await world.sessions.submit('s', { clientId: 'a', body: 'Kills workers' })
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const active = await world.claim()
      assert.equal(active?.step.kind, 'prompt', `attempt ${attempt}`)
      assert.ok(active && active.step.kind === 'prompt')
      assert.deepEqual(await world.reap(), [], 'it is not silent')
      await world.silence(active)
      assert.deepEqual((await world.reap())?.length, 1)
      await assert.rejects(active.run.finish([active.step.prompt]), { code: 'session_fenced' })
    }
    const last = await world.claim()
    assert.ok(last?.step.kind === 'end-prompt')
    assert.equal(last.step.why, 'worker_crashed')
    await last.run.finish([last.step.prompt])
    assert.deepEqual(await last.run.next(), { kind: 'idle' })
  })

  it('waits before each further attempt, longer each time, and says so; interrupted, it ends at once', async () => {
    const world = await createWorld()
    await world.sessions.submit('s', { clientId: 'a', body: 'Kills workers' })
    /** Seconds until its next run is handed out. */
    const delay = async () => {
      for (let seconds = 0; ; seconds += 1) {
        await new Promise(setImmediate)
        if (world.offers.length > 0) return seconds
        world.later(1000)
      }
    }
    const crash = async () => {
      const active = (await world.claim()) ?? assert.fail('nothing was offered')
      await world.silence(active)
      assert.equal((await world.reap())?.length, 1)
      active.offer.end()
    }
    const delays: number[] = []
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await crash()
      delays.push(await delay())
    }
    assert.deepEqual(delays, [0, 5, 15, 45, 0])
    const told = await world.own.query<{ body: string }>(
      `select body from kedge.log_entries where kind = 'message' order by seq`,
    )
    assert.deepEqual(
      told.map(({ body }) => JSON.parse(body).data).map(({ code, details }) => [code, details]),
      ['5', '15', '45'].map((seconds, index) => ['turn_delayed', { workers: `${index + 2}`, seconds }]),
    )
    const last = (await world.claim()) ?? assert.fail('nothing was offered')
    assert.ok(last.step.kind === 'end-prompt')
    await last.run.finish([last.step.prompt])
    assert.deepEqual(await last.run.next(), { kind: 'idle' })
    last.offer.end()

    await world.sessions.submit('s', { clientId: 'b', body: 'Once more' })
    for (let attempt = 1; attempt <= 3; attempt += 1) await crash()
    await new Promise(setImmediate)
    assert.equal(world.offers.length, 0)
    assert.equal(await world.sessions.interrupt('s', 'enough'), true)
    assert.equal(await delay(), 0)
    assert.equal((await world.claim())?.step.kind, 'end-prompt')
  })

  it('ends when five workers ended at the same call, though each has written it down; at others it goes on', async () => {
    const world = await createWorld()
    await world.sessions.submit('s', { clientId: 'a', body: 'Kills workers' })
    const store = clusterSessionStore(world.own)
    let calls = 0
    /** A worker resumes the turn: it reports the last call as unknown, the model calls again, and the worker crashes. */
    const dieAt = async (command: string) => {
      const active = await world.claim()
      assert.ok(active)
      const [last, id] = [`call-${calls}`, `call-${++calls}`]
      const unknown = { type: 'tool_result', tool_use_id: last, content: 'It may or may not have taken effect.' }
      const use = { type: 'tool_use', id, name: 'Bash', input: { command } }
      await store.append({ projectKey: '', sessionId: 's' }, [
        { type: 'user', uuid: `result-${calls}`, message: { role: 'user', content: [unknown] } },
        { type: 'assistant', uuid: `answer-${calls}`, message: { role: 'assistant', content: [use] } },
        {
          type: 'queue-operation',
          operation: 'dequeue',
          kedge: { type: 'tool-start', toolUseId: id, toolName: 'Bash' },
        },
      ])
      await world.silence(active)
      assert.equal((await world.reap())?.length, 1)
      active.offer.end()
      return active.step.kind
    }
    for (let n = 1; n <= 8; n += 1) assert.equal(await dieAt(`innocent ${n}`), 'prompt')
    for (let n = 1; n <= 5; n += 1) assert.equal(await dieAt('poison'), 'prompt', `attempt ${n}`)
    const last = await world.claim()
    assert.ok(last?.step.kind === 'end-prompt' && last.step.why === 'worker_crashed')
    assert.equal(last.step.call, 'Bash {"command":"poison"}')
    await last.run.finish([last.step.prompt])
    assert.deepEqual(await last.run.next(), { kind: 'idle' })
    // The next prompt starts over.
    await world.sessions.submit('s', { clientId: 'b', body: 'Once more' })
    assert.equal(await dieAt('poison'), 'prompt')
    assert.equal((await world.claim())?.step.kind, 'prompt')
    assert.equal((await world.state())?.['attempts'], 2)
  })

  it('is not blamed for workers that were silent and run after all: they had no database', async () => {
    const world = await createWorld()
    await world.sessions.submit('s', { clientId: 'a', body: 'Innocent' })
    const fall = async () => {
      const active = await world.claim()
      assert.equal(active?.step.kind, 'prompt')
      assert.ok(active)
      await world.silence(active)
      assert.equal((await world.reap())?.length, 1)
      active.offer.end()
      return active.worker
    }
    for (let time = 1; time <= 7; time += 1) await noteWorkerReturned(world.everybody.database, await fall())
    assert.equal((await world.state())?.['attempts'], 0)
    // Workers that never return count, even if others return.
    for (let time = 1; time <= 5; time += 1) await fall()
    await noteWorkerReturned(world.everybody.database, 'somebody else')
    assert.equal((await world.claim())?.step.kind, 'end-prompt')
  })

  it('may be handed on any number of times by workers that leave or have no database', async () => {
    const world = await createWorld()
    await world.sessions.submit('s', { clientId: 'a', body: 'Moves a lot' })
    for (let time = 1; time <= 7; time += 1) {
      const active = await world.claim()
      assert.equal(active?.step.kind, 'prompt', `time ${time}`)
      await active?.run.requeue({ blameless: true })
    }
    // Those that it may be to blame for count.
    for (let time = 1; time <= 5; time += 1) await (await world.claim())?.run.requeue()
    assert.equal((await world.claim())?.step.kind, 'end-prompt')
  })

  it('an ask is open for as long as it may be by the clock of the database, wrong as that of its worker may be', async ({
    mock,
  }) => {
    const { sessions, claim, everybody, own } = await createWorld()
    await sessions.submit('s', { clientId: 'a', body: 'Ask' })
    const active = await claim()
    const now = Date.now()
    for (const [name, offMs] of [
      ['early', -300_000],
      ['late', 300_000],
    ] as const) {
      mock.timers.enable({ apis: ['Date'], now: now + offMs })
      await active?.run.ask({ id: name, request: {}, canPark: true, timeoutMs: 60_000 })
      mock.timers.reset()
    }
    await active?.run.ask({ id: 'patient', request: {}, canPark: true })
    const all = new ClusterSessions(everybody)
    await all.voidExpired()
    const asks = await own.query(
      `select id, state, extract(epoch from expires - asked)::int as seconds from kedge.asks order by id`,
    )
    assert.deepEqual(asks, [
      { id: 'early', state: 'open', seconds: 60 },
      { id: 'late', state: 'open', seconds: 60 },
      { id: 'patient', state: 'open', seconds: null },
    ])
  })

  it('is interrupted wherever it is, once, and the turn still ends with its result', async () => {
    const world = await createWorld()
    const { sessions, claim } = world
    assert.equal(await sessions.interrupt('s', 'i-0'), false)
    for (const state of ['queued', 'running', 'waiting']) {
      await sessions.submit('s', { clientId: state, body: state })
      let active = state === 'queued' ? undefined : await claim()
      if (state === 'waiting') {
        await active?.run.ask({ id: 'ask', request: {}, canPark: true })
        await active?.run.park()
      }
      assert.equal(await sessions.interrupt('s', `i-${state}`), true)
      assert.equal(await sessions.interrupt('s', `i-${state}`), false, 'asked for before')
      if (state === 'queued') assert.equal(await claim(), undefined, 'the first run counts no more')
      let step = active && state === 'running' ? await active.run.next() : undefined
      if (!step) {
        active = await claim()
        // Who dies with it has not ended it for the next one.
        assert.ok(active)
        await world.silence(active)
        await world.reap()
        active = await claim()
        step = active?.step
      }
      assert.ok(step?.kind === 'end-prompt')
      assert.deepEqual([step.why, step.prompt.body], ['interrupted', state])
      await active?.run.finish([step.prompt])
      assert.deepEqual(await active?.run.next(), { kind: 'idle' })
    }
    assert.deepEqual(await sessions.answer('ask', {}, { name: 'ada' }), { void: 'interrupted' })
  })

  it('a run that a worker was handed, and died before it claimed it, is queued anew; its place is free', async () => {
    const { sessions, offers, engine, everybody, own, state } = await createWorld()
    await sessions.submit('s', { clientId: 'a', body: 'Do it' })
    assert.deepEqual([offers.length, (await state())?.['state']], [1, 'queued'])
    const mine = async () => (await engine.runsOf(['any'])).map(({ run }) => run)
    await sendHeartbeat(own, { worker: 'any' })
    await freeUnresponsiveRuns(everybody, 60_000, 'ever')
    assert.deepEqual(await mine(), [1])
    await own.query(`update kedge.workers set beat = now() - interval '1 hour' where id = 'any'`)
    await freeUnresponsiveRuns(everybody, 60_000, 'ever')
    assert.deepEqual([offers.length, (await state())?.['run'], await mine()], [2, 2, [2]])
    await own.query(`delete from kedge.workers where id = 'any'`)
  })

  it('one that its worker has by its row, and does not work on, is given up by that worker alone', async () => {
    const { sessions, claim, everybody, own, state } = await createWorld()
    await sessions.submit('s', { clientId: 'a', body: 'Do it' })
    const active = (await claim()) ?? assert.fail()
    const owned = await runsOwnedBy(own, active.worker)
    assert.deepEqual(owned, [active.run.key])
    await releaseRuns(everybody, owned)
    await releaseRuns(everybody, owned, 'another')
    assert.equal((await state())?.['owner'], active.worker)
    await releaseRuns(everybody, owned, active.worker)
    assert.deepEqual([(await state())?.['state'], (await state())?.['run']], ['queued', 2])
    await assert.rejects(active.run.next(), { code: 'session_fenced' })
    assert.equal((await claim())?.step.kind, 'prompt')
  })

  it('an answer that is tried again is not taken for another one that its author gave meanwhile', async () => {
    const { sessions, claim, ports } = await createWorld()
    await sessions.submit('s', { clientId: 'a', body: 'Do it' })
    const active = await claim()
    await active?.run.ask({ id: `twice-${tenants}`, request: {}, canPark: true })
    const by = { name: 'ada' }
    let tries = 0
    const database: typeof ports.database = {
      ...ports.database,
      async transaction(work) {
        tries += 1
        if (tries > 1) return ports.database.transaction(work)
        await sessions.answer(`twice-${tenants}`, { kind: 'allow' }, by)
        throw Object.assign(new Error('cut'), { code: 'ECONNRESET' })
      },
    }
    const cut = new ClusterSessions({ ...ports, database })
    assert.deepEqual(await cut.answer(`twice-${tenants}`, { kind: 'deny' }, by), { already: by })
    tries = 1
    assert.deepEqual(await cut.answer(`twice-${tenants}`, { kind: 'allow' }, by), { already: by })
  })

  it('begins a delayed prompt when it is due, hands on when its worker leaves, and finds a run that was lost', async () => {
    const { sessions, claim, state, own, shared, everybody, offers } = await createWorld()
    await sessions.submit('s', { clientId: 'a', body: 'Later', notBefore: new Date(Date.now() + 3_600_000) })
    assert.deepEqual([(await state())?.['state'], offers.length], ['idle', 0])
    await own.query(`update kedge.inbox set not_before = now()`)
    const all = new ClusterSessions(everybody)
    assert.deepEqual([await all.wakeDue(), await all.wakeDue()], [1, 0])
    const active = await claim()
    await active?.run.requeue()
    await assert.rejects(active?.run.next() ?? assert.fail(), { code: 'session_fenced' })
    // The engine has forgotten it.
    offers.length = 0
    shared.runs.clear()
    assert.deepEqual(await requeueLostSessions(everybody, 3_600_000), [], 'not yet')
    assert.equal((await requeueLostSessions(everybody, 0)).filter(({ tenant }) => tenant === own.tenant).length, 1)
    assert.equal((await claim())?.step.kind, 'prompt')
  })

  it('ends every prompt once, in whatever order things happen', { timeout: 300_000 }, async () => {
    const step = fc.record({
      what: fc.constantFrom(
        'submit',
        'submit',
        'claim',
        'claim',
        'finish',
        'finish',
        'ask',
        'answer',
        'interrupt',
        'silence',
        'reap',
        'hand on',
      ),
      which: fc.nat(3),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) =>
        play(await createWorld(), steps),
      ),
      { numRuns: byTier({ quick: 15, all: 30, long: 3000 }) },
    )
  })
})

type Step = { what: string; which: number }

async function play(world: World, steps: readonly Step[]): Promise<void> {
  const { sessions, active } = world
  const accepted = new Set<string>()
  const results: string[] = []
  const open = new Set<string>()
  let asks = 0
  const finish = async (one: Active) => {
    if (one.step.kind === 'idle') return
    const { prompt } = one.step
    await one.run.finish([prompt])
    results.push(prompt.clientId)
    one.step = await one.run.next()
    if (one.step.kind === 'idle') leave(one)
  }
  const leave = (one: Active) => {
    active.splice(active.indexOf(one), 1)
    one.offer.end()
  }
  /** Somebody who was overtaken is told so, and leaves. */
  const unlessFenced = (one: Active, work: Promise<unknown>) =>
    work.catch((error: unknown) => {
      isFenced(error)
      leave(one)
    })
  const answer = async (id: string) => {
    if ((await sessions.answer(id, {}, { name: 'ada' })) === 'accepted') assert.ok(open.delete(id), 'answered once')
    else open.delete(id)
  }
  for (const { what, which } of steps) {
    const one = active[which % Math.max(1, active.length)]
    if (what === 'submit' && !(await sessions.submit('s', { clientId: `p${which}`, body: `${which}` })).repeated)
      accepted.add(`p${which}`)
    if (what === 'claim') await world.claim(which)
    if (what === 'answer') for (const id of [...open].slice(0, 1)) await answer(id)
    if (what === 'interrupt') await sessions.interrupt('s', `i${which}`)
    if (what === 'reap') await world.reap()
    if (!one) continue
    if (what === 'silence') await world.silence(one)
    if (what === 'finish') await unlessFenced(one, finish(one))
    if (what === 'hand on')
      await unlessFenced(
        one,
        one.run.requeue().then(() => leave(one)),
      )
    if (what === 'ask') {
      const id = `${world.own.tenant}-${asks++}`
      const asked = async () => {
        await one.run.ask({ id, request: {}, canPark: true })
        open.add(id)
        if (await one.run.park()) leave(one)
      }
      await unlessFenced(one, asked())
    }
    // One worker at a time, whoever thinks to be it.
    const row = await world.state()
    assert.equal(row?.['owner'] !== null, row?.['state'] === 'running')
  }
  // Everybody dies; then somebody is there who does everything.
  for (const one of active) await world.silence(one)
  for (let round = 0; round < 20; round += 1) {
    await world.reap()
    for (const id of open) await answer(id)
    const one = await world.claim()
    while (one && one.step.kind !== 'idle') await finish(one)
  }
  assert.deepEqual(results.sort(), [...accepted].sort())
  assert.equal((await world.state())?.['state'], 'idle')
}
