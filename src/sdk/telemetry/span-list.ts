/** The open spans of a tracer. One that fails is no reason to fail. */
import type { TraceContext, Tracer, TraceSpan } from '../../protocol/tracing.js'

export type SpanAttributes = Record<string, string | number | boolean>

type Begun = {
  attributes?: SpanAttributes
  parent?: TraceSpan | undefined
  startTime?: number | undefined
  kind?: number
}
/** `error`: what kind of error it ended with, as one word. */
type Ended = { attributes?: SpanAttributes; error?: string | undefined; endTime?: number | undefined }

export type SpanList = ReturnType<typeof createSpanList>

/** Where the OpenTelemetry API looks for the span of a context. */
const SPAN_KEY = Symbol.for('OpenTelemetry Context Key SPAN')
const FAILED = 2

export function createSpanList(tracer: Tracer) {
  const open = new Set<TraceSpan>()

  const finish = (span: TraceSpan | undefined, { attributes = {}, error, endTime }: Ended = {}) => {
    if (!span || !open.delete(span)) return
    try {
      for (const [key, value] of Object.entries(attributes)) span.setAttribute(key, value)
      if (error !== undefined) {
        span.setAttribute('error.type', error)
        span.setStatus({ code: FAILED })
      }
      span.end(endTime)
    } catch {
      // Nobody has to know.
    }
  }
  return {
    start(name: string, { attributes = {}, parent, startTime, kind = 0 }: Begun): TraceSpan | undefined {
      try {
        const options = { attributes, kind, ...(startTime === undefined ? {} : { startTime }) }
        const span = parent ? tracer.startSpan(name, options, contextOf(parent)) : tracer.startSpan(name, options)
        open.add(span)
        return span
      } catch {
        return undefined
      }
    },
    finish,
    finishAll(error: string | undefined): void {
      // Those of the inside first.
      for (const span of [...open].reverse()) finish(span, { error })
    },
  }
}

function contextOf(span: TraceSpan): TraceContext {
  const withValues = (values: ReadonlyMap<symbol, unknown>): TraceContext => ({
    getValue: (key) => values.get(key),
    setValue: (key, value) => withValues(new Map([...values, [key, value]])),
    deleteValue: (key) => withValues(new Map([...values].filter(([one]) => one !== key))),
  })
  return withValues(new Map([[SPAN_KEY, span]]))
}
