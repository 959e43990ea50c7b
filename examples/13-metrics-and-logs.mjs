// Metrics for Prometheus and lines for a log: OpenTelemetry's SDK serves the page with the numbers, and gives every finished span to a
// processor, which turns it into a line of JSON. A script plays the model.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { metrics, trace } from '@opentelemetry/api'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { query } from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'

const lines = []
const log = {
  onStart() {},
  onEnd(span) {
    const [seconds, nanoseconds] = span.duration
    const about = { time: new Date().toISOString(), trace: span.spanContext().traceId, span: span.name }
    // In your program: process.stdout.write
    lines.push(
      `${JSON.stringify({ ...about, ms: Math.round(seconds * 1e3 + nanoseconds / 1e6), ...span.attributes })}\n`,
    )
  },
  async forceFlush() {},
  async shutdown() {},
}
// Without `preventServerStart` it starts a server: http://localhost:9464/metrics. Here it is part of another one.
const numbers = new PrometheusExporter({ preventServerStart: true })
const web = createServer((request, response) => numbers.getMetricsRequestHandler(request, response))
await once(web.listen(0, '127.0.0.1'), 'listening')
const sdk = new NodeSDK({ metricReaders: [numbers], spanProcessors: [log], logRecordProcessors: [] })
sdk.start()

const model = await startModelServer([
  { tools: [{ name: 'Bash', input: { command: 'echo $((40 + 2))' } }] },
  'It is 42.',
])
const options = testOptions(model, { allowedTools: ['Bash'], model: 'claude-sonnet-4-5' })
const telemetry = { tracer: trace.getTracer('my-app'), meter: metrics.getMeter('my-app') }
await collect(query({ prompt: 'What is 40 + 2?', options: { ...options, ...telemetry } }))

const page = await (await fetch(`http://127.0.0.1:${web.address().port}/metrics`)).text()
for (const line of page.split('\n')) if (/^(gen_ai|kedge)\w+(_count|_sum|_total)/.test(line)) console.log(line)
console.log(lines.join(''))
assert.match(page, /^gen_ai_client_operation_duration_count\{.*gen_ai_request_model="claude-sonnet-4-5".*\} 2$/m)
assert.match(page, /^gen_ai_client_token_usage_sum\{.*gen_ai_token_type="input".*\} \d+$/m)
assert.match(page, /^gen_ai_execute_tool_duration_count\{.*gen_ai_tool_name="Bash".*\} 1$/m)
assert.match(page, /^kedge_turns_total\{kedge_terminal_reason="completed".*\} 1$/m)
assert.match(page, /^kedge_cost_total\{.*\} 0\.0/m)
const chat = 'chat claude-sonnet-4-5'
assert.deepEqual(
  lines.map((line) => JSON.parse(line).span),
  [chat, 'execute_tool Bash', chat, 'turn', 'invoke_agent'],
)
assert.doesNotMatch(page + lines.join(''), /40 \+ 2|It is 42/)

await sdk.shutdown()
web.close().closeAllConnections()
await model.close()
await options[Symbol.asyncDispose]()
