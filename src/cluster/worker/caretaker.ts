/** What one worker at a time does for all sessions: it looks once a second, and thoroughly once a minute. */
import type { RunEngine } from '../engine/run-engine.js'
import { ClusterSessions } from '../runs/cluster-sessions.js'
import type { RunPorts } from '../runs/run-changes.js'
import { submitDue } from '../runs/schedules.js'
import { freeSilent, mendLost, takeOver } from '../runs/take-over.js'

const THOROUGH_MS = 60_000
/** How long the engine remembers runs that have ended. */
const KEPT_MS = 3_600_000

export type CaretakerPorts = {
  /** The operator's. */
  ports: RunPorts
  engine: RunEngine
  silentMs: number
  newId(): string
  say(text: string, error?: unknown): void
}

export class Caretaker {
  readonly #given: CaretakerPorts
  readonly #sessions: ClusterSessions
  #thoroughAt = Date.now()

  constructor(given: CaretakerPorts) {
    this.#given = given
    this.#sessions = new ClusterSessions(given.ports)
  }

  async look(): Promise<void> {
    const { ports, silentMs, say } = this.#given
    const taken = await takeOver(ports, silentMs)
    // Another worker is at it.
    if (taken === undefined) return
    for (const { tenant, session } of taken) say(`session ${session} of ${tenant} was taken from a silent worker`)
    await freeSilent(ports, silentMs)
    await submitDue(ports)
    await this.#sessions.wakeDue()
    await this.#sessions.voidExpired()
    if (Date.now() - this.#thoroughAt < THOROUGH_MS) return
    this.#thoroughAt = Date.now()
    await this.#lookThoroughly()
  }

  async #lookThoroughly(): Promise<void> {
    const { ports, engine, say } = this.#given
    const mended = await mendLost(ports, THOROUGH_MS)
    for (const { session } of mended) say(`session ${session} waited for a run that nobody knew`)
    await engine.forget(new Date(Date.now() - KEPT_MS))
    await ports.database.query(`delete from kedge.deltas where at < now() - interval '1 minute'`)
    await ports.database.query(FORGOTTEN)
  }
}

/** Of sessions that were deleted only a number is left. */
const FORGOTTEN = `delete from kedge.transcripts as head where coalesce(changed, began) < now() - interval '1 day' and not exists (
  select 1 from kedge.entries as line where line.tenant = head.tenant and line.project_key = head.project_key
    and line.session = head.session)`
