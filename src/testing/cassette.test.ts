/** Cassettes: recorded through the proxy from a real server, replayed without it, with no secret in the file. */
import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { CassetteServer } from './cassette.js'
import { type RecordOptions, record } from './record.js'
import { replay } from './replay.js'
import { type ModelServer, startModelServer } from './server.js'
import {
  AUTHORIZED_HEADERS,
  abortAfterEvents,
  callServer,
  createHelloRequest,
  streamFromServer,
} from './test-client.js'
import type { Step } from './turn.js'

const folder = mkdtempSync(join(tmpdir(), 'kedge-cassettes-'))
after(() => rmSync(folder, { recursive: true }))
let count = 0

/** Records what `use` does against a scripted server; gives the file. */
async function recording(
  turns: readonly Step[],
  use: (proxy: CassetteServer, upstream: ModelServer) => Promise<unknown>,
  options: Partial<RecordOptions> = {},
): Promise<string> {
  count += 1
  const to = join(folder, 'deep', `${count}.jsonl`)
  await using upstream = await startModelServer(turns)
  await using proxy = await record({ to, upstream: `${upstream.url}/`, ...options })
  await use(proxy, upstream)
  return to
}

const say = (content: string) => ({ messages: [{ role: 'user' as const, content }] })
const tail = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line))

test('a replay gives what was recorded: streams, JSON, errors, other endpoints', async () => {
  const use = async (server: { url: string }) => {
    const received = [
      await streamFromServer(server, say('one')),
      await callServer(`${server.url}/v1/messages?beta=true`, { body: createHelloRequest() }),
      await streamFromServer(server, say('three')),
      await callServer(`${server.url}/v1/models`, { method: 'GET' }),
    ]
    return received.map(({ status, text, headers }) => ({
      status,
      text,
      type: headers['content-type'],
      id: headers['request-id'],
      retry: headers['retry-after'],
    }))
  }
  let live: unknown
  const file = await recording(
    [{ text: 'Grüße 😀', dripBytes: { size: 3 } }, 'Two.', { status: 429, retryAfter: 1 }],
    async (proxy) => {
      live = await use(proxy)
    },
  )
  for (const match of ['order', 'body'] as const) {
    await using server = await replay(file, { match })
    assert.deepEqual(await use(server), live)
    assert.equal(server.requests.length, 4)
  }
})

test('the file has no timings and only harmless headers', async () => {
  const file = await recording(['Hi'], (proxy) =>
    callServer(`${proxy.url}/v1/messages`, {
      body: createHelloRequest(),
      headers: { ...AUTHORIZED_HEADERS, cookie: 'a=b', 'x-app': 'cli' },
    }),
  )
  const [exchange] = tail(readFileSync(file, 'utf8'))
  assert.deepEqual(exchange, {
    request: {
      method: 'POST',
      path: '/v1/messages',
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: createHelloRequest(),
    },
    response: {
      status: 200,
      headers: { 'content-type': 'application/json', 'request-id': 'req_test_1' },
      body: exchange.response.body,
    },
    ending: 'end',
  })
  assert.deepEqual(JSON.parse(exchange.response.body).content, [{ type: 'text', text: 'Hi' }])
})

test('no secret reaches the file', async () => {
  const secrets = {
    key: 'sk-ant-api03-Very_Secret-0123456789',
    oauth: 'oauth-token-0123456789abcdef',
    cookie: 'cookie-session-0123456789',
    injected: 'injected-upstream-key-42',
    user: 'user_0123456789abcdef0123456789abcdef_account__session_f00bb65c',
    device: '{"device_id":"d-0123456789","account_uuid":"a-9876543210"}',
    jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl',
    github: `ghp_${'0123456789abcdefghijABCDEFGHIJ012345'}`,
    aws: `AKIA${'ABCDEFGHIJKLMNOP'}`,
    password: 'hunter2-hunter2',
    own: 'Mr. Smith',
  }
  const everything =
    `${Object.values(secrets).join(' and ')} and https://ada:${secrets.password}@git.example/x`.replace(
      ` and ${secrets.password} and`,
      ' and',
    )
  const use = async (proxy: CassetteServer) => {
    const rest = { stream: true, ...say(everything), metadata: { user_id: secrets.user } }
    await callServer(`${proxy.url}/v1/messages?key=${secrets.key}`, {
      body: createHelloRequest(rest),
      headers: {
        'x-api-key': secrets.key,
        authorization: `Bearer ${secrets.oauth}`,
        cookie: `id=${secrets.cookie}; b=c`,
        'anthropic-version': '2023-06-01',
      },
    })
    await callServer(`${proxy.url}/v1/messages`, {
      body: createHelloRequest({ ...say(everything), metadata: { user_id: secrets.device } }),
    })
  }
  const echo: Step = (request) => ({ text: request.prompt, chunk: 10_000 })
  const file = await recording([echo, echo], use, {
    apiKey: secrets.injected,
    redact: (text) => text.replaceAll('Mr. Smith', 'somebody'),
  })
  const text = readFileSync(file, 'utf8')
  const exchanges = tail(text)
  assert.equal(exchanges.length, 2)
  const { device, ...plain } = secrets
  for (const secret of [...Object.values(plain), 'sk-ant', 'd-0123456789']) {
    // The first exchange comes before the device id is known to be one.
    const where = secret === 'd-0123456789' ? JSON.stringify(exchanges[1]) : text
    assert.equal(where.includes(secret), false, `${secret} is in the file`)
  }
  assert.equal(exchanges[0].request.path, '/v1/messages?key=<redacted>')
  assert.equal(exchanges[1].request.body.metadata.user_id, '<redacted>')
})

for (const [name, key] of [
  ['a secret', 'sk-ant-api03-Very_Secret-0123456789'],
  ['a private key', `-----BEGIN ${'PRIVATE'} KEY-----\nVery/Secret+api03Very/Secret\n-----END ${'PRIVATE'} KEY-----`],
] as const) {
  test(`${name} the model spreads over several events is not written`, async () => {
    count += 1
    const to = join(folder, `${count}.jsonl`)
    await using upstream = await startModelServer([{ text: `Your key is ${key}.`, chunk: 15 }, 'Fine.'])
    const proxy = await record({ to, upstream: upstream.url })
    assert.equal((await streamFromServer(proxy)).status, 200)
    await streamFromServer(proxy)
    await proxy.close()
    assert.throws(() => proxy.assertDone(), /repeats a secret/)
    const text = readFileSync(to, 'utf8')
    assert.equal(/api03|Very|Secret/.test(text), false)
    assert.equal(tail(text).length, 1)
  })
}

test('an injected key goes to the upstream and not to the agent', async () => {
  await recording(
    ['Hi'],
    async (proxy, upstream) => {
      assert.deepEqual(proxy.env(), { ANTHROPIC_BASE_URL: proxy.url, ANTHROPIC_API_KEY: 'sk-ant-test' })
      await callServer(`${proxy.url}/v1/messages`, {
        body: createHelloRequest(),
        headers: { authorization: 'Bearer x', 'anthropic-version': '1' },
      })
      const { headers } = upstream.requests[0] ?? {}
      assert.deepEqual([headers?.['x-api-key'], headers?.['authorization']], ['real-key-123', undefined])
    },
    { apiKey: 'real-key-123' },
  )
  await recording([], async (proxy) => assert.deepEqual(proxy.env(), { ANTHROPIC_BASE_URL: proxy.url }))
})

test('concurrent requests are written in the order they came', async () => {
  const file = await recording([{ text: 'slow', gapMs: 20 }, 'quick'], async (proxy, upstream) => {
    const slow = streamFromServer(proxy, say('first'))
    while (upstream.requests.length < 1) await new Promise((resolve) => setTimeout(resolve, 2))
    await Promise.all([slow, streamFromServer(proxy, say('second'))])
  })
  assert.deepEqual(
    tail(readFileSync(file, 'utf8')).map(({ request }) => request.body.messages[0].content),
    ['first', 'second'],
  )
})

test('a broken answer breaks again, an abandoned one stays open', async () => {
  const leave = async (server: { url: string }) => {
    const { text, broken } = await abortAfterEvents(2, server)
    return { events: text.split('\n\n').length - 1, broken }
  }
  const expected = { events: 2, broken: 'ABORT_ERR' }
  const file = await recording(
    [
      { text: 'Hi', cutAtByte: 50 },
      { text: 'Hi', stallAfterEvents: 2 },
    ],
    async (proxy) => {
      const cut = await streamFromServer(proxy)
      assert.deepEqual([cut.text.length, cut.broken], [50, 'ECONNRESET'])
      assert.deepEqual(await leave(proxy), expected)
    },
  )
  assert.deepEqual(
    tail(readFileSync(file, 'utf8')).map(({ ending }) => ending),
    ['cut', 'abandoned'],
  )
  await using server = await replay(file)
  const cut = await streamFromServer(server)
  assert.deepEqual([cut.text.length, cut.broken], [50, 'ECONNRESET'])
  assert.deepEqual(await leave(server), expected)
})

test('an upstream that is not there is 502 and a failure', async () => {
  const gone = await startModelServer([])
  await gone.close()
  const proxy = await record({ to: join(folder, 'gone.jsonl'), upstream: gone.url })
  const answer = await streamFromServer(proxy)
  assert.deepEqual([answer.status, JSON.parse(answer.text).error.type], [502, 'api_error'])
  await proxy.close()
  assert.throws(() => proxy.assertDone(), /No answer from the upstream: .*ECONNREFUSED/)
})

test('a replay is strict', async () => {
  const file = await recording(['One.', 'Two.'], async (proxy) => {
    await streamFromServer(proxy, say('one'))
    await streamFromServer(proxy, say('two'))
  })
  const attempt = async (
    match: 'order' | 'body' | ((a: { path: string }, b: { path: string }) => boolean),
    use: (server: CassetteServer) => Promise<unknown>,
  ) => {
    const server = await replay(file, { match })
    await use(server)
    await server.close()
    try {
      server.assertDone()
      return 'done'
    } catch (error) {
      return error instanceof Error ? error.message.replace(file, 'FILE') : error
    }
  }
  const ask =
    (...words: string[]) =>
    async (server: CassetteServer) => {
      for (const word of words) await streamFromServer(server, say(word))
    }
  assert.equal(await attempt('order', ask('x', 'y')), 'done')
  assert.equal(await attempt('body', ask('two', 'one')), 'done')
  assert.equal(await attempt(() => true, ask('x', 'y')), 'done')
  assert.equal(
    await attempt('order', ask('one')),
    'FILE: 1 of 2 recorded exchanges were never asked for:\n  POST /v1/messages',
  )
  assert.equal(
    await attempt('order', ask('one', 'two', 'three')),
    'FILE: all 2 recorded exchanges are used; unexpected POST /v1/messages',
  )
  assert.equal(
    await attempt('body', ask('one', 'three')),
    'FILE: no recorded exchange matches this POST /v1/messages; the next one differs at body.messages.0.content',
  )
  assert.equal(
    await attempt(() => false, ask('one')),
    'FILE: no recorded exchange matches this POST /v1/messages; the next one was not accepted',
  )
  let refused: unknown
  const wrongPath = await attempt('order', async (server) => {
    const { status, headers, text } = await callServer(`${server.url}/v1/models`, { method: 'GET' })
    refused = [status, headers['x-should-retry'], JSON.parse(text).error.type]
  })
  assert.equal(wrongPath, 'FILE: unexpected GET /v1/models; the next recorded request is POST /v1/messages')
  assert.deepEqual(refused, [500, 'false', 'api_error'])
})

test('a file that is no cassette is refused by name and line', async () => {
  const file = join(folder, 'odd.jsonl')
  writeFileSync(file, '{"some":"json"}\n')
  await assert.rejects(replay(file), { message: `${file} is not a cassette of version 1` })
  const good = await recording([], async () => {})
  appendFileSync(good, '\n{"request":{}}\n')
  await assert.rejects(replay(good), { message: `${good}:3 is not a recorded exchange` })
  await assert.rejects(replay(join(folder, 'missing.jsonl')), { code: 'ENOENT' })
})
