import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createTestDatabase, openTestDatabase } from '../test-database.js'
import { openDatabase, retryWhileUnavailable } from './database.js'
import { checkSchema, MIGRATIONS, type Migration, migrate } from './migrations.js'

const step = (number: number, sql: string, worksWith = number): Migration => ({
  number,
  name: `s${number}`,
  sql,
  worksWith,
})

function gate() {
  let open = () => {}
  const opened = new Promise<void>((done) => {
    open = done
  })
  return { open, opened }
}

describe('the tables', () => {
  it('are made once, also by several at a time; old, newer and compatible ones are told apart', async () => {
    const made = await createTestDatabase({ empty: true })
    const several = await Promise.all([1, 2, 3].map(() => openDatabase({ url: made.url, connections: 1 })))
    const [database] = several
    assert.ok(database)
    await assert.rejects(checkSchema(database), { code: 'schema_too_old', message: /kedge admin migrate/ })
    const done = await Promise.all(several.map((one) => migrate(one)))
    const all = MIGRATIONS.length
    assert.deepEqual(done.map(({ from }) => from).sort(), [0, all, all])
    assert.deepEqual(await checkSchema(database), { number: all, isRowSecurityEnforced: true })

    const next = [...MIGRATIONS, step(all + 1, 'create table kedge.more (n int)', 1)]
    await assert.rejects(checkSchema(database, next), { code: 'schema_too_old' })
    assert.deepEqual(await migrate(database, next), { from: all, to: all + 1 })
    // Added to only: the older program continues while the newer one rolls out, and does not undo it.
    assert.equal((await checkSchema(database)).number, all + 1)
    assert.deepEqual(await migrate(database), { from: all + 1, to: all + 1 })
    // A step that fails leaves nothing behind, also of those before it.
    const third = step(all + 2, 'create table kedge.third (n int)')
    const broken = [...next, third, step(all + 3, 'nonsense')]
    await assert.rejects(migrate(database, broken), /syntax error/)
    assert.equal((await checkSchema(database, next)).number, all + 1)
    await migrate(database, [...next, third])
    for (const look of [checkSchema, migrate])
      await assert.rejects(look(database, next), { code: 'schema_too_new', message: /update it/ })
    for (const one of several) await one.close()
    await made.drop()
  })
})

describe('a database', () => {
  it('says what is wrong with its address, its password, its name or its connections, and no secret', async () => {
    const made = await createTestDatabase()
    const wrong = async (url: string) => {
      const database = await openDatabase({ url, connectMs: 2000 })
      const error = await database
        .asOperator()
        .query('select 1')
        .then(
          () => assert.fail('it answered'),
          (reason: Error & { code: string }) => reason,
        )
      await database.close()
      assert.doesNotMatch(error.message, /hidden/)
      return error.code
    }
    const url = new URL(made.url)
    const [right, name] = [url.href, url.pathname]
    url.password = 'hidden'
    assert.equal(await wrong(url.href), 'database_refused')
    assert.equal(await wrong(right.replace(name, '/nowhere')), 'database_refused')
    assert.equal(await wrong('postgres://ada:hidden@127.0.0.1:1/kedge'), 'database_unreachable')
    await assert.rejects(openDatabase({ url: 'https://ada:hidden@example.com' }), (error: Error & { code: string }) => {
      assert.doesNotMatch(error.message, /hidden/)
      return error.code === 'invalid_option'
    })
    await assert.rejects(openDatabase({ url: 'postgres://ada:hid%den@example.com/kedge' }), {
      code: 'invalid_option',
      message: /% .* is written as %25/,
    })
    await made.admin(`alter database ${name.slice(1)} connection limit 1`)
    const first = await openDatabase({ url: right })
    const [taken, done] = [gate(), gate()]
    const held = first.asOperator().transaction(async () => {
      taken.open()
      await done.opened
    })
    await taken.opened
    await assert.rejects(first.asOperator().query('select 1'), { code: 'database_full', message: /max_connections/ })
    done.open()
    await held
    await first.close()
    await made.drop()
  })

  it('goes on after its connections were cut, and undoes what was half done', async () => {
    const { database, cut, drop } = await openTestDatabase({ connections: 2 })
    const operator = database.asOperator()
    await operator.query('create table kedge.noted (n int)')
    const half = operator.transaction(async (tx) => {
      await tx.query('insert into kedge.noted values (1)')
      await cut()
      await tx.query('insert into kedge.noted values (2)')
    })
    await assert.rejects(half, { code: 'database_unreachable' })
    assert.deepEqual(await retryWhileUnavailable(() => operator.query('select n from kedge.noted')), [])
    await assert.rejects(
      retryWhileUnavailable(() => operator.query('select nonsense')),
      /nonsense/,
    )
    await drop()
  })

  it('takes its rows back from who was paused in the middle of a transaction', async () => {
    const { database, url, drop } = await openTestDatabase({ connections: 1 })
    const paused = await openDatabase({ url, silentMs: 100 })
    await database.as('ada').query(`insert into kedge.sessions (tenant, id) values ('ada', 's')`)
    const [locked, mayGoOn] = [gate(), gate()]
    const half = paused.as('ada').transaction(async (tx) => {
      await tx.query('select 1 from kedge.sessions for update')
      locked.open()
      await mayGoOn.opened
      await tx.query(`update kedge.sessions set app = 'stale'`)
    })
    const over = assert.rejects(half, { code: 'database_unreachable' })
    await locked.opened
    await database.as('ada').query(`update kedge.sessions set app = 'mine'`)
    mayGoOn.open()
    await over
    assert.deepEqual(await database.as('ada').query('select app from kedge.sessions'), [{ app: 'mine' }])
    await paused.close()
    await drop()
  })

  it('shows a tenant its own rows only, whatever a statement asks for', async () => {
    const { database, drop } = await openTestDatabase({ connections: 1 })
    const [ada, ben] = [database.as('ada'), database.as('ben')]
    const add = (tenant: string) => [`insert into kedge.sessions (tenant, id) values ($1, 's')`, [tenant]] as const
    await ada.query(...add('ada'))
    await ben.query(...add('ben'))
    await assert.rejects(ada.query(...add('ben')), /row-level security/)
    const seen = async (who: typeof ada) =>
      (await who.query('select tenant from kedge.sessions')).map((row) => row['tenant'])
    assert.deepEqual([await seen(ada), await seen(ben)], [['ada'], ['ben']])
    assert.deepEqual((await seen(database.asOperator())).sort(), ['ada', 'ben'])
    await ada.query(`update kedge.sessions set title = 'mine'`).catch(() => undefined)
    await ada.query(`delete from kedge.sessions`)
    assert.deepEqual([await seen(ada), await seen(ben)], [[], ['ben']])
    for (const name of ['*', '', 'a b', `x'; drop`, 'x'.repeat(101)])
      assert.throws(() => database.as(name), { code: 'invalid_option' })
    // Every table but that of the machines and the steps is behind it.
    const open = await database.asOperator().query(
      `select relname from pg_class where relnamespace = 'kedge'::regnamespace and relkind = 'r'
         and not (relrowsecurity and relforcerowsecurity) order by 1`,
    )
    assert.deepEqual(
      open.map((row) => row['relname']),
      ['counters', 'history', 'migrations', 'rates', 'workers'],
    )
    await drop()
  })
})
