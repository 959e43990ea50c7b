// A route that streams an answer to a browser: POST(request) → Response is a handler for Hono, Next.js, Bun and Deno, and `toNode`
// makes one for Express and node:http of it. A browser that leaves ends the query. A scripted model stands in for a real one.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import express from 'express'
import { Hono } from 'hono'
import { query } from 'kedge'
import { startModelServer, testOptions } from 'kedge/testing'

const slow = { text: 'You never see the end of this.', chunk: 5, stallAfterEvents: 4 }
const model = await startModelServer(['Milk and tea.', 'Milk and tea.', 'Milk and tea.', slow])
const options = testOptions(model, { includePartialMessages: true, tools: [], maxTurns: 10, maxBudgetUsd: 0.5 })
export async function POST(request) {
  const { prompt } = await request.json()
  if (typeof prompt !== 'string') return new Response('The body needs a prompt.', { status: 400 })
  const answer = query({ prompt, options })
  request.signal.addEventListener('abort', () => answer.close())
  const events = eventsOf(answer)
  const body = new ReadableStream({
    pull: async (stream) => {
      const { done, value } = await events.next()
      done ? stream.close() : stream.enqueue(new TextEncoder().encode(value))
    },
    cancel: () => answer.close(),
  })
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
  return new Response(body, { headers })
}
async function* eventsOf(answer) {
  const event = (name, data) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
  try {
    for await (const { type, subtype, event: part, is_error, error_fix } of answer) {
      if (part?.delta?.type === 'text_delta') yield event('text', part.delta.text)
      if (type === 'result') yield event('end', { ok: subtype === 'success' && !is_error, fix: error_fix })
    }
  } catch {} // A failed turn throws after its result, which is sent.
}
const toNode = (handler) => async (request, response) => {
  const { method, headers, url } = request
  const init = { method, headers, body: Readable.toWeb(request), duplex: 'half' }
  const answer = await handler(new Request(new URL(url, 'http://localhost'), init))
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  await pipeline(Readable.fromWeb(answer.body), response).catch(() => {}) // A browser that leaves cancels the body.
}

const web = express().post('/ask', toNode(POST)).listen(0, '127.0.0.1')
await once(web, 'listening')
const hono = new Hono().post('/ask', ({ req }) => POST(req.raw))
const ask = { method: 'POST', body: JSON.stringify({ prompt: 'What do I need?' }) }
const url = `http://127.0.0.1:${web.address().port}/ask`
for (const call of [() => fetch(url, ask), () => hono.request('/ask', ask), () => POST(new Request(url, ask))])
  assert.match(await (await call()).text(), /^event: text\ndata: "Milk an"\n\n.*event: end\ndata: \{"ok":true\}\n\n$/s)
const leaving = (await fetch(url, ask)).body.getReader()
assert.match(new TextDecoder().decode((await leaving.read()).value), /You n/)
await leaving.cancel()
assert.equal(await model.requests[3].ended, 'aborted')
web.close().closeAllConnections()
await Promise.all([model.close(), options[Symbol.asyncDispose]()])
