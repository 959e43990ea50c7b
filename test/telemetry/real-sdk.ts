/** The SDK of OpenTelemetry for Node, as people set it up, with everything it would export kept in memory. */
import { metrics, trace } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'

export type Point = { value: unknown; attributes: Record<string, unknown> }

/** One per process: it is the SDK of the whole of it. */
export function startRealSdk() {
  const spans = new InMemorySpanExporter()
  const measured = new InMemoryMetricExporter(AggregationTemporality.DELTA)
  const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 })
  const sdk = new NodeSDK({
    autoDetectResources: false,
    instrumentations: [],
    logRecordProcessors: [],
    metricReaders: [reader],
    spanProcessors: [new SimpleSpanProcessor(spans)],
  })
  sdk.start()
  const tracer = trace.getTracer('my-app')
  const meter = metrics.getMeter('my-app')
  return {
    tracer,
    meter,
    /** What ended since the last call, in that order. */
    takeSpans(): ReadableSpan[] {
      const ended = spans.getFinishedSpans()
      spans.reset()
      return ended
    },
    /** What was measured since the last call. */
    async takeMetrics(): Promise<Record<string, Point[]>> {
      await reader.forceFlush()
      const all = measured.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
      measured.reset()
      return Object.fromEntries(
        all.map(({ descriptor, dataPoints }) => [
          `${descriptor.name} ${descriptor.unit}`,
          dataPoints.map(({ value, attributes }) => ({ value, attributes })),
        ]),
      )
    },
    stop: () => sdk.shutdown(),
  }
}

/** `invoke_agent > turn > …`, each as often as it is there. */
export function pathsOf(spans: readonly ReadableSpan[]): string[] {
  const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]))
  const path = (span: ReadableSpan): string => {
    const above = byId.get(span.parentSpanContext?.spanId ?? '')
    return above ? `${path(above)} > ${span.name}` : span.name
  }
  return spans.map(path)
}
