/** The engine in one process: for tests, and to say in short what the other one has to do. */
import { KedgeError } from '../../errors.js'
import {
  type EnqueueOptions,
  type RunHandler,
  type RunKey,
  type RunQueueEngine,
  runId,
  type WorkerLimits,
} from './run-engine.js'

type Run = {
  key: RunKey
  place: Required<Pick<EnqueueOptions, 'queue' | 'priority'>>
  dueAt: number
  n: number
  state: 'queued' | 'running' | 'ended'
  worker?: string
  stop: AbortController
  endedAt: number
}

/** What several engines of a test share, as they would a database. */
export class MemoryRuns {
  readonly runs = new Map<string, Run>()
  readonly workers = new Set<string>()
  readonly offers = new Set<() => void>()
  readonly now: () => number

  constructor(now: () => number = Date.now) {
    this.now = now
  }

  offerAll(): void {
    for (const offer of this.offers) offer()
  }
}

export function createMemoryRunQueue(shared: MemoryRuns): RunQueueEngine {
  const { runs } = shared
  let own: { handler: RunHandler; limits: WorkerLimits } | undefined
  const mine = new Map<string, Promise<void>>()

  const running = (queue: string, tenant: string) =>
    [...runs.values()].filter(
      (run) => run.state === 'running' && run.place.queue === queue && run.key.tenant === tenant,
    )

  const next = (): Run | undefined => {
    const limitOf = (name: string) => own?.limits.queues.find((queue) => queue.name === name)?.perTenant ?? 0
    const ready = [...runs.values()].filter(
      ({ state, place, key, dueAt }) =>
        state === 'queued' && dueAt <= shared.now() && running(place.queue, key.tenant).length < limitOf(place.queue),
    )
    return ready.sort((a, b) => a.place.priority - b.place.priority || a.n - b.n)[0]
  }
  const start = (run: Run, { handler, limits }: NonNullable<typeof own>) => {
    run.state = 'running'
    run.worker = limits.worker
    const id = runId(run.key)
    const work = Promise.resolve()
      .then(() => handler(run.key, run.stop.signal))
      .catch(() => undefined)
      .finally(() => {
        mine.delete(id)
        end(run)
      })
    mine.set(id, work)
  }
  const end = (run: Run) => {
    if (run.state === 'ended') return shared.offerAll()
    run.state = 'ended'
    run.endedAt = shared.now()
    shared.offerAll()
  }
  const offer = () => {
    while (own && mine.size < own.limits.capacity) {
      const run = next()
      if (!run) return
      start(run, own)
    }
  }

  return {
    async work(handler, limits) {
      if (shared.workers.has(limits.worker)) throw createWorkerNameTakenError(limits.worker)
      shared.workers.add(limits.worker)
      own = { handler, limits }
      shared.offers.add(offer)
      offer()
    },
    async enqueue(tx, key, { queue, priority = 0, delayMs = 0 }) {
      tx.onCommit(() => {
        const id = runId(key)
        if (runs.has(id)) return
        const place = { queue, priority }
        const dueAt = shared.now() + delayMs
        const run: Run = {
          key,
          place,
          dueAt,
          n: runs.size,
          state: 'queued',
          stop: new AbortController(),
          endedAt: 0,
        }
        runs.set(id, run)
        // The timer can fire before the clock has come that far. Nothing would offer the run again.
        const offerRun = () => {
          run.dueAt = 0
          shared.offerAll()
        }
        if (delayMs > 0) setTimeout(offerRun, delayMs).unref()
        shared.offerAll()
      })
    },
    async cancel(key) {
      const run = runs.get(runId(key))
      if (!run) return
      run.stop.abort()
      end(run)
    },
    async runsOf(workers) {
      const found = [...runs.values()].filter(
        ({ state, worker }) => state === 'running' && workers.includes(worker ?? ''),
      )
      return found.map(({ key }) => key)
    },
    async knows(keys) {
      return new Set(keys.map(runId).filter((id) => ['queued', 'running'].includes(runs.get(id)?.state ?? '')))
    },
    async forget(before) {
      const old = [...runs].filter(([, { state, endedAt }]) => state === 'ended' && endedAt < before.getTime())
      for (const [id] of old) runs.delete(id)
      return old.length
    },
    async stop(graceMs) {
      own = undefined
      shared.offers.delete(offer)
      await waitAtMost(graceMs, Promise.all(mine.values()))
      return mine.size === 0
    },
  }
}

export function createWorkerNameTakenError(worker: string): KedgeError {
  return new KedgeError(
    'invalid_option',
    `A worker called ${worker} has been there before: each start needs a new name.`,
  )
}

export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((done) => {
    timer = setTimeout(done, ms)
  })
  await Promise.race([work.then(() => undefined), late])
  clearTimeout(timer)
}
