// A bot in a chat such as Slack: checks the signature of each event, keeps one session per thread, and answers in the thread, once.
// Its notes are files, so a restart forgets nothing. A list plays the chat, a scripted model stands in for a real one.
import assert from 'node:assert/strict'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { query } from 'kedge'
import { startModelServer, testOptions } from 'kedge/testing'

const SECRET = 'signing secret'
const read = (count) => `I have read ${count} messages.`
const model = await startModelServer(({ body }) => read(body.messages.length))
const options = testOptions(model, { tools: [], maxTurns: 10, maxBudgetUsd: 0.5 })
const posted = []
/** In your program: POST https://slack.com/api/chat.postMessage, as JSON, with the token of the bot. */
const post = async ({ thread_ts, text }) => posted.push(`${thread_ts} ${text}`)
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
  turns.set(thread, (turns.get(thread) ?? Promise.resolve()).then(() => answer(event, thread)).catch(console.error))
  return new Response('') // Without waiting: the chat repeats what isn't confirmed within three seconds.
}
const isDone = ({ subtype, is_error }) => subtype === 'success' && !is_error
async function answer({ channel, text }, thread) {
  const session = note(`${channel} ${thread}`)
  const resume = existsSync(session) ? readFileSync(session, 'utf8') : undefined
  for await (const message of query({ prompt: text, options: { ...options, resume } })) {
    if (message.type !== 'result') continue
    writeFileSync(session, message.session_id)
    await post({ channel, thread_ts: thread, text: isDone(message) ? message.result : 'That failed.' })
  }
}

async function deliver(event_id, ts, thread_ts, at = Math.floor(Date.now() / 1000), signature) {
  const body = JSON.stringify({ event_id, event: { type: 'app_mention', channel: 'C1', text: 'Hi', ts, thread_ts } })
  const headers = { 'x-slack-request-timestamp': `${at}`, 'x-slack-signature': signature ?? sign(at, body) }
  return (await POST(new Request('http://bot', { method: 'POST', headers, body }))).status
}
assert.equal(await deliver('E1', '1.1', undefined, undefined, `v0=${'0'.repeat(64)}`), 401)
assert.equal(await deliver('E1', '1.1', undefined, 1_700_000_000), 401)
const events = 'E1 1.1, E1 1.1, E2 2.2, E3 3.3 1.1, E3 3.3 1.1'.split(', ')
for (const event of events) assert.equal(await deliver(...event.split(' ')), 200)
await Promise.all(turns.values())
assert.deepEqual(posted.sort(), [`1.1 ${read(1)}`, `1.1 ${read(3)}`, `2.2 ${read(1)}`])
await Promise.all([model.close(), options[Symbol.asyncDispose]()])
