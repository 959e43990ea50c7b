/** badinput.md, section H: the HTTP and WebSocket server, each by its id. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { WebSocket } from 'ws'
import { OPERATIONS } from '../../src/server/api/operation-table.js'
import { createServer } from '../../src/server/public-server.js'
import { type Serving, send, serve, write } from '../server/serving.js'
import { eventually } from '../support/eventually.js'

const portOf = ({ url }: Serving) => Number(new URL(url).port)
const hostOf = ({ url }: Serving) => new URL(url).host

/** What comes back for bytes as they are; '' when the connection is closed without a word. */
async function raw(serving: Serving, ...pieces: string[]): Promise<string> {
  const socket = connect(portOf(serving), '127.0.0.1')
  socket.on('error', () => {})
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk
  })
  for (const piece of pieces) socket.write(piece)
  while (!/\r\n\r\n/.test(text) && !socket.closed) await Promise.race([once(socket, 'data'), once(socket, 'close')])
  socket.destroy()
  return text
}

const statusIn = (text: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)
const bearer = ({ server }: Serving) => ({ authorization: `Bearer ${server.token}` })

function socket(serving: Serving, path: string, headers = bearer(serving)) {
  const ws = new WebSocket(`${serving.url.replace('http', 'ws')}${path}`, { headers })
  ws.on('error', () => {})
  return ws
}

describe('badinput H', () => {
  it('H02: a token in a query string is none, and is not logged', async () => {
    await using serving = await serve([])
    const { token } = serving.server
    for (const name of ['token', 'access_token', 'key']) {
      const reply = await serving.call('POST', `/v1/login?${name}=${token}`, { token: null })
      assert.equal(reply.status, 401)
    }
    assert.equal(serving.lines.join('').includes(token), false)
  })

  it('H03: a wrong token of the same and of another length: 401', async () => {
    await using serving = await serve([])
    const { token } = serving.server
    for (const wrong of [`${token.slice(0, -1)}!`, token.slice(1), `${token}x`, 'x'])
      assert.equal((await serving.call('GET', '/v1/me', { token: wrong })).status, 401, wrong)
  })

  it('H06: Host is on an exact list', async () => {
    await using serving = await serve([])
    const port = portOf(serving)
    for (const host of [`localhost.attacker.example:${port}`, `127.0.0.1.nip.io:${port}`, `[::1]:${port}`, '127.0.0.1'])
      assert.equal((await send(serving.url, 'GET', '/v1/me', { ...bearer(serving), host })).status, 421, host)
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`])
      assert.equal((await send(serving.url, 'GET', '/v1/me', { ...bearer(serving), host })).status, 200, host)
    assert.equal(statusIn(await raw(serving, 'GET /v1/me HTTP/1.1\r\n\r\n')), 400)
    const twice = `GET /v1/me HTTP/1.1\r\nHost: ${hostOf(serving)}\r\nHost: evil\r\n\r\n`
    assert.equal(statusIn(await raw(serving, twice)), 400)
  })

  it('H08: Origin null, and a browser that leaves it out: refused; the token is needed in any case', async () => {
    await using serving = await serve([])
    const call = (headers: Record<string, string>) => send(serving.url, 'GET', '/v1/me', headers)
    assert.equal((await call({ ...bearer(serving), origin: 'null' })).status, 403)
    assert.equal((await call({ ...bearer(serving), 'sec-fetch-site': 'cross-site' })).status, 403)
    assert.equal((await call({ origin: serving.url })).status, 401)
    assert.equal((await call({ ...bearer(serving), origin: serving.url })).status, 200)
  })

  it('H09: another local app is not trusted unless it is listed', async () => {
    await using serving = await serve([], { allowOrigins: ['http://localhost:5173'] })
    const call = (origin: string) => send(serving.url, 'GET', '/v1/me', { ...bearer(serving), origin })
    assert.equal((await call('http://localhost:3000')).status, 403)
    const listed = await call('http://localhost:5173')
    assert.deepEqual([listed.status, listed.headers['access-control-allow-origin']], [200, 'http://localhost:5173'])
  })

  it('H11: a preflight of a foreign origin gets no allow headers', async () => {
    await using serving = await serve([], { allowOrigins: ['http://localhost:5173'] })
    const ask = (origin: string) =>
      send(serving.url, 'OPTIONS', '/v1/sessions', { origin, 'access-control-request-method': 'POST' })
    const foreign = await ask('https://attacker.example')
    assert.equal(foreign.status, 403)
    assert.deepEqual(
      Object.keys(foreign.headers).filter((name) => name.startsWith('access-control')),
      [],
    )
    assert.equal((await ask('http://localhost:5173')).status, 204)
  })

  it('H13: there is no GET that changes anything', async () => {
    await using serving = await serve([])
    const session = await serving.begin()
    const before = (await serving.call('GET', `/v1/sessions/${session}`)).json
    for (const { method, path, query } of OPERATIONS) {
      const needs = Object.values(query).some(({ isOptional }) => !isOptional)
      if (method !== 'get' || needs) continue
      await serving.call('GET', path.replace('{session}', session).replace(/\{\w+\}/, 'none'))
    }
    assert.deepEqual((await serving.call('GET', `/v1/sessions/${session}`)).json, before)
    assert.deepEqual(
      (await serving.call('GET', '/v1/audit')).json.lines.map(({ operation }: { operation: string }) => operation),
      ['createSession'],
    )
  })

  it('H16: a frame over the limit, and fragments without end: closed with 1009', async () => {
    await using serving = await serve([])
    for (const piece of ['x'.repeat(5000), 'x']) {
      const ws = socket(serving, '/v1/events')
      await once(ws, 'open')
      for (let n = 0; n < 5000 && ws.readyState === ws.OPEN; n += 1) ws.send(piece, { fin: false })
      const [code] = await once(ws, 'close')
      assert.equal(code, 1009)
    }
  })

  it('H18: compression is not offered, so nothing inflates', async () => {
    await using serving = await serve([])
    const ws = socket(serving, '/v1/events')
    await once(ws, 'open')
    assert.equal(ws.extensions, '')
    ws.terminate()
  })

  it('H20: idle connections have an end, and the others are served', async () => {
    await using serving = await serve([], { maxConnections: 40 })
    const idle: Socket[] = []
    for (let n = 0; n < 200; n += 1) idle.push(connect(portOf(serving), '127.0.0.1').on('error', () => {}))
    // Those over the limit are closed at once.
    await eventually('160 closed connections', () => idle.filter(({ closed }) => closed).length >= 160)
    for (const one of idle) one.destroy()
    const works = async () => (await serving.call('GET', '/healthz').catch(() => undefined))?.status === 200
    assert.ok(await eventually('an answer of /healthz', works))
  })

  it('H21: a header of 1 MB, and 10,000 headers: 431', async () => {
    await using serving = await serve([])
    const start = `GET /v1/me HTTP/1.1\r\nHost: ${hostOf(serving)}\r\n`
    assert.equal(statusIn(await raw(serving, start, `X-A: ${'a'.repeat(1_000_000)}\r\n\r\n`)), 431)
    const many = Array.from({ length: 10_000 }, (_, n) => `X-${n}: 1\r\n`).join('')
    assert.equal(statusIn(await raw(serving, start, `${many}\r\n`)), 431)
  })

  it('H21: a head or a body that comes drop by drop: 408, and the others are served', async () => {
    await using serving = await serve([], { headersTimeoutMs: 150 })
    const drip = async (start: string) => {
      const slow = connect(portOf(serving), '127.0.0.1').on('error', () => {})
      let text = ''
      slow.setEncoding('latin1').on('data', (chunk) => {
        text += chunk
      })
      slow.write(start)
      const drops = setInterval(() => slow.write('x'), 20)
      const closed = once(slow, 'close')
      assert.equal((await serving.call('GET', '/healthz')).status, 200)
      await closed
      clearInterval(drops)
      return text
    }
    const host = `Host: ${hostOf(serving)}\r\nAuthorization: Bearer ${serving.server.token}\r\n`
    assert.equal(statusIn(await drip(`GET /v1/me HTTP/1.1\r\n${host}X-A: `)), 408)
    const body = `${host}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n`
    assert.ok([0, 408].includes(statusIn(await drip(`POST /v1/sessions HTTP/1.1\r\n${body}`))))
    const file = body.replace('application/json', 'application/x-ndjson')
    assert.ok([0, 408].includes(statusIn(await drip(`POST /v1/sessions/import HTTP/1.1\r\n${file}`))))
    assert.deepEqual(
      serving.lines.filter((line) => line.includes('"level":"error"')),
      [],
    )
    assert.deepEqual((await serving.call('GET', '/v1/sessions')).json.sessions, [])
  })

  it('H24: paths that lead out are nowhere', async () => {
    await using serving = await serve([])
    for (const path of [
      '/../../etc/passwd',
      '/%2e%2e%2fetc%2fpasswd',
      '/..%5c..%5cx',
      '/%00',
      '/%252e%252e%252fetc',
      '/v1/sessions/../tokens',
    ])
      assert.equal((await send(serving.url, 'GET', path, bearer(serving))).status, 404, path)
  })

  it('H25: an answer for an unknown, finished or foreign ask has no effect', async () => {
    await using serving = await serve([write('a.txt'), 'Done.'])
    const [session, other] = [await serving.begin(), await serving.begin()]
    await serving.send(session, '1')
    const ask = await serving.ask(session)
    const answer = (at: string, id: string) =>
      serving.call('POST', `/v1/sessions/${at}/asks/${id}/answer`, { body: { kind: 'deny' } })
    assert.equal((await answer(session, 'none')).json.code, 'ask_not_found')
    assert.equal((await answer(other, ask.id)).json.code, 'ask_not_found')
    assert.equal((await answer(session, ask.id)).status, 204)
    assert.equal((await answer(session, ask.id)).json.code, 'already_answered')
    await serving.ended(session, '1')
  })

  it('H27: an answer that is repeated after a restart is refused', async () => {
    await using serving = await serve([write('a.txt'), 'Done.'])
    const session = await serving.begin()
    await serving.send(session, '1')
    const ask = await serving.ask(session)
    const answer = () =>
      serving.call('POST', `/v1/sessions/${session}/asks/${ask.id}/answer`, { body: { kind: 'deny' } })
    assert.equal((await answer()).status, 204)
    await serving.ended(session, '1')
    await serving.restart()
    assert.deepEqual([(await answer()).status, (await answer()).json.by.name], [409, 'main'])
  })

  it('H30: of a long command all of it is there to be shown', async () => {
    const command = `printf '${'x '.repeat(3000)}' ; rm -rf ./build`
    await using serving = await serve([{ tools: [{ name: 'Bash', input: { command } }] }, 'Done.'])
    const session = await serving.begin()
    await serving.send(session, '1')
    const { preview, tool, id } = await serving.ask(session)
    assert.equal(tool?.input['command'], command)
    assert.ok(preview?.type === 'command' && preview.command === command)
    await serving.call('POST', `/v1/sessions/${session}/asks/${id}/answer`, { body: { kind: 'deny' } })
    await serving.ended(session, '1')
  })

  it('H31: no page can be put into a frame', async () => {
    await using serving = await serve([])
    for (const path of ['/', '/v1/docs', '/v1/me', '/none']) {
      const { headers } = await serving.call('GET', path)
      assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/)
      assert.equal(headers['x-frame-options'], 'DENY')
    }
  })

  it('H33: an ask nobody answers stays open until its time is up, then it is a no', async () => {
    await using serving = await serve([write('a.txt'), 'Not done.'], { askTimeoutMs: 300 })
    const session = await serving.begin()
    await serving.send(session, '1')
    const ask = await serving.ask(session)
    const log = await serving.ended(session, '1')
    assert.ok(log.some(({ kind, data }) => kind === 'withdrawn' && (data as { ask: string }).ask === ask.id))
  })

  it('H35: listening on all addresses needs a flag of its own and a token of your own', () => {
    assert.throws(() => createServer({ host: '0.0.0.0' }), /needs --token/)
    assert.throws(() => createServer({ host: '::', token: 'a-token-of-my-own' }), /nothing is encrypted/)
  })

  it('H37: a token file that others can read is mended', async () => {
    await using serving = await serve([])
    const file = join(serving.options.env['CLAUDE_CONFIG_DIR'] ?? '', 'server', 'token')
    chmodSync(file, 0o666)
    await serving.restart()
    assert.equal(statSync(file).mode & 0o777, 0o600)
  })

  it('a prompt that the agent would refuse: 400, and the next one is answered', async () => {
    await using serving = await serve(['Here.'])
    const session = await serving.begin()
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QQ=' } }
    for (const content of [' ', '\n', [{ type: 'text', text: ' ' }], [{ type: 'text', text: 'Look.' }, image]]) {
      const reply = await serving.call('POST', `/v1/sessions/${session}/prompts`, { body: { content } })
      assert.deepEqual([reply.status, reply.json.code], [400, 'invalid_option'], JSON.stringify(content))
    }
    await serving.send(session, '1', 'Hi')
    await serving.ended(session, '1')
  })

  it('an export of what can not be read: 500 with what is wrong, not a file that ends early', async () => {
    await using serving = await serve(['Here.'])
    const session = await serving.begin()
    await serving.send(session, '1', 'Hi')
    await serving.ended(session, '1')
    const projects = join(serving.options.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects')
    const log = readdirSync(projects, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith('hub.log'))
    const path = join(projects, log ?? '')
    rmSync(path)
    mkdirSync(path)
    const reply = await serving.call('GET', `/v1/sessions/${session}/export`)
    assert.deepEqual([reply.status, reply.headers['content-type']], [500, 'application/problem+json'])
    rmdirSync(path)
  })

  it('H39: line ends in paths and ids are escaped in the log', async () => {
    await using serving = await serve([])
    await serving.call('GET', '/v1/x%0d%0a{"level":"error"}')
    await serving.call('POST', '/v1/tokens', { body: { name: 'a\r\n{"fake":1}', scopes: ['read'] } })
    for (const line of serving.lines) assert.doesNotMatch(line.slice(0, -1), /[\r\n]/)
    assert.ok(serving.lines.every((line) => JSON.parse(line).level === 'info'))
  })

  it('H41: events of a session with a token of another: 403', async () => {
    await using serving = await serve([])
    const [mine, other] = [await serving.begin(), await serving.begin()]
    const body = { name: 'Bob', scopes: ['read'], sessions: [other] }
    const { token } = (await serving.call('POST', '/v1/tokens', { body })).json
    assert.equal((await serving.call('GET', `/v1/sessions/${mine}/events`, { token })).status, 403)
    const ws = socket(serving, `/v1/sessions/${mine}/events`, { authorization: `Bearer ${token}` })
    const [, answer] = await once(ws, 'unexpected-response')
    assert.equal(answer.statusCode, 403)
    assert.equal((await serving.call('GET', `/v1/sessions/${other}`, { token })).status, 200)
  })

  it('H43: the cookie has strict flags', async () => {
    await using serving = await serve([])
    const key = 'a-key-that-a-page-made-up-for-tests'
    const { headers } = await serving.call('POST', '/v1/login', { body: { key } })
    assert.match(String(headers['set-cookie']), /; HttpOnly; SameSite=Strict$/)
  })
})
