import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { createTestWeb, TEST_PUBLIC_IPV4 } from './test-web.js'
import { createWebClient } from './web-client.js'
import type { WebRequest, WebResponse } from './web-pages.js'

const never = new AbortController().signal

function get(url: string, overrides: Partial<WebRequest> = {}): WebRequest {
  return {
    url: new URL(url),
    address: TEST_PUBLIC_IPV4,
    headers: {},
    signal: never,
    connectTimeoutMs: 10_000,
    ...overrides,
  }
}

async function answer(listener: RequestListener, request = get('https://site.example/')) {
  const web = await createTestWeb(listener)
  const response = await web.client.get(request)
  assert.ok(response.ok, JSON.stringify(response))
  const done: AsyncDisposable & { response: WebResponse } = {
    response,
    [Symbol.asyncDispose]: web[Symbol.asyncDispose],
  }
  return done
}

const text = (body: Awaited<ReturnType<WebResponse['read']>>) => (body.ok ? Buffer.from(body.bytes).toString() : body)

test('connects to the address it was given, under the name of the URL', async () => {
  await using web = await createTestWeb((request, response) => {
    const { host, cookie, referer } = request.headers
    response.setHeader('x-twice', ['a', 'b']).end(JSON.stringify({ url: request.url, host, cookie, referer }))
  })
  const response = await web.client.get(get('https://site.example/a?b=%20c#hash', { headers: { 'user-agent': 'x' } }))
  assert.ok(response.ok)
  assert.deepEqual(JSON.parse(String(text(await response.read(1000)))), { url: '/a?b=%20c', host: 'site.example' })
  assert.equal(response.headers['x-twice'], 'a, b')
  assert.deepEqual([response.status, response.statusText], [200, 'OK'])
  assert.deepEqual(web.log, [`connect ${TEST_PUBLIC_IPV4} 443`])
})

test('a certificate for another name is refused, and so is one nobody vouches for', async () => {
  await using web = await createTestWeb((_, response) => response.end('secret'))
  assert.deepEqual(await web.client.get(get('https://evil.example/')), {
    ok: false,
    kind: 'no connection',
    reason: 'ERR_TLS_CERT_ALTNAME_INVALID',
  })
  const strict = createWebClient({ names: web.system })
  assert.deepEqual(await strict.get(get('https://site.example/')), {
    ok: false,
    kind: 'no connection',
    reason: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  })
})

for (const [encoding, compress] of Object.entries({
  gzip: gzipSync,
  'x-gzip': gzipSync,
  ' GZIP ': gzipSync,
  br: brotliCompressSync,
  deflate: deflateSync,
  Deflate: deflateRawSync,
  identity: (data: Buffer) => data,
})) {
  test(`a body in ${encoding} (${compress.name})`, async () => {
    const content = 'grün '.repeat(1000)
    await using exchange = await answer((_, response) => {
      const body = compress(Buffer.from(content))
      response.setHeader('content-encoding', encoding)
      response.write(body.subarray(0, 1))
      setImmediate(() => response.end(body.subarray(1)))
    })
    assert.equal(text(await exchange.response.read(100_000)), content)
  })
}

test('an encoding nobody asked for is named', async () => {
  await using exchange = await answer((_, response) => response.setHeader('content-encoding', 'gzip, gzip').end('x'))
  assert.deepEqual(await exchange.response.read(1000), { ok: false, kind: 'unknown encoding', reason: 'gzip, gzip' })
})

test('bombs and endless bodies stop at the limit', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  assert.ok(bomb.length < 100_000)
  const bodies: Record<string, RequestListener> = {
    'more than 1000000 bytes': (_, response) => response.setHeader('content-encoding', 'gzip').end(bomb),
    '5000000000 bytes': (_, response) => response.writeHead(200, { 'content-length': '5000000000' }).write('x'),
    'more than 1000000  bytes': (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        response.once('drain', more)
      }
      more()
    },
  }
  for (const [reason, listener] of Object.entries(bodies)) {
    await using exchange = await answer(listener)
    assert.deepEqual(await exchange.response.read(1_000_000), {
      ok: false,
      kind: 'too large',
      reason: reason.replace('  ', ' '),
    })
  }
})

test('a body that ends too early is no body', async () => {
  const listeners: RequestListener[] = [
    (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half')
      setImmediate(() => response.socket?.destroy())
    },
    (_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('whole').subarray(0, 15)),
    (_, response) => response.setHeader('content-encoding', 'gzip').end('no gzip at all'),
    (_, response) => response.setHeader('content-encoding', 'deflate').end(''),
    (_, response) => {
      response.setHeader('content-encoding', 'deflate').flushHeaders()
      setImmediate(() => response.socket?.destroy())
    },
  ]
  for (const [i, listener] of listeners.entries()) {
    await using exchange = await answer(listener)
    const body = await exchange.response.read(1000)
    assert.ok(!body.ok && body.kind === 'broken off', `${i}: ${JSON.stringify(text(body))}`)
  }
})

test('aborting ends lookups, requests and bodies', async () => {
  const controller = new AbortController()
  const { signal } = controller
  let open = 0
  let closed = 0
  let allGone = () => {}
  const gone = new Promise<void>((resolve) => {
    allGone = resolve
  })
  await using web = await createTestWeb((request, response) => {
    open += 1
    response.on('close', () => {
      closed += 1
      if (closed === 2) allGone()
    })
    if (request.url === '/body') response.write('half')
    if (open === 2) setImmediate(() => controller.abort())
  })
  const hanging = createWebClient({
    names: { lookup: () => new Promise(() => {}), route: (host, port) => ({ host, port }) },
  })
  const [lookup, request, body] = await Promise.all([
    hanging.resolve('site.example', signal),
    web.client.get(get('https://site.example/', { signal })),
    web.client.get(get('https://site.example/body', { signal })).then((r) => (r.ok ? r.read(1000) : r)),
  ])
  const aborted = { ok: false, kind: 'aborted', reason: 'aborted' }
  assert.deepEqual([lookup, request, body], [aborted, aborted, aborted])
  await gone
  assert.deepEqual(await web.client.resolve('site.example', signal), aborted)
  assert.deepEqual(await web.client.get(get('https://site.example/', { signal })), aborted)
})

test('names: all addresses once, or the reason why there are none', async () => {
  await using web = await createTestWeb(() => {})
  web.names['site.example'] = ['10.0.0.1', '::1', '10.0.0.1']
  assert.deepEqual(await web.client.resolve('site.example', never), { ok: true, addresses: ['10.0.0.1', '::1'] })
  assert.deepEqual(await web.client.resolve('no.example', never), {
    ok: false,
    kind: 'no connection',
    reason: 'ENOTFOUND',
  })
})

test('nobody there, nobody answering the handshake, no HTTP', async () => {
  await using web = await createTestWeb((_, response) => response.socket?.end('garbage\r\n\r\n'))
  web.dead.add('1.1.1.1')
  const refused = await web.client.get(get('https://site.example/', { address: '1.1.1.1' }))
  assert.deepEqual(refused, { ok: false, kind: 'no connection', reason: 'ECONNREFUSED' })
  const silent = createServer((socket) => socket.on('error', () => {}).resume())
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  // Listening on TCP, the address is an object.
  const { port } = silent.address() as AddressInfo
  const client = createWebClient({
    network: web.network,
    names: { ...web.system, route: () => ({ host: '127.0.0.1', port }) },
  })
  assert.deepEqual(await client.get(get('https://site.example/', { connectTimeoutMs: 50 })), {
    ok: false,
    kind: 'no connection',
    reason: 'no connection in time',
  })
  await new Promise((resolve) => silent.close(resolve))
  const garbage = await web.client.get(get('http://site.example/'))
  assert.ok(!garbage.ok && garbage.reason.startsWith('HPE_'), JSON.stringify(garbage))
})
