import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boundResponse } from './bound-response.js'
import { createRemoteTransport, refuseAddress } from './remote-transport.js'

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
      const reason = refuseAddress(host, address, configured, allow)
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

  test('a stream may be longer, as long as its lines end; not a line of it', async () => {
    const drain = async (chunks: Uint8Array[]) => {
      let total = 0
      const bound = boundResponse(response(chunks, 'text/event-stream; charset=utf-8'), () => {})
      for await (const chunk of bound.body ?? assert.fail()) total += chunk.length
      return total
    }
    assert.equal(await drain([big, line, big, line]), 2 * (big.length + line.length))
    await assert.rejects(drain([line, big, big]), /more than 100 MB/)
  })
})

describe('a server at an address', () => {
  const ports = {
    clock: { atMost: async <T>(_: number, work: Promise<T>) => work },
    load: async () => assert.fail('nothing was started'),
    helpHeaders: async () => ({}),
    extraCertificates: () => undefined,
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
