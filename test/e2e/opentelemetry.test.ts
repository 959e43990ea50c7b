/** A trace as the SDK of OpenTelemetry has it, whose tracer is given to us as it is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BasicTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { type Options, query } from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'
import { isolationsOf } from '../support/tier.js'

const CHAT = 'chat claude-sonnet-4-5'

/** A real tracer, and the spans in the order in which they ended. */
function realTracer() {
  const ended: ReadableSpan[] = []
  const nothing = async () => {}
  const processor = { onStart() {}, onEnd: (span: ReadableSpan) => ended.push(span) && undefined }
  const provider = new BasicTracerProvider({
    spanProcessors: [{ ...processor, forceFlush: nothing, shutdown: nothing }],
  })
  return { tracer: provider.getTracer('test'), ended }
}

async function play(overrides: Options) {
  await using server = await startModelServer([
    {
      tools: [{ id: 'toolu_1', name: 'Bash', input: { command: 'touch made' } }],
      usage: { input_tokens: 11, output_tokens: 23 },
    },
    { text: 'Done.', usage: { input_tokens: 12, output_tokens: 42 } },
  ])
  await using options = testOptions(server, { model: 'claude-sonnet-4-5', ...overrides })
  return await collect(query({ prompt: 'Go.', options }))
}

const tokens = ({ attributes }: ReadableSpan) => [
  attributes['gen_ai.usage.input_tokens'],
  attributes['gen_ai.usage.output_tokens'],
]

for (const isolation of isolationsOf("an answer's span ends with its")) {
  test(`an answer's span ends with its stream, before its tools run, and has its tokens (${isolation})`, async () => {
    const { tracer, ended } = realTracer()
    let whenAsked: string[] | undefined
    const run = await play({
      isolation,
      tracer,
      async canUseTool() {
        whenAsked = ended.map(({ name }) => name)
        return { behavior: 'allow' }
      },
    })
    assert.equal(run.result?.subtype, 'success')
    assert.deepEqual(whenAsked, [CHAT])
    const byId = new Map(ended.map((span) => [span.spanContext().spanId, span]))
    const above = ({ parentSpanContext }: ReadableSpan) => byId.get(parentSpanContext?.spanId ?? '')?.name
    assert.deepEqual(
      ended.map((span) => [span.name, above(span)]),
      [
        [CHAT, 'turn'],
        ['permission Bash', 'execute_tool Bash'],
        ['execute_tool Bash', 'turn'],
        [CHAT, 'turn'],
        ['turn', 'invoke_agent'],
        ['invoke_agent', undefined],
      ],
    )
    assert.deepEqual(ended.filter(({ name }) => name === CHAT || name === 'turn').map(tokens), [
      [11, 23],
      [12, 42],
      [23, 65],
    ])
  })
}

test('what is read for the trace is shown only to those who ask for it', async () => {
  const types = async (options: Options) =>
    new Set((await play({ allowedTools: ['Bash'], ...options })).messages.map(({ type }) => type))
  assert.equal((await types({ tracer: realTracer().tracer })).has('stream_event'), false)
  const { tracer, ended } = realTracer()
  assert.equal((await types({ tracer, includePartialMessages: true })).has('stream_event'), true)
  assert.equal(ended.filter(({ name }) => name === CHAT).length, 2)
})
