/** The part of the OpenTelemetry API we use: tracers and meters of that library fit as they are, and so do your own. */

export interface TraceSpan {
  spanContext(): { traceId: string; spanId: string; traceFlags: number }
  setAttribute(key: string, value: string | number | boolean | string[]): unknown
  /** 2 means an error. */
  setStatus(status: { code: number; message?: string }): unknown
  /** `endTime`: in milliseconds, where it was earlier than now. */
  end(endTime?: number): void
}

/** Carries the span that a new one belongs to. */
export interface TraceContext {
  getValue(key: symbol): unknown
  setValue(key: symbol, value: unknown): TraceContext
  deleteValue(key: symbol): TraceContext
}

export interface Tracer {
  startSpan(
    name: string,
    options?: {
      attributes?: Record<string, string | number | boolean>
      startTime?: number
      /** 0: within this program. 2: a call of another. */
      kind?: number
    },
    context?: TraceContext,
  ): TraceSpan
}

export interface MeterHistogram {
  record(value: number, attributes?: Record<string, string | number | boolean>): void
}

export interface MeterCounter {
  add(value: number, attributes?: Record<string, string | number | boolean>): void
}

export interface Meter {
  createHistogram(
    name: string,
    options?: { unit?: string; description?: string; advice?: { explicitBucketBoundaries?: number[] } },
  ): MeterHistogram
  createCounter(name: string, options?: { unit?: string; description?: string }): MeterCounter
}
