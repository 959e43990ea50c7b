import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SDKMessage } from '../../protocol/messages.js'
import type { Tracer } from '../../protocol/tracing.js'
import { attributeNamesFor } from './gen-ai-names.js'
import { createQuerySpanRecorder } from './trace-query.js'
import { isTraceOnly, traceOnlyMessages, wrapCallbacksInSpans } from './traced-options.js'

const NAMES = attributeNamesFor({})

type Seen = {
  name: string
  parent: string | undefined
  ended: boolean
  /** The time it was given as its end. */
  endTime?: number | undefined
  failed: boolean
  about: Record<string, unknown>
}

function stage() {
  const spans: Seen[] = []
  const byContext = Symbol.for('OpenTelemetry Context Key SPAN')
  const tracer: Tracer = {
    startSpan(name, options, context) {
      const parent = context?.getValue(byContext)
      const parentName = spans.find((_, index) => handles[index] === parent)?.name
      const span: Seen = { name, parent: parentName, ended: false, failed: false, about: { ...options?.attributes } }
      const handle = {
        spanContext: () => ({ traceId: 't'.repeat(32), spanId: 's'.repeat(16), traceFlags: 1 }),
        setAttribute(key: string, value: unknown) {
          span.about[key] = value
        },
        setStatus({ code }: { code: number }) {
          span.failed = code === 2
        },
        end(time?: number) {
          span.ended = true
          span.endTime = time
        },
      }
      spans.push(span)
      handles.push(handle)
      return handle
    },
  }
  const handles: unknown[] = []
  return { spans, tracer }
}
/** Only the fields a trace looks at. */
const messages = [
  { type: 'system', subtype: 'init', session_id: 's1' },
  {
    type: 'assistant',
    parent_tool_use_id: null,
    message: {
      id: 'm1',
      model: 'model',
      usage: { input_tokens: 3 },
      stop_reason: null,
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} }],
    },
  },
  {
    type: 'user',
    parent_tool_use_id: null,
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true, content: 'x' }] },
  },
  { type: 'result', is_error: false, usage: { input_tokens: 3, output_tokens: 4 } },
] as unknown as SDKMessage[]

test('run, turn, answer and tool are spans, each in the one it belongs to, each ended', () => {
  const { spans, tracer } = stage()
  const trace = createQuerySpanRecorder(tracer, NAMES)
  for (const message of messages) trace.message(message)
  trace.end()
  assert.deepEqual(
    spans.map(({ name, parent, ended, failed }) => ({ name, parent, ended, failed })),
    [
      { name: 'invoke_agent', parent: undefined, ended: true, failed: false },
      { name: 'turn', parent: 'invoke_agent', ended: true, failed: false },
      { name: 'chat model', parent: 'turn', ended: true, failed: false },
      { name: 'execute_tool Bash', parent: 'turn', ended: true, failed: true },
    ],
  )
  assert.equal(spans[0]?.about['gen_ai.conversation.id'], 's1')
})

test('what is open when the query fails is ended as failed', () => {
  const { spans, tracer } = stage()
  const trace = createQuerySpanRecorder(tracer, NAMES)
  for (const message of messages.slice(0, 2)) trace.message(message)
  trace.end(new Error('gone'))
  assert.ok(spans.every(({ ended, failed }) => ended && failed))
})

test('a tracer that throws, and messages in another shape, do nothing', () => {
  let tries = 0
  const trace = createQuerySpanRecorder(
    {
      startSpan() {
        tries += 1
        throw new Error('broken')
      },
    },
    NAMES,
  )
  for (const message of [...messages, { type: 'assistant' } as never, { type: 'result' } as never])
    trace.message(message)
  trace.around('x', undefined)('Error')
  trace.end()
  assert.ok(tries > 1, `${tries} spans were asked for`)
})

test('a callback is a span of the call it is about; one that throws failed, and still throws', async () => {
  const { spans, tracer } = stage()
  const trace = createQuerySpanRecorder(tracer, NAMES)
  for (const message of messages.slice(0, 2)) trace.message(message)
  const { canUseTool, hooks } = wrapCallbacksInSpans(
    {
      canUseTool: async () => ({ behavior: 'allow' }),
      hooks: { Stop: [{ hooks: [async () => Promise.reject(new Error('hook'))] }] },
    },
    { around: async (name, id) => trace.around(name, id) },
  )
  await canUseTool?.('Bash', {}, { signal: new AbortController().signal, toolUseID: 'toolu_1' })
  const hook = hooks?.Stop?.[0]?.hooks[0]
  await assert.rejects(
    Promise.resolve(hook?.({} as never, undefined, { signal: new AbortController().signal })),
    /hook/,
  )
  assert.deepEqual(
    spans.slice(-2).map(({ name, parent, failed }) => [name, parent, failed]),
    [
      ['permission Bash', 'execute_tool Bash', false],
      ['hook Stop', 'turn', true],
    ],
  )
})

test('where the stream of an answer is not seen, the answer ended with the last that was seen of it', (t) => {
  let now = 1000
  t.mock.method(Date, 'now', () => now)
  const { spans, tracer } = stage()
  const trace = createQuerySpanRecorder(tracer, NAMES)
  for (const message of messages.slice(0, 2)) trace.message(message)
  now += 60_000
  for (const message of messages.slice(2)) trace.message(message)
  const chat = spans.find(({ name }) => name === 'chat model')
  assert.deepEqual([chat?.endTime, chat?.about['gen_ai.usage.output_tokens']], [1000, undefined])
})

test('an answer that came whole has its tokens without a stream', () => {
  const { spans, tracer } = stage()
  const trace = createQuerySpanRecorder(tracer, NAMES)
  const usage = { input_tokens: 3, output_tokens: 9 }
  const message = { id: 'm', model: 'model', usage, content: [], stop_reason: 'end_turn' }
  trace.message({ type: 'assistant', parent_tool_use_id: null, message } as never)
  assert.equal(spans.at(-1)?.about['gen_ai.usage.output_tokens'], 9)
})

test('what the trace needs is asked for where it is not there anyway and can be, and hidden again', () => {
  const open = { transport: { send() {} } as never }
  const asked: [Parameters<typeof traceOnlyMessages>[0], Record<string, string>, boolean, boolean][] = [
    [{}, {}, true, true],
    [{ includePartialMessages: true }, {}, false, true],
    [{ includeNotices: true }, {}, true, false],
    [{}, { KEDGE_NOTICES: '1' }, true, false],
    // An agent of somebody else would end at a flag it does not know.
    [{ transport: (() => {}) as never }, {}, true, false],
    [{ pathToClaudeCodeExecutable: '/opt/agent' }, {}, true, false],
    [{}, { CLAUDE_CODE_EXECUTABLE: '/opt/agent' }, true, false],
    [open, {}, false, false],
  ]
  for (const [options, env, stream, notices] of asked)
    assert.deepEqual(traceOnlyMessages(options, env), { stream, notices }, JSON.stringify([options, env]))
  const seen = (stream: boolean, notices: boolean) =>
    [
      ...[{ type: 'stream_event' }, { type: 'system', subtype: 'api_retry' }, { type: 'system', subtype: 'init' }],
      ...[{ type: 'command_lifecycle' }, { type: 'assistant' }],
    ].map((message) => !isTraceOnly(message, { stream, notices }))
  assert.deepEqual(seen(true, true), [false, false, true, false, true])
  assert.deepEqual(seen(false, false), [true, true, true, true, true])
})
