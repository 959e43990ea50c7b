/** The metrics of a query, made from the spans of its trace: what takes time there is counted here. */
import type { Meter, MeterCounter, MeterHistogram, Tracer, TraceSpan } from '../../protocol/tracing.js'
import * as names from './gen-ai-names.js'
import type { SpanAttributes } from './span-list.js'

/** Span attributes that a measurement keeps: few values, and nothing from the conversation. */
const KEPT = [
  names.OPERATION_ATTRIBUTE,
  names.PROVIDER_ATTRIBUTE,
  names.REQUEST_MODEL_ATTRIBUTE,
  names.RESPONSE_MODEL_ATTRIBUTE,
  names.TOOL_ATTRIBUTE,
  names.AGENT_ATTRIBUTE,
  'error.type',
]
/** As the conventions advise, so that tokens are not counted in buckets for milliseconds. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304]

/** What the OpenTelemetry API calls invalid: nobody takes it for a parent. */
const NO_CONTEXT = { traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 0 }

export function createMeasuringTracer(meter: Meter, tracer: Tracer | undefined, words: names.AttributeNames): Tracer {
  const record = createRecorder(meter, words)
  return {
    startSpan(name, options, context) {
      const span = tracer && quietly(() => tracer.startSpan(name, options, context))
      const attributes: SpanAttributes = { ...options?.attributes }
      const started = options?.startTime ?? Date.now()
      return {
        spanContext: () => span?.spanContext() ?? NO_CONTEXT,
        setAttribute(key, value) {
          if (!Array.isArray(value)) attributes[key] = value
          quietly(() => span?.setAttribute(key, value))
        },
        setStatus: (status) => quietly(() => span?.setStatus(status)),
        end(endTime) {
          const seconds = Math.max(0, (endTime ?? Date.now()) - started) / 1000
          quietly(() => record(name, attributes, seconds))
          span?.end(endTime)
        },
      } satisfies TraceSpan
    },
  }
}

/** A tracer that fails loses no metrics, and a meter that fails no spans. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

function createRecorder(meter: Meter, words: names.AttributeNames) {
  const histograms = new Map<string, MeterHistogram>()
  const counters = new Map<string, MeterCounter>()
  const histogram = (name: string, unit: string, explicitBucketBoundaries: number[]): MeterHistogram => {
    const known = histograms.get(name) ?? meter.createHistogram(name, { unit, advice: { explicitBucketBoundaries } })
    histograms.set(name, known)
    return known
  }
  const duration = (name: string) => histogram(name, 's', SECONDS)
  const counter = (name: string, unit: string): MeterCounter => {
    const known = counters.get(name) ?? meter.createCounter(name, { unit })
    counters.set(name, known)
    return known
  }

  function tokens(attributes: SpanAttributes, kept: SpanAttributes): void {
    const kinds = [
      ...[['input', names.INPUT_TOKENS_ATTRIBUTE] as const, ['output', names.OUTPUT_TOKENS_ATTRIBUTE] as const],
      ...(words.isLatest
        ? [
            ['cache_read.input', names.CACHE_READ_ATTRIBUTE] as const,
            ['cache_write.input', words.cacheWritten] as const,
          ]
        : []),
    ]
    for (const [kind, key] of kinds) {
      const count = attributes[key]
      if (typeof count !== 'number') continue
      if (words.isLatest) counter(`${words.tokens}.${kind}_tokens`, '{token}').add(count, kept)
      else histogram(words.tokens, '{token}', TOKENS).record(count, { ...kept, 'gen_ai.token.type': kind })
    }
  }
  function chat(attributes: SpanAttributes, kept: SpanAttributes, seconds: number): void {
    duration(words.duration).record(seconds, kept)
    tokens(attributes, kept)
    const first = attributes[names.FIRST_CHUNK_ATTRIBUTE]
    if (words.isLatest && typeof first === 'number') duration(words.firstChunk).record(first, kept)
    if ('kedge.retry.attempt' in attributes) counter('kedge.retries', '{retry}').add(1, kept)
  }
  function turn(attributes: SpanAttributes): void {
    const { 'kedge.cost_usd': cost, 'error.type': error } = attributes
    counter('kedge.turns', '{turn}').add(1, pick(attributes, ['kedge.terminal_reason', 'error.type']))
    if (typeof cost === 'number' && cost > 0)
      counter('kedge.cost', '{USD}').add(cost, error ? { 'error.type': error } : {})
  }

  return (name: string, attributes: SpanAttributes, seconds: number) => {
    const kept = pick(attributes, KEPT)
    const [kind = '', subject = ''] = name.split(' ')
    if (kind === 'chat') chat(attributes, kept, seconds)
    if (kind === 'execute_tool') duration('gen_ai.execute_tool.duration').record(seconds, kept)
    if (kind === 'invoke_agent') duration('gen_ai.invoke_agent.duration').record(seconds, kept)
    if (kind === 'turn') turn(attributes)
    if (kind === 'model_fallback') {
      const about = ['kedge.fallback.reason', 'kedge.fallback.from', 'kedge.fallback.model']
      counter('kedge.model_fallbacks', '{switch}').add(1, pick(attributes, about))
    }
    const { 'kedge.decision': made, 'kedge.decision.source': source } = attributes
    const decision = made ?? (kind === 'permission' ? 'error' : undefined)
    if (decision === undefined) return
    const from = source ?? (kind === 'hook' ? 'hook' : 'host')
    const tool: SpanAttributes =
      kind === 'hook' ? {} : { [names.TOOL_ATTRIBUTE]: attributes[names.TOOL_ATTRIBUTE] ?? subject }
    counter('kedge.decisions', '{decision}').add(1, {
      ...tool,
      'kedge.decision': decision,
      'kedge.decision.source': from,
    })
  }
}

function pick(attributes: SpanAttributes, keys: readonly string[]): SpanAttributes {
  return Object.fromEntries(Object.entries(attributes).filter(([key]) => keys.includes(key)))
}
