/** Requests from elsewhere to a worker's sessions: one query for all of them, on a wake-up, and every two seconds. */
import type { TenantDatabase } from '../database/database.js'
import type { WakeUps } from '../database/wake-ups.js'

export type WorkerInboxPorts = { database: TenantDatabase; worker: string; wakeUps: WakeUps }

type Waiting = { tenant: string; ask: string; done(): void }

export class WorkerInbox {
  readonly #ports: WorkerInboxPorts
  readonly #listeners = new Map<string, () => void>()
  readonly #waiting = new Set<Waiting>()

  constructor(ports: WorkerInboxPorts) {
    this.#ports = ports
  }

  /** `onNews` is called on a request to this session. Returns a function that stops listening. */
  listen(tenant: string, session: string, onNews: () => void): () => void {
    const name = `${tenant}/${session}`
    this.#listeners.set(name, onNews)
    return () => {
      if (this.#listeners.get(name) === onNews) this.#listeners.delete(name)
    }
  }

  /** Resolves when an ask is decided, or with the signal. */
  decided(tenant: string, ask: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiting: Waiting = { tenant, ask, done }
      const waits = this.#waiting
      function done() {
        waits.delete(waiting)
        signal.removeEventListener('abort', done)
        resolve()
      }
      waits.add(waiting)
      signal.addEventListener('abort', done, { once: true })
      if (signal.aborted) done()
    })
  }

  /** Until the signal. */
  async watch(signal: AbortSignal): Promise<void> {
    const { wakeUps, worker } = this.#ports
    while (!signal.aborted) {
      const woken = wakeUps.next(toWorkerWakeUpName(worker), signal)
      // What can't be seen now is seen in two seconds.
      if (this.#listeners.size > 0) await this.#look().catch(() => undefined)
      await woken.said
    }
  }

  async #look(): Promise<void> {
    const { database, worker } = this.#ports
    const news = await database.query<{ tenant: string; id: string }>(NEWS, [worker])
    for (const { tenant, id } of news) this.#listeners.get(`${tenant}/${id}`)?.()
    if (this.#waiting.size === 0) return
    const waiting = [...this.#waiting]
    const decided = await database.query<{ tenant: string; id: string }>(DECIDED, [waiting.map(({ ask }) => ask)])
    const names = new Set(decided.map(({ tenant, id }) => `${tenant}/${id}`))
    for (const one of waiting) if (names.has(`${one.tenant}/${one.ask}`)) one.done()
  }
}

export function toWorkerWakeUpName(worker: string): string {
  return `worker/${worker}`
}

const NEWS = `select distinct one.tenant, one.id from kedge.sessions as one
  join kedge.inbox as wanted on wanted.tenant = one.tenant and wanted.session = one.id and not wanted.done
  where one.owner = $1 and one.state = 'running'
    and (wanted.kind <> 'prompt' or (wanted.steer and wanted.taken_run is null and wanted.not_before <= now()))`
const DECIDED = `select tenant, id from kedge.asks where id = any($1::text[]) and state <> 'open'`
