import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { directNetwork } from '../../platform/network/network.js'
import { boundResponse, readBodyStart } from './bound-response.js'
import { addressRefusal, createRemoteTransport } from './remote-transport.js'

describe('where a name may lead', () => {
  const rows: [host: string, address: string, configured: string, allow: true | undefined, ok: boolean][] = [
    ['api.example.com', '93.184.216.34', 'api.example.com', undefined, true],
    // Another host after a redirect is fine, as long as it is public.
    ['cdn.example.com', '93.184.216.34', 'api.example.com', undefined, true],
    ['api.example.com', '10.0.0.5', 'api.example.com', undefined, false],
    ['api.example.com', '10.0.0.5', 'api.example.com', true, true],
    ['api.example.com', '127.0.0.1', 'api.example.com', undefined, false],
    ['api.example.com', '169.254.169.254', 'api.example.com', undefined, false],
    ['localhost', '127.0.0.1', 'localhost', undefined, true],
    ['localhost', '::1', 'localhost', undefined, true],
    ['nas.local', '10.0.0.5', 'nas.local', undefined, true],
    ['nas.local', '127.0.0.1', 'nas.local', undefined, false],
    ['127.0.0.1', '127.0.0.1', '127.0.0.1', undefined, true],
    ['10.0.0.5', '10.0.0.5', '10.0.0.5', undefined, true],
    // What was configured may be private; where it sends us may not.
    ['127.0.0.1', '127.0.0.1', 'api.example.com', undefined, false],
    ['localhost', '127.0.0.1', 'api.example.com', true, false],
    ['10.0.0.6', '10.0.0.6', '10.0.0.5', true, false],
  ]
  for (const [host, address, configured, allow, ok] of rows) {
    test(`${host} at ${address} for ${configured}${allow ? ', private ones allowed' : ''}`, () => {
      const reason = addressRefusal(host, address, configured, allow)
      assert.equal(reason === undefined, ok, reason)
      if (!ok) assert.match(reason ?? '', /allowPrivateAddress/)
    })
  }
})

describe('a limit on what one message takes', () => {
  const response = (chunks: Uint8Array[], type: string) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      },
    })
    return new Response(body, { status: 201, headers: { 'content-type': type, 'x-own': '1' } })
  }
  const big = new Uint8Array(60 * 1024 * 1024)
  const line = new Uint8Array([...new TextEncoder().encode('data: x'), 10])

  test('the same answer comes through', async () => {
    const told: string[] = []
    const bound = boundResponse(response([line, line], 'application/json'), (problem) => told.push(problem))
    assert.equal(bound.status, 201)
    assert.equal(bound.headers.get('x-own'), '1')
    assert.equal(await bound.text(), 'data: x\ndata: x\n')
    assert.deepEqual(told, [])
  })

  test('an answer without a body is passed on', () => {
    const empty = new Response(null, { status: 202 })
    assert.equal(
      boundResponse(empty, () => {}),
      empty,
    )
  })

  test('an answer of more than 100 MB fails, and it is said why', async () => {
    const told: string[] = []
    const bound = boundResponse(response([big, big], 'application/json'), (problem) => told.push(problem))
    await assert.rejects(bound.body?.pipeTo(new WritableStream()) ?? assert.fail(), /a message of more than 100 MB/)
    assert.deepEqual(told, ['a message of more than 100 MB'])
    // Lines mean nothing in it.
    const lines = boundResponse(response([big, line, big], 'application/json'), () => {})
    await assert.rejects(lines.body?.pipeTo(new WritableStream()) ?? assert.fail(), /more than 100 MB/)
  })

  test('a stream may be longer, as long as its events end; not an event of it, however many lines it has', async () => {
    const drain = async (chunks: Uint8Array[]) => {
      let total = 0
      const bound = boundResponse(response(chunks, 'text/event-stream; charset=utf-8'), () => {})
      for await (const chunk of bound.body ?? assert.fail()) total += chunk.length
      return total
    }
    const ends = ['\n\n', '\r\n\r\n'].map((text) => new TextEncoder().encode(text))
    for (const end of ends) {
      assert.equal(await drain([big, end, big, end]), 2 * (big.length + end.length))
      // One byte at a time.
      const bytes = [...end].map((byte) => new Uint8Array([byte]))
      assert.equal(await drain([big, ...bytes, big, ...bytes]), 2 * (big.length + end.length))
    }
    await assert.rejects(drain([line, big, big]), /more than 100 MB/)
    await assert.rejects(drain([big, line, big, line]), /more than 100 MB/)
    await assert.rejects(drain([big, new Uint8Array([10, 13, 13, 10]), big]), /more than 100 MB/)
    const lines = new Uint8Array(Buffer.from('data: x\n'.repeat(4 * 1024 * 1024)))
    await assert.rejects(drain([lines, lines, lines, lines]), /more than 100 MB/)
  })
})

test('of a long body only the start is read', async () => {
  let pulled = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1
      controller.enqueue(new TextEncoder().encode('session é'.repeat(100)))
    },
  })
  const response = new Response(endless, { status: 400 })
  assert.equal(Buffer.byteLength(await readBodyStart(response.clone(), 4_000)), 4_000)
  assert.ok(pulled < 20, `${pulled}`)
  assert.equal(await readBodyStart(new Response('short'), 4_000), 'short')
  assert.equal(await readBodyStart(new Response(null), 4_000), '')
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('some'))
    },
    pull: (controller) => controller.error(new Error('cut')),
  })
  assert.equal(await readBodyStart(new Response(broken), 4_000), 'some')
})

describe('a server at an address', () => {
  const ports = {
    clock: { atMost: async <T>(_: number, work: Promise<T>) => work },
    load: async () => assert.fail('nothing was started'),
    helpHeaders: async () => ({}),
    network: directNetwork,
  }
  const common = { alwaysLoad: false, sampling: false, required: false, headers: {} }

  test('can not be talked to before it was started, and closes all the same', async () => {
    const transport = createRemoteTransport({ type: 'http', url: 'https://example.com/mcp', ...common }, ports)
    await assert.rejects(
      transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      (error: Error & { code?: string }) => error.code === 'mcp_closed' && /not connected/.test(error.message),
    )
    await transport.close()
  })

  test('its headers come from the command that prints them, which may fail', async () => {
    const asked: string[] = []
    const config = { type: 'http', url: 'https://example.com/mcp', headersHelper: 'print-token', ...common } as const
    const transport = createRemoteTransport(config, {
      ...ports,
      load: async () => ({}) as never,
      async helpHeaders(command) {
        asked.push(command)
        throw new Error('no login')
      },
    })
    const events = { message() {}, closed: () => assert.fail('it was never open'), note() {} }
    await assert.rejects(transport.start(events), /no login/)
    assert.deepEqual(asked, ['print-token'])
    await transport.close()
  })
})
