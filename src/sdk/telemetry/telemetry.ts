/** Traces and metrics of a query; loaded with the first one that has any. */
import type { Meter, Tracer, TraceSpan } from '../../protocol/tracing.js'
import { attributeNamesFor } from './gen-ai-names.js'
import { createMeasuringTracer } from './measured-tracer.js'
import type { QueryTraceRecorder } from './query-trace.js'
import { createQuerySpanRecorder } from './trace-query.js'

type Given = {
  tracer: Tracer | undefined
  meter: Meter | undefined
  /** The span of the query, which has begun. */
  run: TraceSpan | undefined
  startTime: number
  env: Readonly<Record<string, string | undefined>>
}

export function createTelemetry({ tracer, meter, run, startTime, env }: Given): QueryTraceRecorder {
  const names = attributeNamesFor(env)
  const own: Tracer | undefined = tracer && {
    // All but the first have a span they belong to.
    startSpan: (name, options, context) => (context || !run ? tracer.startSpan(name, options, context) : run),
  }
  const measured = meter ? createMeasuringTracer(meter, own, names) : own
  return createQuerySpanRecorder(measured ?? NOBODY, names, startTime)
}

const NOBODY: Tracer = {
  startSpan() {
    throw new Error('There is neither a tracer nor a meter.')
  },
}
