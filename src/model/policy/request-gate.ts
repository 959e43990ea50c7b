/**
 * How much all sessions of a process ask of a model, or of all models of a service, at the same time and in a minute. Who waits is
 * served session by session: one that asks a lot does not hold up the others.
 */
import type { Clock } from '../../platform/clock.js'

export type ModelRateLimit = {
  concurrent?: number | undefined
  perMinute?: number | undefined
  tokensPerMinute?: number | undefined
}
/** By the full name of a model, or by service. */
export type ModelRateLimits = Readonly<Record<string, ModelRateLimit>>

/** To be called once, when the request is over. */
export type LeaveGate = (tokens: number) => void

export interface RequestGate {
  /** Undefined: it was aborted while it waited. */
  enter(
    limits: readonly (readonly [string, ModelRateLimit])[],
    session: string,
    signal: AbortSignal,
  ): Promise<LeaveGate | undefined>
}

type Waiter = { start(): void }
type Lane = {
  running: number
  /** Start times and token use of the requests in the last minute. */
  starts: number[]
  used: { at: number; tokens: number }[]
  waiting: Map<string, Waiter[]>
  limit: ModelRateLimit
  stopTimer(): void
}

const MINUTE = 60_000

export function createRequestGate(clock: Pick<Clock, 'monotonic' | 'after'>): RequestGate {
  const lanes = new Map<string, Lane>()

  function laneOf(name: string, limit: ModelRateLimit): Lane {
    const known = lanes.get(name)
    const lane = known ?? { running: 0, starts: [], used: [], waiting: new Map(), limit, stopTimer: () => {} }
    lane.limit = limit
    lanes.set(name, lane)
    return lane
  }

  /** Milliseconds until another may begin; 0: now; Infinity: when one ends. */
  function waitOf(lane: Lane): number {
    const { concurrent = Number.POSITIVE_INFINITY, perMinute, tokensPerMinute } = lane.limit
    if (lane.running >= concurrent) return Number.POSITIVE_INFINITY
    const now = clock.monotonic()
    lane.starts = lane.starts.filter((at) => now - at < MINUTE)
    lane.used = lane.used.filter(({ at }) => now - at < MINUTE)
    const first = perMinute !== undefined && lane.starts.length >= perMinute ? (lane.starts[0] ?? now) : undefined
    const tokens = lane.used.reduce((sum, one) => sum + one.tokens, 0)
    const spent = tokensPerMinute !== undefined && tokens >= tokensPerMinute ? (lane.used[0]?.at ?? now) : undefined
    return Math.max(0, ...[first, spent].map((at) => (at === undefined ? 0 : at + MINUTE - now)))
  }

  function serve(lane: Lane): void {
    lane.stopTimer()
    while (lane.waiting.size > 0) {
      const wait = waitOf(lane)
      if (wait > 0) {
        if (Number.isFinite(wait)) lane.stopTimer = clock.after(Math.ceil(wait), () => serve(lane))
        return
      }
      const [session, queue] = lane.waiting.entries().next().value ?? ['', []]
      lane.waiting.delete(session)
      const [next, ...rest] = queue
      // Behind the others: each session has its turn.
      if (rest.length > 0) lane.waiting.set(session, rest)
      lane.running += 1
      lane.starts.push(clock.monotonic())
      next?.start()
    }
  }

  function leave(lane: Lane, tokens: number): void {
    lane.running -= 1
    if (tokens > 0) lane.used.push({ at: clock.monotonic(), tokens })
    serve(lane)
  }

  function wait(lane: Lane, session: string, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const onAbort = () => {
        const left = (lane.waiting.get(session) ?? []).filter((one) => one !== waiter)
        if (left.length > 0) lane.waiting.set(session, left)
        else lane.waiting.delete(session)
        resolve(false)
      }
      const waiter = {
        start() {
          signal.removeEventListener('abort', onAbort)
          resolve(true)
        },
      }
      signal.addEventListener('abort', onAbort, { once: true })
      lane.waiting.set(session, [...(lane.waiting.get(session) ?? []), waiter])
      serve(lane)
    })
  }

  return {
    async enter(limits, session, signal) {
      const entered: Lane[] = []
      const leaveAll = (tokens: number) => {
        for (const lane of entered.splice(0)) leave(lane, tokens)
      }
      // In one order for all, so that nobody holds what the other waits for.
      for (const [name, limit] of [...limits].sort(([a], [b]) => (a < b ? -1 : 1))) {
        const lane = laneOf(name, limit)
        if (signal.aborted || !(await wait(lane, session, signal))) {
          leaveAll(0)
          return undefined
        }
        entered.push(lane)
      }
      return leaveAll
    },
  }
}
