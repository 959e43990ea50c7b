/** Sign-ins of a tenant as rows: one node signs in, all workers have it, and one of them at a time renews it. */
import type { SignInStore } from '../../mcp/sign-in/sign-in-store.js'
import {
  readStoredSignIn,
  type ServerIdentity,
  type StoredSignIn,
  signInKey,
} from '../../mcp/sign-in/stored-sign-in.js'
import type { Clock } from '../../platform/clock.js'
import { sealText, unsealText } from '../../platform/sealed-text.js'
import type { Statements, TenantDatabase } from '../database/database.js'
import { hashText } from '../open-cluster.js'

export type ClusterSignInPorts = {
  database: TenantDatabase
  key: Uint8Array
  clock: Pick<Clock, 'now' | 'sleep'>
  /** A text of its own for each holder of a lease. */
  newId(): string
}

/** A renewal takes no longer: its requests have 15 s. */
const LEASE_S = 20
const LOOK_MS = 200

export function createClusterSignInStore({ database, key, clock, newId }: ClusterSignInPorts): SignInStore {
  const { tenant } = database
  const idOf = (server: ServerIdentity) => hashText(signInKey(server))
  // A row that was moved to another tenant or server opens nothing.
  const about = (id: string) => `kedge.sign_ins ${tenant} ${id}`
  const open = (id: string, sealed: string): StoredSignIn | undefined => {
    const text = unsealText(key, sealed, about(id))
    return text === undefined ? undefined : readStoredSignIn(JSON.parse(text))
  }
  const read = async (statements: Statements, id: string, more = '') => {
    const sql = `select sealed from kedge.sign_ins where tenant = $1 and id = $2 ${more}`
    const [row] = await statements.query<{ sealed: string }>(sql, [tenant, id])
    return row && open(id, row.sealed)
  }
  const write = (statements: Statements, id: string, signIn: StoredSignIn) =>
    statements.query(
      `insert into kedge.sign_ins (tenant, id, server, sealed) values ($1, $2, $3, $4)
       on conflict (tenant, id) do update set sealed = excluded.sealed, changed = now()`,
      [tenant, id, signIn.server, sealText(key, JSON.stringify(signIn), about(id))],
    )
  return {
    async list() {
      const rows = await database.query<{ id: string; sealed: string }>(
        'select id, sealed from kedge.sign_ins where tenant = $1 order by server',
        [tenant],
      )
      return rows.flatMap(({ id, sealed }) => open(id, sealed) ?? [])
    },
    find: async (server) => read(database, await idOf(server)),
    async save(signIn) {
      await write(database, await idOf(signIn), signIn)
    },
    async change(server, change) {
      const id = await idOf(server)
      await database.transaction(async (tx) => {
        const known = await read(tx, id, 'for update')
        if (known) await write(tx, id, change(known))
      })
    },
    async remove(server) {
      await database.query('delete from kedge.sign_ins where tenant = $1 and id = $2', [tenant, await idOf(server)])
    },
    async exclusively(server, work) {
      const id = await idOf(server)
      const holder = newId()
      // A lease and no lock: whoever waits holds no connection, and a lost worker keeps nobody waiting.
      const end = clock.now() + LEASE_S * 1000
      while (clock.now() < end) {
        const rows = await database.query<{ taken: boolean }>(TAKE, [tenant, id, holder, LEASE_S])
        // Without a row there is nothing to renew.
        if (rows[0]?.taken !== false) break
        await clock.sleep(LOOK_MS)
      }
      try {
        return await work()
      } finally {
        await database
          .query(
            'update kedge.sign_ins set holder = null, held_until = null where tenant = $1 and id = $2 and holder = $3',
            [...[tenant, id, holder]],
          )
          .catch(() => undefined)
      }
    },
  }
}

/** No row: there is no such sign-in. */
const TAKE = `
with taken as (
  update kedge.sign_ins set holder = $3, held_until = clock_timestamp() + make_interval(secs => $4)
  where tenant = $1 and id = $2 and (held_until is null or held_until < clock_timestamp())
  returning id)
select exists (select 1 from taken) as taken from kedge.sign_ins where tenant = $1 and id = $2`
