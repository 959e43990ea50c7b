/** What the sessions of a process share toward models: how much they ask at once, and which models are left alone. */
import type { Clock } from '../../platform/clock.js'
import { processWide } from '../../platform/process-wide.js'
import { type CircuitBreaker, createCircuitBreaker } from './breaker.js'
import {
  createRequestGate,
  type LeaveGate,
  type ModelRateLimit,
  type ModelRateLimits,
  type RequestGate,
} from './request-gate.js'

export interface ModelTrafficLimits {
  readonly breaker: CircuitBreaker
  /** Waits where there is a limit. Undefined: it was aborted meanwhile. */
  enter(model: string, signal: AbortSignal): Promise<LeaveGate | undefined> | LeaveGate
}

export type ModelTrafficLimitsOptions = {
  clock: Clock
  limits: ModelRateLimits | undefined
  service: string
  session: string
  /** The address requests go to. */
  where: string
}

const FREELY: LeaveGate = () => {}

export function shareModelTrafficLimits({
  clock,
  limits = {},
  service,
  session,
  where,
}: ModelTrafficLimitsOptions): ModelTrafficLimits {
  const shared = processWide<{ breaker: CircuitBreaker; gate: RequestGate }>('model-traffic', () => ({
    breaker: createCircuitBreaker(clock),
    gate: createRequestGate(clock),
  }))
  // The same model at another address is another.
  const key = (model: string) => `${where} ${model}`
  return {
    breaker: {
      heldBack: (model, on) => shared.breaker.heldBack(key(model), on),
      succeeded: (model) => shared.breaker.succeeded(key(model)),
      failed: (model, failure, retryAfterMs) => shared.breaker.failed(key(model), failure, retryAfterMs),
    },
    enter(model, signal) {
      const found = [service, model].flatMap((name): [string, ModelRateLimit][] => {
        const limit = Object.hasOwn(limits, name) ? limits[name] : undefined
        return limit ? [[name, limit]] : []
      })
      return found.length === 0 ? FREELY : shared.gate.enter(found, session, signal)
    },
  }
}
