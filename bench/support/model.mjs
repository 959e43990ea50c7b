// The model of the benchmarks: a scripted Messages API in the measuring process, without think time. It notes when each request
// came and when each answer was out; what lies between an answer and the next request is the agent's own time.
import { createServer } from 'node:http'

export const MODEL = 'claude-sonnet-4-5-20250929'
export const now = () => performance.timeOrigin + performance.now()

/** Of the Messages API, and of the others that part `apis` measures. */
const PATHS = /\/v1\/(?:messages|responses|chat\/completions)|\/invoke-with-response-stream$/

const event = (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`

/** One answer as bytes. Blocks are a text, `{ deltas }` for so many small ones, or `{ name, input }` for a tool call. */
export function answer(...blocks) {
  const usage = { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 }
  const head = { id: 'msg_bench', type: 'message', role: 'assistant', model: MODEL, content: [] }
  let out = event({ type: 'message_start', message: { ...head, stop_reason: null, stop_sequence: null, usage } })
  for (const [index, block] of blocks.entries()) {
    const delta = (part) => event({ type: 'content_block_delta', index, delta: part })
    const tool = block.name && { type: 'tool_use', id: block.id ?? `toolu_${++calls}`, name: block.name, input: {} }
    out += event({ type: 'content_block_start', index, content_block: tool || { type: 'text', text: '' } })
    if (tool) out += delta({ type: 'input_json_delta', partial_json: JSON.stringify(block.input) })
    else if (block.deltas)
      for (let i = 0; i < block.deltas; i += 1) out += delta({ type: 'text_delta', text: ` word${i}` })
    else out += delta({ type: 'text_delta', text: block })
    out += event({ type: 'content_block_stop', index })
  }
  const stop_reason = blocks.some((block) => block.name) ? 'tool_use' : 'end_turn'
  out += event({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 9 } })
  return Buffer.from(out + event({ type: 'message_stop' }))
}
let calls = 0

/**
 * Serves many runs at one port, each at a path of its own. A run gives `answerTo(n, body)`, the bytes for its n-th request (or a
 * promise of them), and gets `requests` and `answers`, the times of both.
 */
export async function startModel() {
  const runs = new Map()
  const server = createServer((request, response) => {
    const came = now()
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', async () => {
      const run = runs.get(request.url.split('/')[1])
      const body = Buffer.concat(chunks)
      if (!run || !PATHS.test(request.url) || request.url.includes('count_tokens')) {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
        return
      }
      const isFramed = request.url.includes('invoke-with-response-stream')
      const type = isFramed ? 'application/vnd.amazon.eventstream' : 'text/event-stream'
      response.writeHead(200, { 'content-type': type })
      // Questions to another model beside the conversation are not what is measured.
      if (request.url.includes('/v1/messages') && !body.includes(`"model":"${MODEL}"`)) {
        response.end(answer('ok'))
        return
      }
      run.requests.push(came)
      response.end(await run.answerTo(run.requests.length, body))
      run.answers.push(now())
    })
  })
  server.keepAliveTimeout = 120_000
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${server.address().port}`
  let count = 0
  return {
    run(answerTo) {
      const name = `r${++count}`
      const run = { url: `${base}/${name}`, requests: [], answers: [], answerTo }
      runs.set(name, run)
      return { ...run, end: () => runs.delete(name) }
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The agent's own time between each answer and the request after it. */
export function gaps({ requests, answers }) {
  return requests.slice(1).map((time, index) => time - answers[index])
}
