/** The part of the OpenTelemetry API we use: tracers and meters of that library fit as they are, and so do your own. */

/** A piece of work with a beginning and an end, as OpenTelemetry has it. */
export interface TraceSpan {
  /** Its ids, to pass on to other programs. */
  spanContext(): {
    /** The id of the whole trace. */
    traceId: string
    /** The id of this span. */
    spanId: string
    /** 1: it is recorded. */
    traceFlags: number
  }
  /** Says something about it. */
  setAttribute(key: string, value: string | number | boolean | string[]): unknown
  /** 2 means an error. */
  setStatus(status: {
    /** 2 means an error. */
    code: number
    /** What went wrong. */
    message?: string
  }): unknown
  /** `endTime`: in milliseconds, where it was earlier than now. */
  end(endTime?: number): void
}

/** Carries the span that a new one belongs to. */
export interface TraceContext {
  /** What is kept under a key. */
  getValue(key: symbol): unknown
  /** A context that has it in addition. */
  setValue(key: symbol, value: unknown): TraceContext
  /** A context without it. */
  deleteValue(key: symbol): TraceContext
}

/** Makes spans; a tracer of OpenTelemetry fits. */
export interface Tracer {
  /** Begins a span, within that of the context if there is one. */
  startSpan(
    name: string,
    options?: {
      /** What is known of it from the beginning. */
      attributes?: Record<string, string | number | boolean>
      /** When it began, in milliseconds, if not now. */
      startTime?: number
      /** 0: within this program. 2: a call of another. */
      kind?: number
    },
    context?: TraceContext,
  ): TraceSpan
}

/** Values and how often each came. */
export interface MeterHistogram {
  /** Adds a value. */
  record(value: number, attributes?: Record<string, string | number | boolean>): void
}

/** A sum that only grows. */
export interface MeterCounter {
  /** Adds to it. */
  add(value: number, attributes?: Record<string, string | number | boolean>): void
}

/** Makes counters and histograms; a meter of OpenTelemetry fits. */
export interface Meter {
  /** For values whose distribution matters, such as durations. */
  createHistogram(
    name: string,
    options?: {
      /** What it is counted in. */
      unit?: string
      /** What it is, for people. */
      description?: string
      /** How to divide the values. */
      advice?: {
        /** Where one bucket ends and the next begins. */
        explicitBucketBoundaries?: number[]
      }
    },
  ): MeterHistogram
  /** For sums, such as tokens. */
  createCounter(
    name: string,
    options?: {
      /** What it is counted in. */
      unit?: string
      /** What it is, for people. */
      description?: string
    },
  ): MeterCounter
}
