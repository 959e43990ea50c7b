/** Events: history, then what comes, without a gap; as server-sent events and over WebSockets; of one session and of all. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import { type Anything, events, isEndOf, type ServerEvent, type Serving, serve, write } from './serving.js'

async function take(stream: AsyncIterable<ServerEvent>, isLast: (event: ServerEvent) => boolean) {
  const seen: ServerEvent[] = []
  for await (const event of stream) {
    seen.push(event)
    if (isLast(event)) break
  }
  return seen
}

const idsOf = (seen: readonly ServerEvent[]) => seen.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]))
const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, n) => from + n)

/** A socket and what came over it. */
function socket(serving: Serving, path: string, headers: Record<string, string> = {}) {
  const { url, server } = serving
  const ws = new WebSocket(`${url.replace('http', 'ws')}${path}`, {
    headers: { authorization: `Bearer ${server.token}`, ...headers },
  })
  const items: Anything[] = []
  ws.on('message', (data) => items.push(...JSON.parse(String(data))))
  const until = async (isLast: (item: Anything) => boolean) => {
    while (!items.some(isLast)) await once(ws, 'message')
    return items
  }
  return { ws, items, until, closed: once(ws, 'close') as Promise<[number, Buffer]> }
}

test('followSession: a reader gets everything from the start, in order, and goes on after the last id it has', async () => {
  await using serving = await serve([{ text: 'Hello there.' }, write('a.txt'), 'Done.'])
  const session = await serving.begin()
  const path = `/v1/sessions/${session}/events`
  const reading = take(events(serving, path), ({ data }) => isEndOf('1')(data))
  await serving.send(session, '1')
  const first = await reading
  assert.deepEqual(idsOf(first), upTo(idsOf(first).length))
  assert.ok(first.some(({ event, id }) => event === 'delta' && id === undefined))
  assert.ok(first.some(({ event, data }) => event === 'message' && data.data.type === 'result'))
  const last = idsOf(first).at(-1) ?? 0
  await serving.send(session, '2')
  const ask = await serving.ask(session)
  await serving.call('POST', `/v1/sessions/${session}/asks/${ask.id}/answer`, { body: { kind: 'allow' } })
  const rest = await take(events(serving, `${path}?after=1`, { 'last-event-id': String(last) }), ({ data }) =>
    isEndOf('2')(data),
  )
  assert.deepEqual(idsOf(rest), upTo(idsOf(rest).at(-1) ?? 0, last + 1))
  const late = await serving.ended(session, '2')
  assert.deepEqual(
    late,
    [...first, ...rest].filter(({ event }) => event !== 'delta').map(({ data }) => data),
  )
})

test('words that come fast come together', async () => {
  const words = Array.from({ length: 400 }, (_, n) => `w${n} `)
  await using serving = await serve([{ text: words.join(''), chunks: words.length } as Anything])
  const session = await serving.begin()
  const reading = take(events(serving, `/v1/sessions/${session}/events`), ({ data }) => isEndOf('1')(data))
  await serving.send(session, '1')
  const deltas = (await reading).filter(({ event }) => event === 'delta')
  const texts = deltas.flatMap(({ data }) => data.data.event.delta?.text ?? [])
  assert.equal(texts.join(''), words.join(''))
  assert.ok(texts.length < words.length / 2, `${texts.length} pieces`)
})

test('followAll: one stream over all sessions, with numbers of its own; a token for one session sees only that', async () => {
  await using serving = await serve(['One.', 'Two.'])
  const [first, second] = [await serving.begin(), await serving.begin()]
  for (const session of [first, second]) {
    await serving.send(session, '1')
    await serving.ended(session, '1')
  }
  const isLast = ({ data }: ServerEvent) => data.session === second && isEndOf('1')(data)
  const seen = await take(events(serving, '/v1/events'), isLast)
  assert.deepEqual(idsOf(seen), upTo(seen.length))
  assert.deepEqual(new Set(seen.map(({ data }) => data.session)), new Set([first, second]))
  const again = await take(events(serving, '/v1/events', { 'last-event-id': '5' }), isLast)
  assert.deepEqual(
    again,
    seen.slice(5).map((event, n) => ({ ...event, size: again[n]?.size })),
  )
  const body = { name: 'Bob', scopes: ['read'], sessions: [second] }
  const { token } = (await serving.call('POST', '/v1/tokens', { body })).json
  const own = await take(events({ ...serving, server: { ...serving.server, token } }, '/v1/events'), isLast)
  assert.deepEqual(new Set(own.map(({ data }) => data.session)), new Set([second]))
})

test('a number the log does not have is refused, and so is one that is none', async () => {
  await using serving = await serve([])
  const session = await serving.begin()
  const path = `/v1/sessions/${session}/events`
  const call = (query: string, headers = {}) => serving.call('GET', `${path}${query}`, { headers })
  assert.deepEqual((await call('?after=99')).json.code, 'after_unknown')
  assert.equal((await call('?after=-1')).status, 400)
  assert.equal((await call('', { 'last-event-id': 'x' })).status, 400)
  assert.equal((await serving.call('GET', '/v1/events?after=99')).json.last, 1)
})

test('a WebSocket says where to start and gets the same', async () => {
  await using serving = await serve(['Hello.'])
  const session = await serving.begin()
  const { ws, until } = socket(serving, `/v1/sessions/${session}/events`)
  await once(ws, 'open')
  ws.send('{"after":0}')
  await serving.send(session, '1')
  const items = await until(isEndOf('1'))
  const entries = items.filter(({ kind }) => kind !== 'delta')
  const log = await serving.ended(session, '1')
  assert.deepEqual(entries.slice(0, log.length), log)
  assert.ok(items.some(({ kind }) => kind === 'delta'))
  ws.close()
  const all = socket(serving, '/v1/events?after=2')
  assert.equal((await all.until(isEndOf('1')))[0].all, 3)
  all.ws.close()
})

test('a WebSocket that says something else, too much, or asks for what there is not, is closed', async () => {
  await using serving = await serve([])
  const session = await serving.begin()
  const path = `/v1/sessions/${session}/events`
  const closing = async (message: string | Buffer, query = '') => {
    const { ws, closed } = socket(serving, `${path}${query}`)
    await once(ws, 'open')
    ws.send(message)
    return (await closed)[0]
  }
  assert.equal(await closing('hello'), 1008)
  assert.equal(await closing('{"after":-1}'), 1008)
  assert.equal(await closing('{"after":0,"session":"x"}'), 1008)
  assert.equal(await closing(Buffer.from('{"after":0}')), 1008)
  assert.equal(await closing('{"after":99}'), 1008)
  assert.equal(await closing('x'.repeat(5000)), 1009)
  assert.equal(await closing('{"after":0}', '?after=0'), 1008)
})

test('a token that is revoked has no stream any more', async () => {
  await using serving = await serve([])
  const session = await serving.begin()
  const body = { name: 'Bob', scopes: ['read'] }
  const { token, id } = (await serving.call('POST', '/v1/tokens', { body })).json
  const bob = { ...serving, server: { ...serving.server, token } }
  const stream = events(bob, `/v1/sessions/${session}/events`)
  await stream.next()
  const { closed } = socket(bob, `/v1/sessions/${session}/events?after=0`)
  const over = take(stream, () => false)
  await serving.call('DELETE', `/v1/tokens/${id}`)
  assert.deepEqual(await over, [])
  assert.equal((await closed)[0], 1001)
})

test('there are not more readers than the server allows', async () => {
  await using serving = await serve([], { maxReaders: 2, maxReadersPerSession: 1 })
  const [first, second] = [await serving.begin(), await serving.begin()]
  const stream = events(serving, `/v1/sessions/${first}/events`)
  await stream.next()
  const refused = await serving.call('GET', `/v1/sessions/${first}/events`)
  assert.deepEqual([refused.status, refused.json.code], [503, 'too_many_readers'])
  const other = events(serving, `/v1/sessions/${second}/events`)
  await other.next()
  assert.equal((await serving.call('GET', '/v1/events')).status, 503)
  await stream.return()
  // The server learns that the reader is gone when its connection is.
  while ((await serving.call('GET', '/metrics')).text.includes('kedge_readers 2')) await new Promise(setImmediate)
  const again = events(serving, `/v1/sessions/${first}/events`)
  assert.equal((await again.next()).value?.id, '1')
  await again.return()
  await other.return()
})

test('who does not read holds nobody up, and gets every entry in the end', async () => {
  const text = 'x'.repeat(400_000)
  const steps = Array.from({ length: 8 }, () => ({ text }))
  await using serving = await serve(steps)
  const session = await serving.begin()
  const { port } = new URL(serving.url)
  const slow = createConnection(Number(port), '127.0.0.1')
  slow.write(
    `GET /v1/sessions/${session}/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${serving.server.token}\r\n\r\n`,
  )
  await once(slow, 'readable')
  for (const [n] of steps.entries()) await serving.send(session, `${n}`)
  const log = await serving.ended(session, `${steps.length - 1}`)
  let seen = ''
  for await (const chunk of slow) {
    seen += chunk
    if (seen.includes(`\nid: ${log.length}\n`)) break
  }
  const ids = [...seen.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
  assert.deepEqual(ids.slice(0, log.length), upTo(log.length))
})
