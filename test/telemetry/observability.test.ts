/**
 * C39: nobody sees what an agent does.
 * https://github.com/anthropics/claude-agent-sdk-typescript/issues/82 · https://github.com/anthropics/claude-agent-sdk-python/issues/611
 * https://github.com/anthropics/claude-agent-sdk-python/issues/452 · https://github.com/anthropics/claude-code/issues/53972
 * https://github.com/anthropics/claude-code/issues/16941 · https://github.com/anthropics/claude-code/issues/48862
 * https://github.com/Arize-ai/openinference/issues/2754 · https://github.com/promptfoo/promptfoo/issues/7361
 *
 * T: a tracer of your own is accepted; one trace: run, turn, model call, tool, sub-agent, with the names of the GenAI conventions; waits
 * for permission and hooks are spans; all are ended after an abort; `TRACEPARENT` reaches commands and MCP servers; no contents
 * unless asked for; nothing is lost at the end. A meter: `test/telemetry`.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Options, query, type Tracer, type TraceSpan } from 'kedge'
import { collect, script } from 'kedge/testing'
import { bash, call, play, toolResults, withModel } from '../support/stage.js'
import { isolationsOf } from '../support/tier.js'

type Kept = {
  name: string
  parent: string | undefined
  attributes: Record<string, unknown>
  ended: boolean
  status?: number
}

/** A tracer in the shape of the OpenTelemetry API, which keeps what it is told. */
function keeper(): { tracer: Tracer; spans: Kept[] } {
  const spans: Kept[] = []
  const tracer: Tracer = {
    startSpan(name, options = {}, context) {
      // As the tracers of OpenTelemetry find their parent.
      const above = context?.getValue(Symbol.for('OpenTelemetry Context Key SPAN')) as TraceSpan | undefined
      const parent = above?.spanContext().spanId
      const span: Kept = { name, parent, attributes: { ...options.attributes }, ended: false }
      const id = String(spans.push(span)).padStart(16, '0')
      return {
        spanContext: () => ({ traceId: '0af7651916cd43dd8448eb211c80319c', spanId: id, traceFlags: 1 }),
        setAttribute(key, value) {
          span.attributes[key] = value
        },
        setStatus({ code }) {
          span.status = code
        },
        end() {
          span.ended = true
        },
      }
    },
  }
  return { tracer, spans }
}

/** `invoke_agent > turn > …`: each span with those above it. */
const paths = (spans: readonly Kept[]) =>
  spans.map((span) => {
    const names = [span.name]
    for (let at: Kept | undefined = span; at?.parent !== undefined; ) {
      at = spans[Number(at.parent) - 1]
      if (at) names.unshift(at.name)
    }
    return names.join(' > ')
  })

for (const isolation of isolationsOf('C39 one trace: run, turn, model')) {
  test(`C39 one trace: run, turn, model, tool, permission, hook, sub-agent; every span is ended (${isolation})`, async () => {
    const task = { description: 'Work', prompt: 'WORK.', subagent_type: 'general-purpose' }
    const model = script([bash('touch a'), call('Task', task, 'toolu_t'), 'Done.'], {
      lanes: { agent: { when: { opening: 'WORK' }, turns: [bash('echo $((1+1))', 'toolu_w'), 'Worked.'] } },
    })
    const { tracer, spans } = keeper()
    const run = await play(model, {
      isolation,
      tracer,
      canUseTool: async () => ({ behavior: 'allow' }),
      hooks: { PostToolUse: [{ matcher: 'Bash', hooks: [async () => ({})] }] },
    })
    assert.equal(run.result?.subtype, 'success')
    const found = paths(spans)
    for (const path of [
      'invoke_agent',
      'invoke_agent > turn',
      'invoke_agent > turn > chat claude-sonnet-4-5-20250929',
      'invoke_agent > turn > execute_tool Bash',
      'invoke_agent > turn > execute_tool Bash > permission Bash',
      'invoke_agent > turn > execute_tool Bash > hook PostToolUse',
      'invoke_agent > turn > execute_tool Task > invoke_agent general-purpose > execute_tool Bash',
    ]) {
      assert.ok(found.includes(path), `${path} in ${JSON.stringify(found, null, 1)}`)
    }
    assert.deepEqual(
      spans.filter(({ ended }) => !ended),
      [],
    )
    const chat = spans.find(({ name }) => name.startsWith('chat'))
    assert.deepEqual(
      [chat?.attributes['gen_ai.operation.name'], chat?.attributes['gen_ai.request.model']],
      ['chat', 'claude-sonnet-4-5-20250929'],
    )
    const turn = spans.find(({ name }) => name === 'turn')
    assert.equal(turn?.attributes['gen_ai.usage.output_tokens'], run.result.usage.output_tokens)
    const ran = spans.find(({ name }) => name === 'execute_tool Bash')
    assert.deepEqual([ran?.attributes['gen_ai.tool.name'], ran?.attributes['gen_ai.tool.call.id']], ['Bash', 'toolu_1'])
    // What was said and done is nobody's business unless asked for.
    assert.doesNotMatch(JSON.stringify(spans), /touch a|Worked/)
  })
}

test('C39 after an abort every span is ended, and says that it failed', async () => {
  await withModel(
    [{ text: 'A story.', stallAfterEvents: 3 }],
    { includePartialMessages: true },
    async ({ options }) => {
      const { tracer, spans } = keeper()
      const abortController = new AbortController()
      const running = query({ prompt: 'Go.', options: { ...options, tracer, abortController } })
      try {
        for await (const message of running) if (message.type === 'stream_event') abortController.abort()
      } catch {
        // An AbortError.
      }
      assert.ok(spans.length >= 2)
      assert.deepEqual([spans.every(({ ended }) => ended), spans[0]?.status], [true, 2])
    },
  )
})

test('C39 TRACEPARENT reaches commands and MCP servers: of the run with a tracer, else the one of the environment', async () => {
  const server = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    const say = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
    if (method === 'initialize') say({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } })
    if (method === 'tools/list') say({ tools: [{ name: 'parent', inputSchema: { type: 'object' } }] })
    if (method === 'tools/call') say({ content: [{ type: 'text', text: String(process.env.TRACEPARENT) }] })
  })`
  const options: Options = {
    allowedTools: ['Bash', 'mcp__s'],
    mcpServers: { s: { command: process.execPath, args: ['-e', server], alwaysLoad: true } },
  }
  const turns = () => [bash('echo $TRACEPARENT'), call('mcp__s__parent', {}, 'toolu_2'), 'Done.']
  const given = '00-11111111111111111111111111111111-2222222222222222-01'
  const inherited = await play(turns(), { ...options, env: { TRACEPARENT: given } })
  assert.deepEqual(
    toolResults(inherited.messages).map(({ text }) => text),
    [given, given],
  )
  const { tracer } = keeper()
  const own = await play(turns(), { ...options, tracer })
  for (const { text } of toolResults(own.messages))
    assert.match(text, /^00-0af7651916cd43dd8448eb211c80319c-[0-9]{16}-01$/)
})

test('C39 a tracer that throws does no harm', async () => {
  const tracer: Tracer = {
    startSpan() {
      throw new Error('no exporter')
    },
  }
  const run = await play(['Hello.'], { tracer })
  assert.equal(run.result?.subtype, 'success')
})

test('C39 a span that throws does no harm either', async () => {
  const fail = () => {
    throw new Error('no exporter')
  }
  const tracer: Tracer = {
    startSpan: () => ({ setAttribute: fail, setStatus: fail, end: fail, spanContext: fail }),
  }
  const run = await play(['Hello.'], { tracer })
  assert.equal(run.error, undefined)
  assert.equal(run.result?.subtype, 'success')
})

test('C39 nothing is lost at the end: the last span is ended before the iteration is', async () => {
  const { tracer, spans } = keeper()
  await withModel(['Hello.'], { tracer }, async ({ options }) => {
    await collect(query({ prompt: 'Go.', options }))
    assert.deepEqual(spans.map(({ ended }) => ended).includes(false), false)
  })
})
