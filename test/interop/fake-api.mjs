// A scripted Messages API on loopback: requests with tools take answers from the scenario's script (lane `main`), requests
// without tools are helper calls and always get the text "aux" (lane `aux`). A sub-agent whose prompt says `LANE:name` has
// a lane of its own. Every request is kept for the comparison.
import { createServer } from 'node:http'

const errorTypes = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

/**
 * An answer: { text, thinking, tools: [{id, name, input | rawInput}], blocks, stop_reason, chunk, gapMs, delayMs, usage }
 * (`blocks` are whole content blocks, sent as they are, for what the API itself runs) or { error: 500, message, headers } or one of those with `cut` (see `cutAfter`).
 */
export async function startFakeApi() {
  const requests = []
  const counts = { main: 0, aux: 0, count: 0 }
  let script = []
  let lanes = {}

  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const body = text === '' ? null : JSON.parse(text)
    const path = request.url ?? ''
    const own = /LANE:(\w+)/.exec(JSON.stringify(body?.messages?.[0] ?? ''))?.[1]
    const named = own !== undefined && Object.hasOwn(lanes, own) ? own : 'main'
    const lane = path.includes('count_tokens') ? 'count' : (body?.tools?.length ?? 0) > 0 ? named : 'aux'
    counts[lane] ??= 0
    const index = counts[lane]++
    const entry = { lane, i: index, method: request.method, path, headers: request.headers, body }
    requests.push(entry)
    if (lane === 'count') return sendJson(response, 200, { input_tokens: 100 })
    if (!path.startsWith('/v1/messages')) return sendJson(response, 404, errorBody(404, 'fake 404', 'req_fake_0'))
    const step = lane === 'aux' ? { text: 'aux' } : pick(lanes[lane] ?? script, index)
    const answer = typeof step === 'function' ? step(body, index) : step
    const id = lane === 'main' ? String(index + 1) : `${lane}_${index + 1}`
    response.on('close', () => {
      if (!response.writableFinished && answer.cut === undefined) entry.aborted = true
    })
    await respond(response, body, answer, id)
  })
  server.keepAliveTimeout = 100
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    /** Answers of the main lane, in order; an entry may be a function of (body, index). A single function answers all.
     *  `own` are those of further lanes, by name. */
    script(answers, own = {}) {
      script = answers
      lanes = own
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

function pick(script, index) {
  if (typeof script === 'function') return script
  return script[index] ?? { text: `(the script has no answer ${index + 1})` }
}

async function respond(response, body, answer, id) {
  if (answer.delayMs) await sleep(answer.delayMs)
  const requestId = `req_fake_${id}`
  if (answer.cut === 'before') return response.socket?.destroy()
  if (answer.error) {
    const message = answer.message ?? `fake ${answer.error}`
    return sendJson(response, answer.error, errorBody(answer.error, message, requestId), answer.headers)
  }
  const { message, events } = render(body.model, answer, id)
  if (!body.stream) return sendJson(response, 200, message, { 'request-id': requestId })
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': requestId })
  for (const event of cutAfter(events, answer.cut)) {
    if (response.destroyed) return
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    if (answer.gapMs) await sleep(answer.gapMs)
  }
  if (answer.cut === undefined || quiet.includes(answer.cut)) return response.end()
  await sleep(50) // Let the client read what was sent before the socket goes.
  response.socket?.destroy()
}

/** Breaks that end the response in good order; the others destroy the socket. */
const quiet = ['ended_mid_text', 'no_stop', 'sse_error']

/** Where a broken stream breaks: after message_start, in the first text, after its block, before message_delta, by an error event. */
function cutAfter(events, cut) {
  const at = (type) => events.findIndex((e) => e.type === type)
  if (cut === undefined) return events
  if (cut === 'after_start') return events.slice(0, 1)
  if (cut === 'mid_text' || cut === 'ended_mid_text') return events.slice(0, at('content_block_delta') + 1)
  if (cut === 'after_block') return events.slice(0, at('content_block_stop') + 1)
  if (cut === 'no_stop') return events.slice(0, at('message_delta'))
  if (cut === 'sse_error') {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'fake overloaded' } }
    return [...events.slice(0, at('content_block_delta') + 1), error]
  }
  throw new Error(`unknown cut: ${cut}`)
}

function render(model, answer, id) {
  const content = []
  if (answer.thinking) content.push({ type: 'thinking', thinking: answer.thinking, signature: 'sig_fake' })
  if (answer.text) content.push({ type: 'text', text: answer.text })
  for (const tool of answer.tools ?? []) content.push({ type: 'tool_use', ...tool })
  content.push(...(answer.blocks ?? []))
  const stopReason = answer.stop_reason ?? (answer.tools ? 'tool_use' : 'end_turn')
  const usage = { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, ...answer.usage }
  const head = { id: `msg_fake_${id}`, type: 'message', role: 'assistant', model }
  const message = {
    ...head,
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 5 },
  }
  const start = { ...head, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } }
  const events = [{ type: 'message_start', message: start }, { type: 'ping' }]
  content.forEach((block, index) => {
    events.push({ type: 'content_block_start', index, content_block: opened(block) })
    for (const delta of deltas(block, answer.chunk)) events.push({ type: 'content_block_delta', index, delta })
    events.push({ type: 'content_block_stop', index })
  })
  const delta = { stop_reason: stopReason, stop_sequence: null }
  events.push({ type: 'message_delta', delta, usage: { output_tokens: 5 } }, { type: 'message_stop' })
  return { message, events }
}

function opened(block) {
  if (block.type === 'text') return { type: 'text', text: '' }
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' }
  if (block.type !== 'tool_use') return block
  return { type: 'tool_use', id: block.id, name: block.name, input: {} }
}

function deltas(block, chunk) {
  if (block.type === 'text') return pieces(block.text, chunk).map((text) => ({ type: 'text_delta', text }))
  if (block.type === 'thinking') {
    const thinking = pieces(block.thinking, chunk).map((text) => ({ type: 'thinking_delta', thinking: text }))
    return [...thinking, { type: 'signature_delta', signature: block.signature }]
  }
  if (block.type !== 'tool_use') return []
  const json = block.rawInput ?? JSON.stringify(block.input)
  return pieces(json, chunk).map((text) => ({ type: 'input_json_delta', partial_json: text }))
}

function pieces(text, chunk = Math.max(1, Math.ceil(text.length / 2))) {
  const result = []
  for (let at = 0; at < text.length; at += chunk) result.push(text.slice(at, at + chunk))
  return result
}

function errorBody(status, message, requestId) {
  return { type: 'error', error: { type: errorTypes[status] ?? 'api_error', message }, request_id: requestId }
}

function sendJson(response, status, body, headers = {}) {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': body.request_id ?? 'req_fake',
    ...headers,
  })
  response.end(JSON.stringify(body))
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
