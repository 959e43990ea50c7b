/** The part of telemetry that every program loads: the span of a query begins at once, the rest comes when one is traced. */
import type { Options } from '../../protocol/options.js'
import type { Tracer, TraceSpan } from '../../protocol/tracing.js'
import { errorTypeAttribute, type QueryTrace, type QueryTraceRecorder } from './query-trace.js'

/** Undefined: nobody wants to know. */
export function createLazyQueryTrace(
  { tracer, meter }: Options,
  env: NonNullable<Options['env']>,
): QueryTrace | undefined {
  if (!tracer && !meter) return undefined
  const startTime = Date.now()
  const run = tracer && startRun(tracer, startTime)
  let trace: QueryTraceRecorder | undefined
  let isOver = false
  const load = async () => {
    const { createTelemetry } = await import('./telemetry.js')
    if (!isOver) trace = createTelemetry({ tracer, meter, run, startTime, env })
  }
  // Without it the query continues.
  const ready = load().catch(() => {})
  return {
    parent: run && traceParent(run),
    ready,
    message: (message) => trace?.message(message),
    served: (by) => trace?.served(by),
    async around(name, toolUseId) {
      await ready
      return trace?.around(name, toolUseId) ?? (() => {})
    },
    end(error) {
      if (!isOver && !trace && run) endRun(run, error)
      isOver = true
      trace?.end(error)
    },
  }
}

function startRun(tracer: Tracer, startTime: number): TraceSpan | undefined {
  try {
    return tracer.startSpan('invoke_agent', { attributes: { 'gen_ai.operation.name': 'invoke_agent' }, startTime })
  } catch {
    return undefined
  }
}

/** It was over before it began. */
function endRun(run: TraceSpan, error: Error | undefined): void {
  try {
    if (error) {
      run.setAttribute('error.type', errorTypeAttribute(error))
      run.setStatus({ code: 2 })
    }
    run.end()
  } catch {
    // A tracer that fails is no reason to fail.
  }
}

function traceParent(span: TraceSpan): string | undefined {
  try {
    const { traceId, spanId, traceFlags } = span.spanContext()
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
  } catch {
    return undefined
  }
}
