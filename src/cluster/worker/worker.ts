/**
 * A worker: takes runs, and sends a heartbeat every second. One worker at a time does the maintenance: runs of
 * unresponsive workers, due prompts, and expired asks.
 */
import { KedgeError } from '../../errors.js'
import { nodeClock } from '../../platform/clock.js'
import type { UUID } from '../../protocol/content.js'
import type { GetMcpToken } from '../../protocol/mcp-servers.js'
import type { Options } from '../../protocol/options.js'
import type { Query } from '../../protocol/query.js'
import { type Database, retryWhileUnavailable } from '../database/database.js'
import { createWakeUpSender, NOTIFY_STATEMENT, type WakeUps } from '../database/wake-ups.js'
import type { RunKey, RunQueueEngine } from '../engine/run-engine.js'
import { runId } from '../engine/run-engine.js'
import { type ClaimedRun, claimRun } from '../runs/claimed-run.js'
import { createLogEntryWriter } from '../runs/fenced-log-entries.js'
import {
  addToClusterCounter,
  noteWorkerReturned,
  releaseRuns,
  runsOwnedBy,
  sendHeartbeat,
} from '../runs/recover-runs.js'
import { lockSession, queueNextRun, queueOfApp, type RunPorts } from '../runs/run-changes.js'
import { createDeltaBuffer, type DeltaBuffer } from '../store/delta-buffer.js'
import { logWakeNames } from '../store/follow-log.js'
import type { App } from './app.js'
import { ClusterMaintenance } from './maintenance.js'
import type { RunFiles } from './run-files.js'
import { RunSession } from './run-session.js'
import { toWorkerWakeUpName, WorkerInbox } from './worker-inbox.js'

export type WorkerOptions = {
  database: Database
  engine: RunQueueEngine
  wakeUps: WakeUps
  apps: readonly App[]
  /** Unique, and new at every start. */
  worker: string
  host: string
  version: string
  startQuery(options: Options): Query
  newId(): UUID
  hash(text: string): Promise<string>
  /** Where a session works on this machine. */
  filesOf(claimed: ClaimedRun, app: App): RunFiles
  /** For every agent. */
  options: Options
  /** Sessions at a time. */
  capacity: number
  /** Maximum sessions of one tenant at a time, across all workers. */
  perTenant: number
  /** How long the answer to an ask is waited for before the turn is parked. */
  warmMs: number
  askTimeoutMs: number | undefined
  /** Tokens for the MCP servers of a tenant's sessions; undefined: this worker has none. */
  mcpTokens(tenant: string): GetMcpToken | undefined
  beatMs: number
  /** How long a worker can be silent before it counts as lost, in milliseconds. */
  silentMs: number
  say(text: string, error?: unknown): void
}

/** What is further off is said; what is much further off is not started with. */
const CLOCK_MS = { said: 2000, refused: 30_000 }

/** Number of heartbeats between two searches for runs that were lost on their way to this worker. */
const MISSED_BEATS = 10

export type WorkerLoadAndHeartbeat = {
  /** Sessions it runs now. */
  load: number
  capacity: number
  /** Time since a heartbeat reached the database. */
  silentMs: number
  /** Without a heartbeat for this long, other workers take over its sessions. */
  limitMs: number
  draining: boolean
}

export class Worker {
  readonly #given: WorkerOptions
  readonly #runs = new Map<string, RunSession>()
  readonly #news: WorkerInbox
  readonly #caretaker: ClusterMaintenance
  readonly #frames = new Map<string, DeltaBuffer>()
  readonly #over = new AbortController()
  readonly #calls: ReturnType<typeof createWakeUpSender>
  readonly #writer: ReturnType<typeof createLogEntryWriter>
  /** Runs the engine has handed to us and that have not ended. */
  readonly #performing = new Set<string>()
  /** Those that could not be begun, because the database was away. */
  readonly #failed = new Set<RunKey>()
  /** Those that were said to be ours when we looked last, and that we do not have. */
  #missed: readonly string[] = []
  #isLeaving = false
  #beatAt = Date.now()
  #clockSaid = false
  #loops: Promise<unknown>[] = []

  constructor(given: WorkerOptions) {
    this.#given = given
    const { database, worker, wakeUps, newId, engine, silentMs, say } = given
    const operator = database.asOperator()
    this.#calls = createWakeUpSender((payload) => operator.query(NOTIFY_STATEMENT, [payload]))
    this.#news = new WorkerInbox({ database: operator, worker, wakeUps })
    this.#writer = createLogEntryWriter({
      database: operator,
      newId,
      onWritten: (tenant, session) => this.#wake(tenant, session),
      onFenced: () => void addToClusterCounter(operator, 'fenced_writes').catch(() => undefined),
    })
    this.#caretaker = new ClusterMaintenance({ ports: this.#ports('*'), engine, silentMs, newId, say })
    database.onWentBack(() => {
      say('the database was set back: this worker drops its sessions, and they continue from its state')
      this.#dropAll()
    })
  }

  async start(): Promise<void> {
    const { engine, worker, capacity, perTenant, apps, beatMs } = this.#given
    const queues = apps.map(({ name }) => ({ name: queueOfApp(name), perTenant }))
    // Before anything is taken: a worker that refuses to start must not have a session by then.
    await retryWhileUnavailable(() => this.#readClock())
    await retryWhileUnavailable(() => engine.work((run) => this.#perform(run), { worker, capacity, queues }))
    await retryWhileUnavailable(() => this.#beat({ isFirst: true }))
    this.#loops = [
      this.#every(beatMs, () => this.#beat({})),
      this.#every(beatMs, async () => this.#dropIfUnheard()),
      this.#every(beatMs, () => this.#caretaker.look()),
      this.#every(beatMs * MISSED_BEATS, () => this.#findMissed()),
      this.#news.watch(this.#over.signal),
    ]
  }

  /** Takes nothing new. Running turns continue elsewhere from the next boundary, or are dropped after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    const { engine } = this.#given
    this.#isLeaving = true
    for (const run of this.#runs.values()) run.leave()
    const patience = setTimeout(() => this.#dropAll(), graceMs)
    while (this.#runs.size > 0) await nodeClock.sleep(20)
    clearTimeout(patience)
    const isBare = await engine.stop(2000)
    this.#over.abort()
    await Promise.allSettled(this.#loops)
    await Promise.allSettled([...this.#frames.values()].map((frames) => frames.flush()))
    // While it is known, what it left is found: it is silent from now on.
    if (isBare)
      await this.#given.database
        .asOperator()
        .query('delete from kedge.workers where id = $1', [this.#given.worker])
        .catch(() => undefined)
    await this.#calls.flush()
  }

  state(): WorkerLoadAndHeartbeat {
    const { capacity, silentMs: limitMs } = this.#given
    const silentMs = Math.max(0, Date.now() - this.#beatAt)
    return { load: this.#runs.size, capacity, silentMs, limitMs, draining: this.#isLeaving }
  }

  async #perform(run: RunKey): Promise<void> {
    const { say } = this.#given
    this.#performing.add(runId(run))
    try {
      if (this.#isLeaving) await this.#giveBack(run)
      else await this.#work(run)
    } catch (error) {
      say(`run ${runId(run)} failed`, error)
      this.#failed.add(run)
    } finally {
      this.#performing.delete(runId(run))
    }
  }

  /**
   * Finds runs whose handover was lost with its connection: they are ours in the engine's tables, or in the session's
   * row, but aren't running. A run that couldn't be begun is in neither.
   */
  async #findMissed(): Promise<void> {
    const { engine, worker } = this.#given
    const ports = this.#ports('*')
    const ours = [...(await engine.runsOf([worker])), ...(await runsOwnedBy(ports.database, worker))]
    const runs = ours.filter((run) => !this.#performing.has(runId(run)))
    const twice = runs.filter((run) => this.#missed.includes(runId(run)))
    this.#missed = runs.map(runId)
    const failed = [...this.#failed]
    await releaseRuns(ports, [...twice, ...failed], worker)
    for (const run of failed) this.#failed.delete(run)
  }

  async #work(run: RunKey): Promise<void> {
    const { worker, apps, database, startQuery, newId, hash, warmMs, askTimeoutMs, options, filesOf, say } = this.#given
    const { mcpTokens } = this.#given
    const claimed = await retryWhileUnavailable(() => claimRun(this.#ports(run.tenant), run, worker))
    if (!claimed) return
    const app = apps.find(({ name }) => name === claimed.about.app)
    if (!app) throw new KedgeError('app_unknown', `No app "${claimed.about.app}" is here.`)
    const id = runId(run)
    try {
      const session = new RunSession({
        claimed,
        app,
        startQuery,
        newId,
        hash,
        warmMs,
        askTimeoutMs,
        mcpTokens,
        options,
        news: this.#news,
        database: database.as(run.tenant),
        writer: this.#writer,
        files: filesOf(claimed, app),
        say,
        addDelta: (delta) => this.#framesOf(run.tenant).add(delta),
      })
      this.#runs.set(id, session)
      if (this.#isLeaving) session.leave()
      await session.run()
    } finally {
      this.#runs.delete(id)
    }
  }

  /** It was handed to us when we were about to leave. */
  async #giveBack({ tenant, session, run }: RunKey): Promise<void> {
    const ports = this.#ports(tenant)
    await retryWhileUnavailable(() =>
      ports.database.transaction(async (tx) => {
        const row = await lockSession(tx, tenant, session)
        if (row.state === 'queued' && row.run === run) await queueNextRun(tx, ports, row)
      }),
    )
  }

  #ports(tenant: string): RunPorts {
    const { database, engine } = this.#given
    return {
      engine,
      database: tenant === '*' ? database.asOperator() : database.as(tenant),
      wake: (of, session) => this.#wake(of, session),
      wakeWorker: (worker) => this.#calls.call(toWorkerWakeUpName(worker)),
    }
  }

  #wake(tenant: string, session: string): void {
    for (const name of logWakeNames(tenant, session)) this.#calls.call(name)
  }

  #framesOf(tenant: string): DeltaBuffer {
    const known = this.#frames.get(tenant)
    if (known) return known
    const made = createDeltaBuffer(this.#given.database.as(tenant), (session) => this.#wake(tenant, session))
    this.#frames.set(tenant, made)
    return made
  }

  async #beat({ isFirst = false }): Promise<void> {
    const { database, worker, host, version, capacity, apps, silentMs } = this.#given
    try {
      const names = apps.map(({ name }) => name).join(' ')
      const load = this.#runs.size
      const sent = Date.now()
      const now = await sendHeartbeat(database.asOperator(), {
        worker,
        host,
        version,
        capacity,
        load,
        apps: names,
        draining: this.#isLeaving,
      })
      const wasSilent = !isFirst && sent - this.#beatAt >= silentMs
      this.#beatAt = Date.now()
      if (wasSilent) await noteWorkerReturned(database.asOperator(), worker)
      this.#checkClock(clockOffset(now, sent, this.#beatAt))
    } catch (error) {
      if (isFirst) throw error
    }
  }

  /**
   * Drops the sessions if the heartbeat failed for too long, or after a pause of this process: our writes would be
   * rejected, and another worker might take over at any moment.
   */
  #dropIfUnheard(): void {
    const { silentMs, say } = this.#given
    if (Date.now() - this.#beatAt < (silentMs * 2) / 3 || this.#runs.size === 0) return
    say('the database does not answer: all sessions are dropped')
    this.#dropAll()
  }

  async #readClock(): Promise<void> {
    const sent = Date.now()
    const [row] = await this.#given.database
      .asOperator()
      .query<{ now: number }>('select extract(epoch from clock_timestamp())::float8 * 1000 as now')
    const offMs = clockOffset(row?.now ?? 0, sent, Date.now())
    if (offMs <= CLOCK_MS.refused) return
    const seconds = Math.round(offMs / 1000)
    throw new KedgeError('clock_off', `The clock of this machine is ${seconds} s off that of the database: set it.`)
  }

  #checkClock(offMs: number): void {
    const seconds = Math.round(offMs / 1000)
    if (offMs < CLOCK_MS.said || this.#clockSaid) return
    this.#clockSaid = true
    this.#given.say(`the clock of this machine is ${seconds} s off that of the database`)
  }

  #dropAll(): void {
    for (const run of this.#runs.values()) run.drop()
  }

  async #every(ms: number, work: () => Promise<unknown>): Promise<void> {
    const { signal } = this.#over
    while (!signal.aborted) {
      await work().catch((error: unknown) => this.#given.say('looking after sessions failed', error))
      await nodeClock.sleep(ms, signal)
    }
  }
}

/** The least difference between the two clocks, in ms. The database read its clock some time between `sent` and `received`. */
export function clockOffset(now: number, sent: number, received: number): number {
  return Math.max(0, sent - now, now - received)
}
