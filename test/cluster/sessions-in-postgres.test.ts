/** `query()` with its sessions in PostgreSQL: begun on one machine, gone on with on another, by one at a time. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { query } from 'kedge'
import { openDatabase, PostgresSessionStore } from 'kedge/cluster'
import { collect, startModelServer, testOptions } from 'kedge/testing'
import { createTestDatabase } from '../../src/cluster/test-database.js'
import { projectKey } from '../../src/sessions/transcript-paths.js'

describe('sessions in PostgreSQL', () => {
  it('of kedge/cluster go on wherever they are resumed, are written by one at a time, and are no other tenant’s', async () => {
    const made = await createTestDatabase()
    await using model = await startModelServer(['First answer.', 'Second answer.'])
    const machine = async (tenant: string) => {
      const database = await openDatabase({ url: made.url, connections: 2 })
      return { database, store: new PostgresSessionStore(database.as(tenant)) }
    }
    const [one, two, stranger] = await Promise.all([machine('acme'), machine('acme'), machine('other')])
    await using here = testOptions(model, { isolation: 'in-process' })
    // Another home, the same project: nothing of the session is on that disk.
    await using there = testOptions(model, { isolation: 'in-process', ...(here.cwd ? { cwd: here.cwd } : {}) })
    const said = await collect(query({ prompt: 'Hello.', options: { ...here, sessionStore: one.store } }))
    const resume = said.result?.session_id ?? ''
    const resumed = { ...there, sessionStore: two.store, resume }
    const again = await collect(query({ prompt: 'And now?', options: resumed }))
    assert.deepEqual([again.error, again.result?.subtype], [undefined, 'success'])
    const sent = JSON.stringify(model.requests.at(-1)?.body)
    for (const text of ['Hello.', 'First answer.', 'And now?']) assert.ok(sent.includes(text), text)

    const key = { projectKey: projectKey(here.cwd ?? ''), sessionId: resume }
    assert.deepEqual(
      (await two.store.listSessions(key.projectKey)).map((session) => session.sessionId),
      [resume],
    )
    assert.ok('token' in (await one.store.leases.acquire(key, 'another machine', 60_000)))
    const refused = await collect(query({ prompt: 'Me too.', options: resumed }))
    assert.match(String(refused.error), /in use by another machine/)
    assert.deepEqual([await stranger.store.load(key), await stranger.store.listSessions(key.projectKey)], [null, []])
    for (const { database } of [one, two, stranger]) await database.close()
    await made.drop()
  })
})
