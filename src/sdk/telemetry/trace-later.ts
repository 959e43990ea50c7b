/** The part of telemetry that every program loads: the span of a query begins at once, the rest comes when one is traced. */
import type { SDKMessage } from '../../protocol/messages.js'
import type { AccountInfo, Options } from '../../protocol/options.js'
import type { Tracer, TraceSpan } from '../../protocol/tracing.js'
import type { Attributes } from './span-list.js'

/** Call it when what it is about is over. */
export type SpanEnd = (error?: string, attributes?: Attributes) => void

export interface QueryTrace {
  /** For what is started by this query: the span it belongs to, as W3C writes it. */
  readonly parent: string | undefined
  /** Messages are told from then on. Never rejects. */
  readonly ready: Promise<void>
  message(message: SDKMessage): void
  /** Who serves the models, once that is known. */
  served(by: AccountInfo['apiProvider']): void
  /** Around a callback of the host. */
  around(name: string, toolUseId: string | undefined): Promise<SpanEnd>
  end(error?: Error): void
}

export type Trace = Pick<QueryTrace, 'message' | 'served' | 'end'> & {
  around(name: string, toolUseId: string | undefined): SpanEnd
}

/** Undefined: nobody wants to know. */
export function traceLater({ tracer, meter }: Options, env: NonNullable<Options['env']>): QueryTrace | undefined {
  if (!tracer && !meter) return undefined
  const startTime = Date.now()
  const run = tracer && startRun(tracer, startTime)
  let trace: Trace | undefined
  let isOver = false
  const load = async () => {
    const { createTelemetry } = await import('./telemetry.js')
    if (!isOver) trace = createTelemetry({ tracer, meter, run, startTime, env })
  }
  // Without it the query goes on.
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

/** What kind of error it is; never its text. */
export function errorWord(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
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
      run.setAttribute('error.type', errorWord(error))
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
