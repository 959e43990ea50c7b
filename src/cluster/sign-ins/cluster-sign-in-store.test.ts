import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { StoredSignIn } from '../../mcp/sign-in/stored-sign-in.js'
import { nodeClock } from '../../platform/clock.js'
import { newSealKey } from '../../platform/sealed-text.js'
import { openTestDatabase } from '../test-database.js'
import { createClusterSignInStore } from './cluster-sign-in-store.js'
import { readSignInKey } from './sign-in-key.js'

const TRACKER: StoredSignIn = {
  server: 'tracker',
  url: 'https://mcp.example.com/mcp',
  issuer: 'https://login.example.com',
  authorizationServerUrl: 'https://login.example.com',
  client: { client_id: 'kedge' },
  tokens: { access_token: 'access-1', token_type: 'bearer', refresh_token: 'refresh-1' },
  signedInAt: '2026-01-01T00:00:00.000Z',
}

describe('sign-ins of a cluster', () => {
  let tables: Awaited<ReturnType<typeof openTestDatabase>>
  const key = newSealKey()
  let made = 0
  const storeOf = (tenant: string, its = key) =>
    createClusterSignInStore({
      database: tables.database.as(tenant),
      key: its,
      clock: nodeClock,
      newId: () => `holder ${++made}`,
    })
  before(async () => {
    tables = await openTestDatabase()
  })
  after(() => tables.drop())

  it('are found by every worker of the tenant, changed, and removed; the rows have no token', async () => {
    await storeOf('acme').save(TRACKER)
    assert.deepEqual(await storeOf('acme').find(TRACKER), TRACKER)
    await storeOf('acme').change(TRACKER, (one) => ({ ...one, wantedScope: 'write' }))
    assert.deepEqual(await storeOf('acme').list(), [{ ...TRACKER, wantedScope: 'write' }])
    const rows = await tables.database.as('acme').query('select t::text as row from kedge.sign_ins t')
    assert.ok(rows.length === 1 && !/access-1|refresh-1|mcp\.example/.test(JSON.stringify(rows)), JSON.stringify(rows))
    await storeOf('acme').remove(TRACKER)
    assert.equal(await storeOf('acme').find(TRACKER), undefined)
  })

  it('belong to one tenant, one address, and one key, also in a row that was moved', async () => {
    await storeOf('acme').save(TRACKER)
    assert.deepEqual(await storeOf('other').list(), [])
    assert.equal(await storeOf('acme').find({ ...TRACKER, url: 'https://elsewhere.example.com/mcp' }), undefined)
    assert.equal(await storeOf('acme', newSealKey()).find(TRACKER), undefined)
    await tables.database.asOperator().query(`update kedge.sign_ins set tenant = 'other' where tenant = 'acme'`)
    assert.equal(await storeOf('other').find(TRACKER), undefined)
    await storeOf('other').remove(TRACKER)
  })

  it('are renewed by one worker at a time', async () => {
    await storeOf('acme').save(TRACKER)
    let inside = 0
    let most = 0
    const work = async () => {
      inside += 1
      most = Math.max(most, inside)
      // The others look meanwhile.
      await tables.database.as('acme').query('select pg_sleep(0.3)')
      inside -= 1
      return inside
    }
    await Promise.all([1, 2, 3].map(() => storeOf('acme').exclusively(TRACKER, work)))
    assert.equal(most, 1)
    // Work that failed keeps nobody waiting.
    await assert.rejects(
      storeOf('acme').exclusively(TRACKER, () => Promise.reject(new Error('lost'))),
      /lost/,
    )
    assert.equal(await storeOf('acme').exclusively(TRACKER, async () => 'mine'), 'mine')
  })

  it('need a key of 32 bytes, whose value is in no error', () => {
    assert.equal(readSignInKey({}), undefined)
    assert.equal(readSignInKey({ KEDGE_SECRET_MCP_SIGN_INS: Buffer.from(key).toString('hex') })?.length, 32)
    assert.throws(
      () => readSignInKey({ KEDGE_SECRET_MCP_SIGN_INS: 'hunter2' }),
      (error: Error) => /openssl rand -hex 32/.test(error.message) && !error.message.includes('hunter2'),
    )
  })
})
