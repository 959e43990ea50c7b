/** The part of the OpenTelemetry API we use: a tracer of that library fits as it is, and so does one of your own. */

export interface TraceSpan {
  spanContext(): { traceId: string; spanId: string; traceFlags: number }
  setAttribute(key: string, value: string | number | boolean): unknown
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
    options?: { attributes?: Record<string, string | number | boolean>; startTime?: number },
    context?: TraceContext,
  ): TraceSpan
}
