/**
 * A query as one trace: the run, its turns, what the model was asked, tools, sub-agents, waits for permission and hooks. Made of
 * what a host sees anyway, so it is the same for every agent program. What was said and done is not in it.
 */
import type { AssistantMessage } from '../../protocol/content.js'
import type { HookCallback, HookEvent } from '../../protocol/hooks.js'
import type { SDKMessage } from '../../protocol/messages.js'
import type { Options } from '../../protocol/options.js'
import type { TraceContext, Tracer, TraceSpan } from '../../protocol/tracing.js'

/** Where the OpenTelemetry API looks for the span of a context. */
const SPAN_KEY = Symbol.for('OpenTelemetry Context Key SPAN')
const FAILED = 2
const OUTPUT_TOKENS = 'gen_ai.usage.output_tokens'

type Attributes = Record<string, string | number | boolean>

export interface Trace {
  /** For what is started by this query: the span it belongs to, as W3C writes it. */
  readonly parent: string | undefined
  message(message: SDKMessage): void
  /** Around a callback of the host; call what it returns when that is over. */
  around(name: string, toolUseId: string | undefined): (failed?: boolean) => void
  end(error?: Error): void
}

export function createTrace(given: Tracer): Trace {
  const { start, finish, finishAll } = createSpans(given)
  const tools = new Map<string, TraceSpan>()
  /** By the call of the agent, null for the main thread: the answer that is being given, and when something came before it. */
  const answers = new Map<string | null, { id: string; span: TraceSpan | undefined; lastAt: number }>()
  const before = new Map<string | null, number>()

  const operation = 'gen_ai.operation.name'
  const run = start('invoke_agent', { [operation]: 'invoke_agent', 'gen_ai.provider.name': 'anthropic' })
  let turn: TraceSpan | undefined
  let toldSession = false
  const placeOf = (agent: string | null) => (agent === null ? undefined : tools.get(agent)) ?? turn ?? run
  const endAnswer = (agent: string | null) => {
    const answer = answers.get(agent)
    // Where its stream is not seen it ended with what was last seen of it: what came since are tools.
    finish(answer?.span, {}, false, answer?.lastAt)
    answers.delete(agent)
    before.set(agent, Date.now())
  }
  const answerOf = (agent: string | null, { id, model, usage }: AssistantMessage) => {
    const open = answers.get(agent)
    if (open?.id === id) return open
    const since = before.get(agent)
    endAnswer(agent)
    const about = { [operation]: 'chat', 'gen_ai.request.model': model, 'gen_ai.response.id': id }
    const tokens = { 'gen_ai.usage.input_tokens': usage.input_tokens }
    const span = start(`chat ${model}`, { ...about, ...tokens }, placeOf(agent), since)
    const answer = { id, span, lastAt: Date.now() }
    answers.set(agent, answer)
    return answer
  }

  const stream = ({ event, parent_tool_use_id: agent }: SDKMessage & { type: 'stream_event' }) => {
    if (event.type === 'message_start') answerOf(agent, event.message)
    if (event.type === 'message_delta' && event.usage.output_tokens !== undefined)
      answers.get(agent)?.span?.setAttribute(OUTPUT_TOKENS, event.usage.output_tokens)
    if (event.type !== 'message_stop') return
    // It stays known: its last block may be told after its end.
    finish(answers.get(agent)?.span)
    before.set(agent, Date.now())
  }
  const assistant = ({ message, parent_tool_use_id: agent }: SDKMessage & { type: 'assistant' }) => {
    const answer = answerOf(agent, message)
    answer.lastAt = Date.now()
    // A whole answer, which had no stream: in parts of one the number is that of its beginning.
    if (message.stop_reason !== null) answer.span?.setAttribute(OUTPUT_TOKENS, message.usage.output_tokens)
    for (const block of message.content) {
      if (block.type !== 'tool_use') continue
      const about = { 'gen_ai.tool.name': block.name, 'gen_ai.tool.call.id': block.id }
      const span = start(`execute_tool ${block.name}`, { [operation]: 'execute_tool', ...about }, placeOf(agent))
      if (span) tools.set(block.id, span)
    }
  }
  const user = ({ message, parent_tool_use_id: agent }: SDKMessage & { type: 'user' }) => {
    endAnswer(agent)
    for (const block of typeof message.content === 'string' ? [] : message.content) {
      if (block.type !== 'tool_result') continue
      const failed = block.is_error === true
      endAnswer(block.tool_use_id)
      finish(tools.get(block.tool_use_id), failed ? { 'error.type': 'tool_error' } : {}, failed)
      tools.delete(block.tool_use_id)
    }
  }
  const result = (message: SDKMessage & { type: 'result' }) => {
    for (const agent of [...answers.keys()]) endAnswer(agent)
    const { usage, terminal_reason: reason, is_error: failed } = message
    const tokens = {
      'gen_ai.usage.input_tokens': usage?.input_tokens ?? 0,
      [OUTPUT_TOKENS]: usage?.output_tokens ?? 0,
    }
    finish(turn, { ...tokens, ...(reason === undefined ? {} : { 'kedge.terminal_reason': reason }) }, failed)
    turn = undefined
  }

  const note = (message: SDKMessage) => {
    if (!toldSession && 'session_id' in message && message.session_id) {
      toldSession = true
      run?.setAttribute('gen_ai.conversation.id', message.session_id)
    }
    if (message.type === 'system' && message.subtype === 'init') {
      turn ??= start('turn', {}, run)
      before.set(null, Date.now())
    }
    if (message.type === 'stream_event') stream(message)
    if (message.type === 'assistant') assistant(message)
    if (message.type === 'user') user(message)
    if (message.type === 'result') result(message)
  }

  return {
    parent: run && traceParent(run),
    message(message) {
      try {
        note(message)
      } catch {
        // A tracer that fails, or a message of another agent in another shape: neither may stop the query.
      }
    },
    around(name, toolUseId) {
      const span = start(name, {}, (toolUseId === undefined ? undefined : tools.get(toolUseId)) ?? turn ?? run)
      return (failed = false) => finish(span, {}, failed)
    },
    end(error) {
      finishAll(error !== undefined)
    },
  }
}

/** The spans of a tracer. One that fails is no reason to fail. */
function createSpans(tracer: Tracer) {
  const open = new Set<TraceSpan>()

  const finish = (span: TraceSpan | undefined, attributes: Attributes = {}, failed = false, endTime?: number) => {
    if (!span || !open.delete(span)) return
    try {
      for (const [key, value] of Object.entries(attributes)) span.setAttribute(key, value)
      if (failed) span.setStatus({ code: FAILED })
      span.end(endTime)
    } catch {
      // Nobody has to know.
    }
  }
  return {
    start(name: string, attributes: Attributes, parent?: TraceSpan, startTime?: number): TraceSpan | undefined {
      try {
        const options = { attributes, ...(startTime === undefined ? {} : { startTime }) }
        const span = parent ? tracer.startSpan(name, options, contextOf(parent)) : tracer.startSpan(name, options)
        open.add(span)
        return span
      } catch {
        return undefined
      }
    },
    finish,
    finishAll(failed: boolean): void {
      // Those of the inside first.
      for (const span of [...open].reverse()) finish(span, {}, failed)
    },
  }
}

/** Whether the stream of answers has to be asked for, only for the trace: an agent that runs already can't be. */
export function needsStream({ tracer, includePartialMessages, transport }: Options): boolean {
  return tracer !== undefined && !includePartialMessages && typeof transport !== 'object'
}

/** The options with callbacks that are part of the trace. */
export function tracedCallbacks(options: Options, trace: Trace): Options {
  const { canUseTool, hooks } = options
  const around = async <T>(name: string, toolUseId: string | undefined, work: () => Promise<T>): Promise<T> => {
    const end = trace.around(name, toolUseId)
    let failed = true
    try {
      const value = await work()
      failed = false
      return value
    } finally {
      end(failed)
    }
  }
  const tracedHook =
    (event: string, hook: HookCallback): HookCallback =>
    (input, toolUseId, about) =>
      around(`hook ${event}`, toolUseId, () => hook(input, toolUseId, about))
  const entries = Object.entries(hooks ?? {}).map(([event, matchers = []]) => [
    event,
    matchers.map((matcher) => ({ ...matcher, hooks: matcher.hooks.map((hook) => tracedHook(event, hook)) })),
  ])
  return {
    ...options,
    ...(canUseTool && {
      canUseTool: (name, input, about) =>
        around(`permission ${name}`, about.toolUseID, () => canUseTool(name, input, about)),
    }),
    // The same events as before.
    ...(hooks && { hooks: Object.fromEntries(entries) as Partial<Record<HookEvent, (typeof hooks)[HookEvent]>> }),
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

function traceParent(span: TraceSpan): string | undefined {
  try {
    const { traceId, spanId, traceFlags } = span.spanContext()
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
  } catch {
    return undefined
  }
}
