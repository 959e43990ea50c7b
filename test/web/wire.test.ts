/** How the page calls its server, against one of a few lines: calls, prompts on their way, and streams over WebSockets. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { WebSocketServer } from 'ws'
import { eventually } from '../support/eventually.js'
import { installPage } from './page-globals.js'

type Handler = (request: IncomingMessage, body: string, response: ServerResponse) => void
const page = installPage()
let handle: Handler = (_request, _body, response) => void response.end()
const seen: { line: string; body: string; key: unknown }[] = []
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (part) => {
    body += part
  })
  request.on('end', () => {
    seen.push({ line: `${request.method} ${request.url}`, body, key: request.headers['x-kedge-key'] })
    handle(request, body, response)
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const sockets = new WebSocketServer({ server })
page.leadTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`) // it listens on a port
const { serverClient: client } = await import('../../web/state/server.js')
const { createOutboxSignal, sendPrompt } = await import('../../web/state/outbox.js')
const outbox = createOutboxSignal(client)
const { store: keep, stored: kept, storedKeys: keptKeys } = await import('../../web/state/stored.js')

after(() => {
  for (const client of sockets.clients) client.terminate()
  sockets.close()
  server.close()
})
const json = (response: ServerResponse, status: number, value: object) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

describe('calls', () => {
  test('carry the key of the page, and give what the server says', async () => {
    handle = (_request, _body, response) => json(response, 200, { ok: true })
    assert.deepEqual(await client.request('POST', '/things', { body: { a: 1 } }), { ok: true })
    const { line, body, key } = seen.at(-1) ?? {}
    assert.deepEqual([line, body], ['POST /v1/things', '{"a":1}'])
    assert.ok(typeof key === 'string' && key.length > 10, String(key))
    handle = (_request, _body, response) => void response.writeHead(204).end()
    assert.equal(await client.delete('s1'), undefined)
  })

  test('that are refused are errors with a code, and with who was first', async () => {
    handle = (_request, _body, response) =>
      json(response, 409, { code: 'already_answered', detail: 'Too late.', by: { name: 'Ada' } })
    await assert.rejects(client.request('POST', '/x'), {
      name: 'ConflictError',
      status: 409,
      code: 'already_answered',
      message: 'Too late.',
      by: { name: 'Ada' },
    })
    assert.deepEqual(await client.answer('s1', 'a1', { kind: 'allow' }), { already: { name: 'Ada' } })
    handle = (_request, _body, response) => void response.writeHead(502).end('<html>')
    await assert.rejects(client.fork('s1'), { status: 502, code: 'http_502', message: 'The server answered 502.' })
  })

  test('that reach nobody are errors of their own', async () => {
    handle = (request) => void request.socket.destroy()
    await assert.rejects(client.fork('s1'), {
      status: 0,
      code: 'server_unreachable',
      message: /^Can't reach the server/,
    })
  })
})

describe('prompts on their way', () => {
  const requests = () => seen.filter(({ line }) => line.endsWith('/prompts')).map(({ body }) => JSON.parse(body))

  test('are kept until the server has them, under one id', async () => {
    let tries = 0
    handle = (request, _body, response) => {
      tries += 1
      if (tries === 1) request.socket.destroy()
      else if (tries === 2) json(response, 503, {})
      else json(response, 200, {})
    }
    sendPrompt(client, 's1', { content: 'Hello', when: 'queue', attachments: [] })
    assert.equal(outbox.value.length, 1)
    assert.equal(keptKeys('out:').length, 1)
    await eventually('it is delivered', () => outbox.value.length === 0)
    assert.equal(tries, 3)
    assert.equal(new Set(requests().map(({ id }) => id)).size, 1)
    assert.deepEqual(keptKeys('out:'), [])
  })

  test('that are refused stay with the reason, until they are given up', async () => {
    handle = (_request, _body, response) => json(response, 413, { code: 'too_large', detail: 'Too large.' })
    const attachments = [{ name: 'a.png', mediaType: 'image/png', data: 'AAAA' }]
    sendPrompt(client, 's1', { content: 'Hello', when: 'queue', attachments })
    await eventually('it is refused', () => outbox.value[0]?.problem !== undefined)
    assert.equal(outbox.value[0]?.problem?.message, 'Too large.')
    assert.equal(requests().at(-1).attachments[0].name, 'a.png')
    client.outbox.drop(outbox.value[0]?.id ?? '')
    assert.deepEqual(outbox.value, [])
  })

  test('of a page that was closed are taken up by the next one', async () => {
    handle = (_request, _body, response) => json(response, 200, {})
    const prompt = { id: 'left', session: 's2', content: 'Hello', when: 'queue', attachments: [] }
    keep('out:left', prompt)
    page.storage.set('kedge:out:broken', '{')
    client.outbox.resume()
    await eventually('it is delivered', () => kept('out:left') === undefined)
    assert.deepEqual([requests().at(-1).id, requests().at(-1).content], ['left', 'Hello'])
    // A prompt of attachments alone is not empty.
    sendPrompt(client, 's2', { content: '', when: 'queue', attachments: [] })
    await eventually('it is delivered', () => outbox.value.length === 0)
    assert.equal(requests().at(-1).content, ' ')
  })
})

describe('the stream of entries', () => {
  type Told = { states: string[]; items: number[]; opened: number; refused: string[] }
  const follow = (told: Told) => {
    const stop = new AbortController()
    const run = async () => {
      const options = {
        signal: stop.signal,
        onState: (state: string) => void told.states.push(state),
        onConnect() {
          told.opened += 1
        },
      }
      for await (const { seq } of client.read('s1', options)) told.items.push(seq)
    }
    const over = run().catch(({ code }) => void told.refused.push(code))
    return { close: () => stop.abort(), over }
  }
  const nothing = (): Told => ({ states: [], items: [], opened: 0, refused: [] })
  const entries = (...numbers: number[]) => JSON.stringify(numbers.map((seq) => ({ seq })))

  test('goes on after the last number when the connection broke', async () => {
    const asked: string[] = []
    sockets.removeAllListeners('connection')
    sockets.on('connection', (socket, { url = '' }) => {
      asked.push(url)
      if (asked.length > 1) return void socket.send(entries(3))
      socket.send(entries(1, 2), () => socket.terminate())
    })
    const told = nothing()
    const following = follow(told)
    await eventually('the third has come', () => told.items.length === 3)
    following.close()
    assert.deepEqual(told.items, [1, 2, 3])
    assert.deepEqual(asked, ['/v1/sessions/s1/events?after=0', '/v1/sessions/s1/events?after=2'])
    assert.deepEqual([told.opened, told.states[0], told.states.includes('lost')], [2, 'connecting', true])
    assert.equal(told.states.at(-1), 'live')
  })

  test('tells why it can not go on, and does not try again', async () => {
    let connections = 0
    sockets.removeAllListeners('connection')
    sockets.on('connection', (socket) => {
      connections += 1
      socket.close(1008, 'after_unknown')
    })
    const told = nothing()
    const following = follow(told)
    await eventually('it is refused', () => told.refused.length > 0)
    assert.deepEqual([told.refused, connections], [['after_unknown'], 1])
    following.close()
  })

  test('a refused connection looks like a broken one: it asks which it is', async () => {
    handle = (_request, _body, response) => json(response, 404, { code: 'session_not_found' })
    sockets.removeAllListeners('connection')
    sockets.shouldHandle = () => false
    try {
      const told = nothing()
      const following = follow(told)
      await eventually('it is refused', () => told.refused.length > 0)
      assert.deepEqual(told.refused, ['session_not_found'])
      assert.equal(seen.at(-1)?.line, 'GET /v1/sessions/s1')
      following.close()
    } finally {
      sockets.shouldHandle = () => true
    }
  })

  test('that was closed says nothing more', async () => {
    sockets.removeAllListeners('connection')
    const connected = new Promise<void>((resolve) => sockets.once('connection', () => resolve()))
    const told = nothing()
    const following = follow(told)
    await connected
    following.close()
    const { length } = told.states
    await following.over
    await eventually('it is gone', () => sockets.clients.size === 0)
    assert.equal(told.states.length, length)
  })
})
