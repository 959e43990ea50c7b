// A bot in a chat such as Slack: checks the signature of each event, keeps one session per thread, and answers in the thread, once.
// Its notes are files, so a restart forgets nothing. A server plays the chat, a scripted model stands in for a real one.
import assert from 'node:assert/strict'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { query } from 'kedge'
import { startModelServer, testOptions } from 'kedge/testing'

const SECRET = 'signing secret'
const model = await startModelServer(({ body }) => `I have read ${body.messages.length} messages.`)
const options = testOptions(model, { tools: [], maxTurns: 10, maxBudgetUsd: 0.5 })
const note = (name) => join(options.env.TMPDIR, Buffer.from(name).toString('hex'))
const sign = (time, body) => `v0=${createHmac('sha256', SECRET).update(`v0:${time}:${body}`).digest('hex')}`
function isSigned(headers, body) {
  const time = headers.get('x-slack-request-timestamp')
  const [given, right] = [headers.get('x-slack-signature') ?? '', sign(time, body)].map((text) => Buffer.from(text))
  return Math.abs(Date.now() / 1000 - time) < 300 && given.length === right.length && timingSafeEqual(given, right)
}
const turns = new Map() // The last turn of each thread: the next one waits for it.
export async function POST(request) {
  const body = await request.text()
  if (!isSigned(request.headers, body)) return new Response('', { status: 401 })
  const { challenge, event_id, event } = JSON.parse(body)
  if (challenge) return new Response(challenge)
  if (event.type !== 'app_mention' || existsSync(note(event_id))) return new Response('')
  writeFileSync(note(event_id), '', { flag: 'wx' }) // Only one of two processes can create it.
  const thread = event.thread_ts ?? event.ts
  const turn = (turns.get(thread) ?? Promise.resolve()).then(() => answer(event, thread)).catch(console.error)
  turns.set(thread, turn)
  return new Response('') // Without waiting: the chat repeats what isn't confirmed within three seconds.
}
async function answer({ channel, text }, thread) {
  const resume = existsSync(note(thread)) ? readFileSync(note(thread), 'utf8') : undefined
  for await (const message of query({ prompt: text, options: { ...options, resume } })) {
    if (message.type !== 'result') continue
    writeFileSync(note(thread), message.session_id)
    const body = JSON.stringify({
      channel,
      thread_ts: thread,
      text: message.is_error ? 'That failed.' : message.result,
    })
    const headers = { authorization: 'Bearer xoxb-…', 'content-type': 'application/json; charset=utf-8' }
    await fetch(`${chat}/chat.postMessage`, { method: 'POST', headers, body })
  }
}

const posted = []
const server = createServer(async (request, response) => {
  const { thread_ts, text } = JSON.parse((await request.setEncoding('utf8').toArray()).join(''))
  response.end(`${posted.push([thread_ts, text])}`)
})
await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
const chat = `http://127.0.0.1:${server.address().port}`
async function deliver(event_id, ts, thread_ts, { at = Math.floor(Date.now() / 1000), signature } = {}) {
  const body = JSON.stringify({ event_id, event: { type: 'app_mention', channel: 'C1', text: 'Hi', ts, thread_ts } })
  const headers = { 'x-slack-request-timestamp': `${at}`, 'x-slack-signature': signature ?? sign(at, body) }
  return (await POST(new Request('http://bot', { method: 'POST', headers, body }))).status
}
assert.equal(await deliver('E1', '1.1', undefined, { signature: `v0=${'0'.repeat(64)}` }), 401)
assert.equal(await deliver('E1', '1.1', undefined, { at: 1_700_000_000 }), 401)
for (const [id, ts, thread] of [
  ['E1', '1.1'],
  ['E1', '1.1'],
  ['E2', '2.2'],
  ['E3', '3.3', '1.1'],
  ['E3', '3.3', '1.1'],
])
  assert.equal(await deliver(id, ts, thread), 200)
await Promise.all(turns.values())
assert.deepEqual(posted.sort(), [
  ['1.1', 'I have read 1 messages.'],
  ['1.1', 'I have read 3 messages.'],
  ['2.2', 'I have read 1 messages.'],
])
server.close()
await Promise.all([model.close(), options[Symbol.asyncDispose]()])
