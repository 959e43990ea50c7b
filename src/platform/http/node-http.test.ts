import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createSecureContext } from 'node:tls'
import { eventually, within } from '../../../test/support/eventually.js'
import { directNetwork } from '../network/network.js'
import { type HttpClient, HttpError, type HttpRequest } from './http.js'
import { createHttpClient } from './node-http.js'

// Made for this test only; valid for localhost until 2126.
const TEST_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgAT+0q+o8ItvXRkod
A60H9XgWmgDAS4iYAGcGG09/T3yhRANCAAR5KkJehN7tCfG42xO0ESDq2v90Y5GX
uUN5hVxINQNbLKFdtQ3dxCw+viDTB1ODCmx7FlpeA2f94s8jf6i6PA92
-----END PRIVATE KEY-----`
const TEST_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIURXNcsoYygDuwpoJi4j0vZA1GCtYwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNTAzMjcwMloYDzIxMjYxMDIy
MDMyNzAyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAR5KkJehN7tCfG42xO0ESDq2v90Y5GXuUN5hVxINQNbLKFdtQ3dxCw+
viDTB1ODCmx7FlpeA2f94s8jf6i6PA92o28wbTAdBgNVHQ4EFgQU/Jzw1g2ZvkSe
8BGYL0BpT84i0B0wHwYDVR0jBBgwFoAU/Jzw1g2ZvkSe8BGYL0BpT84i0B0wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgXuWQStUem+BLBH1SE5AwJ8GLQDbNfZkiWRW2Y/Pv+RgCIQCt
kKop5XVetuRHaSlC6I47NaFLuEsM8IND6w3/ntpm6Q==
-----END CERTIFICATE-----`

async function listen(t: TestContext, server: Server): Promise<{ port: number; host: string }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(
    () =>
      new Promise<void>((resolve) => {
        if ('closeAllConnections' in server && typeof server.closeAllConnections === 'function') {
          server.closeAllConnections()
        }
        server.close(() => resolve())
      }),
  )
  // Listening on TCP, the address is an object.
  const { port } = server.address() as AddressInfo
  return { port, host: `127.0.0.1:${port}` }
}

const serve = (t: TestContext, listener: RequestListener) => listen(t, createHttpServer(listener))

function get(url: string, overrides: Partial<HttpRequest> = {}): HttpRequest {
  const base = { method: 'GET' as const, headers: {}, timeoutMs: 5000, signal: new AbortController().signal }
  return { ...base, url: new URL(url), ...overrides }
}

async function text(client: HttpClient, request: HttpRequest): Promise<string> {
  let all = ''
  for await (const chunk of (await client.request(request)).body) all += chunk
  return all
}

function isHttpError(expected: { code: string; host: string; reason?: string }): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof HttpError, String(error))
    const { code, host, reason } = error
    assert.deepEqual({ code, host, ...(expected.reason !== undefined && { reason }) }, expected)
    assert.equal(error.message, `${host}: ${reason}`)
    return true
  }
}

test('a body in many pieces arrives whole, with its length', async (t) => {
  const { host } = await serve(t, async (request, response) => {
    let received = ''
    request.setEncoding('utf8')
    for await (const chunk of request) received += chunk
    const { method, headers } = request
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    response.end(JSON.stringify({ method, length: headers['content-length'], custom: headers['x-custom'], received }))
  })
  const body = ['{', 'ä'.repeat(50_000), '€'.repeat(50_000), '}']
  const response = await createHttpClient().request(
    get(`http://${host}/`, { method: 'POST', body, headers: { 'x-custom': 'yes' } }),
  )
  let answer = ''
  for await (const chunk of response.body) answer += chunk
  assert.equal(response.status, 200)
  assert.equal(response.headers['set-cookie'], 'a=1, b=2')
  assert.deepEqual(JSON.parse(answer), {
    method: 'POST',
    length: String(Buffer.byteLength(body.join(''))),
    custom: 'yes',
    received: body.join(''),
  })
})

test('characters split over chunks are decoded whole', async (t) => {
  const bytes = Buffer.from('grün €uro 🙂 end')
  const { host } = await serve(t, async (_, response) => {
    for (const byte of bytes) {
      response.write(Buffer.from([byte]))
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  })
  assert.equal(await text(createHttpClient(), get(`http://${host}/`)), 'grün €uro 🙂 end')
})

test('connections are reused, also after a body that was not read to its end', async (t) => {
  const ports: (number | undefined)[] = []
  const { host } = await serve(t, (request, response) => {
    ports.push(request.socket.remotePort)
    response.end('x'.repeat(200_000))
  })
  const client = createHttpClient()
  t.after(() => client.close())
  const first = await client.request(get(`http://${host}/`))
  for await (const _ of first.body) break
  // The rest is read in its own time. One request more than before takes every connection that is free by then.
  let count = 0
  const isReused = async () => {
    count += 1
    await Promise.all(Array.from({ length: count }, () => text(client, get(`http://${host}/`))))
    return ports.slice(1).includes(ports[0])
  }
  assert.ok(await eventually('the first connection is used again', isReused), `${ports}`)
})

test('a kept connection that dies under a request is replaced, once', async (t) => {
  let requests = 0
  const { host } = await serve(t, (request, response) => {
    requests += 1
    if (requests === 2) return void request.socket.destroy()
    response.end(`answer ${requests}`)
  })
  const client = createHttpClient()
  const post = () => get(`http://${host}/`, { method: 'POST', body: ['hello'] })
  assert.equal(await text(client, post()), 'answer 1')
  assert.equal(await text(client, post()), 'answer 3')
})

test('a fresh connection that dies before the answer is reported', async (t) => {
  const { host } = await serve(t, (request) => void request.socket.destroy())
  await assert.rejects(
    createHttpClient().request(get(`http://${host}/`)),
    isHttpError({ code: 'connection_failed', host, reason: 'ECONNRESET' }),
  )
})

test('refused connections and unknown hosts are named', async () => {
  const client = createHttpClient()
  await assert.rejects(
    client.request(get('http://127.0.0.1:1/')),
    isHttpError({ code: 'connection_failed', host: '127.0.0.1:1', reason: 'ECONNREFUSED' }),
  )
  await assert.rejects(
    client.request(get('http://no-such-host.invalid/', { headers: { 'x-api-key': 'sk-secret' } })),
    isHttpError({ code: 'connection_failed', host: 'no-such-host.invalid:80' }),
  )
})

test('an invalid header is a failure of the request, not an exception of another kind', async (t) => {
  const { host } = await serve(t, (_, response) => void response.end())
  await assert.rejects(
    createHttpClient().request(get(`http://${host}/`, { headers: { 'x-bad': 'a\nb' } })),
    isHttpError({ code: 'connection_failed', host, reason: 'ERR_INVALID_CHAR' }),
  )
})

test('no answer in time', async (t) => {
  const { host } = await serve(t, () => {})
  await assert.rejects(
    createHttpClient().request(get(`http://${host}/`, { timeoutMs: 20 })),
    isHttpError({ code: 'timeout', host, reason: 'no answer within 20 ms' }),
  )
})

for (const how of ['FIN', 'RST'] as const) {
  test(`a body cut off by ${how}`, async (t) => {
    const { host } = await serve(t, (_, response) => {
      response.write('half')
      setTimeout(() => (how === 'FIN' ? response.socket?.end() : response.socket?.resetAndDestroy()), 10)
    })
    const response = await createHttpClient().request(get(`http://${host}/`))
    let received = ''
    await assert.rejects(
      async () => {
        for await (const chunk of response.body) received += chunk
      },
      isHttpError({ code: 'connection_lost', host }),
    )
    assert.equal(received, 'half')
  })
}

test('abort before, while waiting and while reading', async (t) => {
  const { host } = await serve(t, (request, response) => {
    if (request.url === '/body') response.write('start')
  })
  const client = createHttpClient()
  await assert.rejects(
    client.request(get(`http://${host}/`, { signal: AbortSignal.abort() })),
    isHttpError({ code: 'aborted', host }),
  )

  const waiting = new AbortController()
  const pending = client.request(get(`http://${host}/`, { signal: waiting.signal }))
  setTimeout(() => waiting.abort(), 10)
  await assert.rejects(pending, isHttpError({ code: 'aborted', host }))

  const reading = new AbortController()
  const response = await client.request(get(`http://${host}/body`, { signal: reading.signal }))
  await assert.rejects(
    async () => {
      for await (const chunk of response.body) {
        assert.equal(chunk, 'start')
        reading.abort()
      }
    },
    isHttpError({ code: 'aborted', host }),
  )
})

test('discard gives up a body that does not end', async (t) => {
  let onClose = () => {}
  const closed = new Promise<void>((resolve) => {
    onClose = resolve
  })
  const { host } = await serve(t, (_, response) => {
    response.write('start')
    response.on('close', onClose)
  })
  const response = await createHttpClient().request(get(`http://${host}/`))
  response.discard()
  await within('the end of the connection', closed)
  assert.equal(response.status, 200)
})

test('https: an unknown authority is refused, an extra one is trusted', async (t) => {
  const server = createHttpsServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, (_, response) => response.end('secret'))
  const { host } = await listen(t, server)
  const client = createHttpClient()
  t.after(() => client.close())
  await assert.rejects(
    client.request(get(`https://${host}/`)),
    isHttpError({ code: 'connection_failed', host, reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
  )
  const secured = { ca: [TEST_CERTIFICATE], secureContext: createSecureContext({ ca: TEST_CERTIFICATE }) }
  const network = { ...directNetwork, secured: async () => secured }
  assert.equal(await text(client, get(`https://${host}/`, { network })), 'secret')
})

test('an idle connection does not keep the process alive', async (t) => {
  const { host } = await serve(t, (_, response) => void response.end('done'))
  const script = `
    const { createHttpClient } = await import(${JSON.stringify(new URL('./node-http.js', import.meta.url).href)})
    const signal = new AbortController().signal
    const response = await createHttpClient().request({ method: 'GET', url: new URL('http://${host}/'), headers: {}, timeoutMs: 60000, signal })
    for await (const chunk of response.body) process.stdout.write(chunk)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  // The server keeps the connection for 5 s; a child that waited for that would be killed first.
  const limit = setTimeout(() => child.kill(), 4000)
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const end = await new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })))
  clearTimeout(limit)
  assert.deepEqual({ end, output }, { end: { code: 0, signal: null }, output: 'done' })
})

test('a connection that is not made is given up, and one that is made may take its time to answer', async (t) => {
  const { createServer } = await import('node:net')
  // It takes the connection, and never says a word of TLS.
  const server = createServer((socket) => void socket.on('error', () => {}).resume())
  const mute = await listen(t, server)
  await assert.rejects(
    createHttpClient({ connectMs: 20 }).request(get(`https://${mute.host}/`)),
    (error) => error instanceof HttpError && error.code === 'connection_failed' && error.reason === 'ETIMEDOUT',
  )
  const slow = await listen(
    t,
    createHttpServer((_, response) => void setTimeout(() => response.end('late'), 600)),
  )
  assert.equal(await text(createHttpClient({ connectMs: 300 }), get(`http://${slow.host}/`)), 'late')
})
