/** What the nodes of a server share: a text in the database, that each node has a copy of. */
import { retryWhileUnavailable, type TenantDatabase } from '../database/database.js'
import type { WakeUps } from '../database/wake-ups.js'

export type SharedClusterStatePorts = {
  database: TenantDatabase
  name: string
  wakeUps: WakeUps
  /** Others should look. */
  wake(): void
  /** What the others wait for. */
  wakeName: string
}

export class SharedClusterState<T> {
  readonly #ports: SharedClusterStatePorts
  #value: T
  #saving: Promise<void> = Promise.resolve()

  constructor(ports: SharedClusterStatePorts, empty: T) {
    this.#ports = ports
    this.#value = empty
  }

  stored(): T {
    return this.#value
  }

  /** Here at once; for the others when `saved()` resolves. `change` is made again on what others have written meanwhile. */
  update(change: (value: T) => T): void {
    this.#value = change(this.#value)
    this.#saving = this.#saving.then(() => this.#save(change))
    this.#saving.catch(() => undefined)
  }

  saved(): Promise<void> {
    return this.#saving
  }

  async refresh(): Promise<void> {
    await this.#saving.catch(() => undefined)
    const found = await this.#read()
    if (found) this.#value = found.value
  }

  /** What others write is seen soon: until the signal. */
  async follow(signal: AbortSignal): Promise<void> {
    const { wakeUps, wakeName } = this.#ports
    while (!signal.aborted) {
      const woken = wakeUps.next(wakeName, signal)
      await this.refresh().catch(() => undefined)
      await woken.said
    }
  }

  async #save(change: (value: T) => T): Promise<void> {
    const { database, name, wake } = this.#ports
    for (;;) {
      const found = await retryWhileUnavailable(() => this.#read())
      const value = change(found?.value ?? this.#value)
      const values = [database.tenant, name, JSON.stringify(value), found?.changed ?? 0]
      const done = await retryWhileUnavailable(() =>
        database.query(found ? REPLACE : MAKE, found ? values : values.slice(0, 3)),
      )
      if (done.length === 0) continue
      this.#value = value
      wake()
      return
    }
  }

  async #read(): Promise<{ value: T; changed: number } | undefined> {
    const { database, name } = this.#ports
    const [row] = await database.query<{ body: string; changed: number }>(READ, [database.tenant, name])
    return row && { value: JSON.parse(row.body), changed: row.changed } // as `#save` wrote it
  }
}

const READ = 'select body, changed::float8 from kedge.server_files where tenant = $1 and name = $2'
const MAKE = `insert into kedge.server_files (tenant, name, body) values ($1, $2, $3) on conflict do nothing returning name`
const REPLACE = `update kedge.server_files set body = $3, changed = changed + 1
  where tenant = $1 and name = $2 and changed = $4 returning name`
