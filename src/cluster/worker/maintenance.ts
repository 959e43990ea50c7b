/** What one worker at a time does for all sessions: it looks once a second, and thoroughly once a minute. */
import type { RunQueueEngine } from '../engine/run-engine.js'
import { ClusterSessions, EXPIRED_ASKS_SQL, SESSIONS_WITH_DUE_PROMPTS_SQL } from '../runs/cluster-sessions.js'
import { reportLostTransactions, SELECT_UNREPORTED_RESTORE_SQL } from '../runs/lost-transactions.js'
import {
  freeUnresponsiveRuns,
  requeueLostSessions,
  SELECT_LOST_SESSIONS,
  takeOverRuns,
  UNRESPONSIVE_WORKERS_SQL,
} from '../runs/recover-runs.js'
import type { RunPorts } from '../runs/run-changes.js'
import { DUE_SCHEDULES_SQL, submitScheduledPrompts } from '../runs/schedules.js'

const THOROUGH_MS = 60_000
/** How long the engine remembers runs that have ended. */
const KEPT_MS = 3_600_000

export type MaintenancePorts = {
  /** The operator's. */
  ports: RunPorts
  engine: RunQueueEngine
  silentMs: number
  newId(): string
  say(text: string, error?: unknown): void
}

export class ClusterMaintenance {
  readonly #given: MaintenancePorts
  readonly #sessions: ClusterSessions
  /** At first, too: all of the machines may have been away. */
  #thoroughAt = 0

  constructor(given: MaintenancePorts) {
    this.#given = given
    this.#sessions = new ClusterSessions(given.ports)
  }

  async look(): Promise<void> {
    const { ports, silentMs, say } = this.#given
    const [needed] = await ports.database.query<Needed>(LOOK, [silentMs])
    if (needed?.lost) {
      const taken = await takeOverRuns(ports, silentMs)
      // Another worker is at it.
      if (taken === undefined) return
      for (const { tenant, session } of taken) say(`session ${session} of ${tenant} was taken from a lost worker`)
    }
    if (needed?.silent) await freeUnresponsiveRuns(ports, silentMs, 'recent')
    if (needed?.planned) await submitScheduledPrompts(ports)
    if (needed?.due) await this.#sessions.wakeDue()
    if (needed?.late) await this.#sessions.voidExpired()
    if (needed?.untold) await reportLostTransactions(ports)
    if (Date.now() - this.#thoroughAt < THOROUGH_MS) return
    this.#thoroughAt = Date.now()
    await this.#lookThoroughly()
  }

  async #lookThoroughly(): Promise<void> {
    const { ports, engine, silentMs, say } = this.#given
    await freeUnresponsiveRuns(ports, silentMs, 'ever')
    const mended = await requeueLostSessions(ports, THOROUGH_MS)
    for (const { session } of mended) say(`session ${session} waited for a run that no longer existed`)
    await engine.forget(new Date(Date.now() - KEPT_MS))
    await ports.database.query(`delete from kedge.deltas where at < now() - interval '1 minute'`)
    await ports.database.query(FORGOTTEN)
    await ports.database.query(DEAD_WORKERS, [silentMs])
  }
}

type Needed = Record<'lost' | 'silent' | 'planned' | 'due' | 'late' | 'untold', boolean>

/** Nearly always there is nothing to do: one statement says so. */
const LOOK = `select exists(${SELECT_LOST_SESSIONS}) as lost, exists(${UNRESPONSIVE_WORKERS_SQL.recent}) as silent,
  exists(${DUE_SCHEDULES_SQL}) as planned, exists(${SESSIONS_WITH_DUE_PROMPTS_SQL}) as due, exists(${EXPIRED_ASKS_SQL}) as late, exists(${SELECT_UNREPORTED_RESTORE_SQL}) as untold`
/** Dead workers stay visible in `kedge admin status` for some minutes. */
const DEAD_WORKERS = `delete from kedge.workers
  where beat < clock_timestamp() - greatest(interval '10 minutes', 2 * $1 * interval '1 millisecond')`
/** A deleted session leaves a row without entries, which is removed after a day. */
const FORGOTTEN = `delete from kedge.transcripts as head where coalesce(changed, began) < now() - interval '1 day' and not exists (
  select 1 from kedge.transcript_lines as line where line.tenant = head.tenant and line.project_key = head.project_key
    and line.session = head.session)`
