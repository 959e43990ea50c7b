import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Cluster, openCluster } from '../open-cluster.js'
import { ClusterSessions } from '../runs/cluster-sessions.js'
import { sendHeartbeat } from '../runs/recover-runs.js'
import { createTestDatabase, type TestDatabase } from '../test-database.js'
import { runAdmin } from './admin-main.js'

describe('the commands of an operator', { timeout: 400_000 }, () => {
  let tables: TestDatabase
  let cluster: Cluster
  let sessions: ClusterSessions
  before(async () => {
    tables = await createTestDatabase()
    cluster = await openCluster({ database: tables.url, connections: 3 })
    sessions = new ClusterSessions(cluster.ports('acme'))
  })
  after(async () => {
    await cluster.close()
    await tables.drop()
  })

  const admin = (...args: string[]) => runAdmin(args, { KEDGE_DATABASE: tables.url })
  /** Of the tenant acme, as programs read it. */
  const told = (...args: string[]) => toldOfAll(...args, '--tenant', 'acme')
  const toldOfAll = async (...args: string[]) => {
    const { code, out, error } = await admin(...args, '--json')
    assert.equal(error, '')
    return { code, said: JSON.parse(out) }
  }
  const state = async (id: string) =>
    (await cluster.database.as('acme').query<{ state: string }>('select state from kedge.sessions where id = $1', [id]))
      .map((row) => row.state)
      .join()
  const begin = async (id: string, prompt?: string) => {
    const first = [{ kind: 'state' as const, data: { title: `Session ${id}` } }]
    await sessions.create({ id, cwd: '/home/ada/project', first })
    if (prompt !== undefined) await sessions.submit(id, { clientId: `${id}-1`, body: prompt })
    return id
  }
  /** As if a worker had it. */
  const run = (id: string) =>
    cluster.database.as('acme').query(`update kedge.sessions set state = 'running', owner = 'w' where id = $1`, [id])

  it('says what is wrong with a command line, before it looks for a database', async () => {
    const wrong = async (pattern: RegExp, ...args: string[]) => {
      const { code, out, error } = await runAdmin(args, {})
      assert.deepEqual([code, out], [1, ''])
      assert.match(error, pattern)
      assert.match(error, /\nRun `kedge admin .*--help` for details\.\n$/)
    }
    await wrong(/^error: No database given\. Use --database/, 'status')
    await wrong(
      /unknown command 'kedge admin stauts'\.\n\(Did you mean kedge admin status\?\)/,
      'stauts',
      '--database',
      'postgres://ada@127.0.0.1:1/kedge',
    )
    await wrong(
      /unknown command 'kedge admin toString'\. Commands: migrate, /,
      'toString',
      '--database',
      'postgres://ada@127.0.0.1:1/kedge',
    )
    await wrong(/--nonsense/, 'status', '--nonsense')
    // An ignored word can change something else than intended, such as the default tenant's budget.
    const at = ['--database', 'postgres://ada@127.0.0.1:1/kedge']
    await wrong(
      /tenant doesn't take 'acme'\. To choose a tenant, use --tenant NAME\. Nothing was changed\./,
      'tenant',
      'acme',
      '--budget',
      '5',
      ...at,
    )
    await wrong(/park doesn't take 'two'\. Nothing was changed\./, 'park', 'one', 'two', ...at)
    await wrong(/forget doesn't take 'two'/, 'forget', 'one', 'two', '--yes', ...at)
    await wrong(/schedule remove doesn't take 'more'/, 'schedule', 'remove', 'one', 'more', ...at)
    await wrong(/schedule list doesn't take 'morning'/, 'schedule', 'list', 'morning', ...at)
    await wrong(/unknown option '--cron'/, 'schedule', 'remove', 'one', '--cron', '* * * * *', ...at)
    await wrong(/unknown option '--session'/, 'schedule', '--session', 'one', ...at)
    await wrong(/audit doesn't take 'one'/, 'audit', 'one', ...at)
    await wrong(/migrate doesn't take 'now'/, 'migrate', 'now', ...at)
    await wrong(/unknown option '--session'/, 'forget', '--session', 'one', '--all', '--yes', ...at)
    await wrong(/unknown option '--state'/, 'status', '--state', 'idle', ...at)
    const [help, nothing] = [await runAdmin(['--help'], {}), await runAdmin([], {})]
    assert.deepEqual([help.code, nothing.code, help.out], [0, 1, nothing.error])
    assert.match(help.out, /migrate .*\n.*status/)
  })

  it('status fails while nobody takes runs; migrate says when there is nothing to do', async () => {
    const bad = await admin('status')
    assert.deepEqual([bad.code, bad.error], [1, ''])
    assert.match(
      bad.out,
      /sessions: none\n.*\n.*\n.*\nproblem: No worker takes runs\. Start one with `kedge worker`\.\n/,
    )
    await sendHeartbeat(cluster.database.asOperator(), { worker: 'w', version: '1.2.3', capacity: 5, load: 2 })
    const good = await admin('status')
    assert.equal(good.code, 0)
    assert.match(good.out, /^worker w {2}1\.2\.3 {2}2 of 5 {2}heartbeat \d s ago\n/)
    assert.doesNotMatch(good.out, /problem/)
    const { said } = await toldOfAll('status')
    assert.deepEqual([said.workers[0].id, said.problems, said.asks.open], ['w', [], 0])
    assert.match((await admin('migrate')).out, /^The tables are up to date \(step \d+\)\.\n$/)
  })

  it('parks, resumes, moves and cancels what is under way, and says so when nothing is; each is on record', async () => {
    const [queued, runs, idle] = [await begin('queued', 'Go'), await begin('runs', 'Go'), await begin('idle')]
    assert.deepEqual((await told('park', queued)).said, { parked: true })
    assert.equal(await state(queued), 'waiting')
    assert.match((await admin('resume', queued, '--tenant', 'acme')).out, /^queued is resumed\.\n$/)
    assert.equal(await state(queued), 'queued')
    await run(runs)
    assert.deepEqual((await told('move', runs)).said, { moved: true })
    assert.deepEqual((await told('cancel', runs)).said, { canceled: true })
    for (const command of ['park', 'move', 'cancel'])
      assert.equal((await admin(command, idle, '--tenant', 'acme')).out, 'Nothing is under way in idle.\n')
    const wishes = await cluster.database
      .as('acme')
      .query(`select kind from kedge.inbox where session = 'runs' order by n`)
    assert.deepEqual(
      wishes.map((row) => row['kind']),
      ['prompt', 'wish', 'interrupt'],
    )
    const { said: rows } = await told('audit', '--session', runs)
    assert.deepEqual(
      rows.map(({ who, what, session }: Record<string, string>) => [who, what, session]),
      [
        ['operator', 'canceled', runs],
        ['operator', 'moved', runs],
      ],
    )
    assert.match((await admin('audit', '--tenant', 'acme')).out, /operator {2}parked {2}queued/)
    // Another tenant sees and changes nothing of it.
    for (const command of ['park', 'resume', 'move', 'cancel']) {
      const { code, error } = await admin(command, runs)
      assert.deepEqual([code, error], [1, 'error: There is no session runs.\n'])
      assert.match((await admin(command)).error, /needs SESSION: the id of a session\./)
    }
    assert.equal((await admin('audit')).out, 'Nothing was answered or changed.\n')
  })

  it('lists by state, forgets one or all with --yes only', async () => {
    const ids = async (...args: string[]) =>
      (await told('list', ...args)).said.map(({ id }: { id: string }) => id).sort()
    assert.deepEqual([await ids(), await ids('--state', 'running')], [['idle', 'queued', 'runs'], ['runs']])
    assert.match((await admin('list', '--tenant', 'acme', '--state', 'idle')).out, /^idle {2}idle .*Session idle\n$/)
    assert.match(
      (await admin('list', '--tenant', 'acme', '--state', 'asleep')).error,
      /'asleep' is invalid\. Allowed choices are idle, queued/,
    )
    assert.equal((await admin('list')).out, 'There are no sessions.\n')
    assert.match((await admin('forget', 'idle', '--tenant', 'acme')).error, /Confirm with --yes\./)
    assert.match((await admin('forget', '--yes', '--tenant', 'acme')).error, /Give a SESSION, or --all/)
    assert.deepEqual((await told('forget', 'idle', '--yes')).said, { forgotten: true })
    assert.match((await admin('forget', 'idle', '--yes', '--tenant', 'acme')).out, /There is no session idle/)
    assert.deepEqual(await ids(), ['queued', 'runs'])
    // One of them is meant: not all of them.
    assert.match(
      (await admin('forget', 'runs', '--all', '--yes', '--tenant', 'acme')).error,
      /^error: Give either SESSION or --all\./,
    )
    assert.deepEqual((await told('forget', '--all', '--yes')).said, { sessions: 2 })
    assert.deepEqual(await ids(), [])
  })

  it('sets the budget of a tenant and pauses it; refuses amounts that are none', async () => {
    for (const amount of ['-1', 'much', '', 'NaN', 'Infinity'])
      assert.match(
        (await admin('tenant', `--budget=${amount}`)).error,
        /--budget must be an amount in US dollars/,
        amount,
      )
    assert.match((await admin('tenant', '--pause', '--resume')).error, /Give either --pause or --resume\./)
    assert.match((await admin('tenant', '--budget', '1', '--no-budget')).error, /Give either --budget or --no-budget\./)
    assert.match((await admin('tenant', '--tenant', 'a b')).error, /can't be the name of a tenant/)
    const text = async (...args: string[]) => (await admin('tenant', '--tenant', 'acme', ...args)).out
    assert.equal(await text(), 'acme has spent $0.00, has no budget.\n')
    assert.equal(
      await text('--budget', '2.5', '--pause'),
      'acme has spent $0.00, has a budget of $2.50, and is paused.\n',
    )
    assert.equal(await text('--resume'), 'acme has spent $0.00, has a budget of $2.50.\n')
    assert.equal(await text('--no-budget'), 'acme has spent $0.00, has no budget.\n')
    const { said } = await told('audit')
    assert.deepEqual(
      said.map(({ what, details }: { what: string; details: string }) => [what, JSON.parse(details)]),
      [
        ['tenant', { budget: null }],
        ['tenant', { paused: false }],
        ['tenant', { budget: 2.5, paused: true }],
      ],
    )
  })

  it('status names each problem of the database: dead workers, missing apps, stuck sessions, tenants, no writing', async () => {
    const operator = cluster.database.asOperator()
    await sendHeartbeat(operator, { worker: 'w', capacity: 5 })
    await sendHeartbeat(operator, { worker: 'lost', host: 'm2' })
    await operator.query(`update kedge.workers set beat = beat - interval '1 minute' where id = 'lost'`)
    const [parked, stuck] = [await begin('parked', 'Go'), await begin('stuck', 'Go')]
    for (const id of [parked, stuck]) await told('park', id)
    await cluster.database.as('acme').query(`update kedge.sessions set facts = facts - 'parked' where id = 'stuck'`)
    await begin('poison', 'Go')
    await cluster.database
      .as('acme')
      .query(`update kedge.sessions set attempts = 2, facts = facts || '{"crashes":{"Bash x":2}}' where id = 'poison'`)
    await begin('shopping', 'Go')
    await cluster.database.as('acme').query(`update kedge.sessions set app = 'shop' where id = 'shopping'`)
    await admin('tenant', '--tenant', 'acme', '--budget', '0', '--pause')
    const { code, out } = await admin('status')
    assert.equal(code, 1)
    assert.match(out, /worker lost .* dead\n/)
    assert.match(out, /; 1 parked by an operator\n/)
    const problems = out.split('\n').flatMap((line) => /^problem: (.*?\.)(?: |$)/.exec(line)?.[1] ?? [])
    const withoutSeconds = problems.map((problem) => problem.replace(/\d+ s\./, 'N s.'))
    assert.deepEqual(withoutSeconds, [
      '1 run waits for the app "shop", but no worker has it.',
      'Worker lost on m2 is dead: no heartbeat for N s.',
      'Session stuck of acme waits, but no request is open.',
      'Session poison of acme ended 2 workers in a row, each during this call: Bash x.',
      'Tenant acme has spent its budget ($0.00 of $0.00).',
      'Tenant acme is paused.',
    ])
    const database = new URL(tables.url).pathname.slice(1)
    await operator.query(`alter database "${database}" set default_transaction_read_only = on`)
    const readOnly = await admin('status')
    await operator.query(`alter database "${database}" reset default_transaction_read_only`)
    assert.match(
      readOnly.out,
      /^problem: The database \S+ only reads \(.*\)\. Use the address of the primary server, or/m,
    )
    // The commands that it names do what they say.
    const named = (id: string) => {
      const [, command = ''] = new RegExp(`Session ${id} .*\`kedge admin (.*)\``).exec(out) ?? []
      return admin(...command.split(' '))
    }
    assert.equal((await named('stuck')).out, 'stuck is resumed.\n')
    assert.equal((await named('poison')).out, 'poison is canceled.\n')
    await told('forget', '--all', '--yes')
    await admin('tenant', '--tenant', 'acme', '--no-budget', '--resume')
    await operator.query(`delete from kedge.workers`)
  })

  it('keeps schedules; refuses those that never come, and those of sessions that are not there', async ({ mock }) => {
    const session = await begin('daily')
    const add = (...args: string[]) => admin('schedule', 'add', 'morning', '--tenant', 'acme', ...args)
    const whole = ['--session', session, '--cron', '0 9 * * 1-5', '--prompt', 'Go on', '--time-zone', 'Europe/Berlin']
    for (const name of ['session', 'cron', 'prompt']) {
      const without = whole.filter((_, index) => ![index, index - 1].some((at) => whole[at] === `--${name}`))
      assert.match((await add(...without)).error, new RegExp(`schedule add needs --${name}`))
    }
    assert.match((await add(...whole, '--cron', 'whenever')).error, /isn't a valid schedule/)
    assert.match((await add(...whole, '--time-zone', 'Mars/Crater')).error, /Mars\/Crater/)
    assert.match(
      (await add(...whole, '--missed', 'twice')).error,
      /'twice' is invalid\. Allowed choices are skip, once\./,
    )
    assert.match((await add(...whole, '--session', 'nobody')).error, /There is no session nobody/)
    assert.match((await admin('schedule', 'add', '--tenant', 'acme')).error, /schedule add needs ID/)
    assert.match(
      (await admin('schedule', 'drop', 'morning')).error,
      /unknown command 'kedge admin schedule drop'\. Commands: list, add, remove\./,
    )
    assert.equal((await admin('schedule', '--tenant', 'acme')).out, 'There are no schedules.\n')
    assert.match((await add(...whole)).out, /^morning runs next at \d{4}-.*Z\.\n$/)
    const [listed] = (await told('schedule', 'list')).said
    assert.deepEqual([listed.cron, listed.timeZone, listed.missed], ['0 9 * * 1-5', 'Europe/Berlin', 'skip'])
    // By the clock of the database, however wrong that of this machine is.
    const [clock] = await cluster.database.as('acme').query<{ now: Date }>('select now() as now')
    for (const offMs of [-300_000, 300_000]) {
      mock.timers.enable({ apis: ['Date'], now: Date.now() + offMs })
      const { said } = await told(
        'schedule',
        'add',
        'often',
        '--session',
        session,
        '--cron',
        '* * * * *',
        '--prompt',
        'Go',
      )
      mock.timers.reset()
      const inMs = said.next - (clock?.now.getTime() ?? 0)
      assert.ok(inMs > 0 && inMs <= 120_000, `in ${inMs} ms`)
    }
    assert.equal((await admin('schedule', 'remove', 'morning')).out, 'There is no schedule morning.\n')
    assert.deepEqual((await told('schedule', 'remove', 'morning')).said, { removed: true })
  })
})
