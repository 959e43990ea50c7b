/** Tokens are counted by each API that offers it, in its own words; where it does not, nothing is asked and nothing made up. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { checkMessagesRequest } from '../../src/testing/api-rules.js'
import { request } from '../support/client.js'
import { PROVIDERS } from '../support/providers/all-providers.js'
import { checkSignature } from '../support/providers/messages-family.js'
import { spokenClient } from '../support/providers/spoken-client.js'
import type { Received } from '../support/providers/spoken-server.js'

type Body = Record<string, unknown>

/** Answers everything with this, and keeps what it was asked. */
async function counter(status: number, answer: string) {
  const received: Received[] = []
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { method = '', url = '', headers } = incoming
    received.push({ method, path: url, headers, raw: Buffer.concat(chunks), now: Date.now() })
    response.writeHead(status, { 'content-type': 'application/json' }).end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Listening on TCP, the address is an object.
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { url: `http://127.0.0.1:${port}`, received, [Symbol.asyncDispose]: close }
}

const TOOL = { name: 'Read', description: 'Reads.', input_schema: { type: 'object' } }
const ASKED = request({ model: 'sonnet', system: ['Be brief.'], tools: [TOOL] })

const bodyOf = ({ raw }: Received): Body => JSON.parse(raw.toString('utf8'))

/** Where it counts, and what it must be sent there; undefined: it does not. */
const OFFERED: Readonly<
  Record<string, { path: RegExp; field: string; body(received: Received): Body | Promise<Body> }>
> = {
  messages: { path: /^\/v1\/messages\/count_tokens\?beta=true$/, field: 'input_tokens', body: bodyOf },
  foundry: { path: /^\/anthropic\/v1\/messages\/count_tokens$/, field: 'input_tokens', body: bodyOf },
  'anthropic-aws': {
    path: /^\/v1\/messages\/count_tokens$/,
    field: 'input_tokens',
    async body(received) {
      await checkSignature(received, { service: 'aws-external-anthropic' })
      return bodyOf(received)
    },
  },
  vertex: {
    path: /\/publishers\/anthropic\/models\/count-tokens:rawPredict$/,
    field: 'input_tokens',
    body(received) {
      const { anthropic_version: version, ...rest } = bodyOf(received)
      assert.equal(version, 'vertex-2023-10-16')
      return rest
    },
  },
  bedrock: {
    path: /^\/model\/anthropic\.claude-sonnet-4-6\/count-tokens$/,
    field: 'inputTokens',
    async body(received) {
      await checkSignature(received, { service: 'bedrock' })
      const { input } = bodyOf(received) as { input: { invokeModel: { body: string } } }
      const invoked = JSON.parse(Buffer.from(input.invokeModel.body, 'base64').toString('utf8'))
      const { anthropic_version: version, anthropic_beta: _, max_tokens: limit, thinking, ...rest } = invoked
      assert.deepEqual([version, limit > 0, typeof thinking], ['bedrock-2023-05-31', true, 'object'])
      return { model: 'in the address', ...rest }
    },
  },
  responses: {
    path: /^\/v1\/responses\/input_tokens$/,
    field: 'input_tokens',
    body(received) {
      const { model, input, instructions, tools, ...rest } = bodyOf(received)
      assert.deepEqual(Object.keys(rest).sort(), ['reasoning', 'tool_choice'])
      assert.ok(Array.isArray(input) && Array.isArray(tools))
      assert.match(String(instructions), /Be brief/)
      return { model, messages: [{ role: 'user', content: 'Hello.' }], system: [], tools: [TOOL] }
    },
  },
}

for (const spoken of PROVIDERS)
  test(`${spoken.name} ${OFFERED[spoken.name] ? 'counts' : 'is not asked to count'}`, async () => {
    const offered = OFFERED[spoken.name]
    await using server = await counter(200, JSON.stringify({ [offered?.field ?? 'input_tokens']: 1234 }))
    await using client = await spokenClient({ env: spoken.env(server.url) })
    const count = client.provider.countTokens?.(ASKED, new AbortController().signal)
    if (!offered) {
      assert.deepEqual([await count, server.received.length], [undefined, 0])
      return
    }
    assert.equal(await count, 1234)
    const [received] = server.received
    assert.ok(received && server.received.length === 1)
    assert.match(received.path, offered.path)
    const body = await offered.body(received)
    assert.equal(checkMessagesRequest(body, { counting: true }), undefined)
    assert.deepEqual(
      ['max_tokens', 'stream', 'metadata', 'output_config'].filter((name) => name in body),
      [],
    )
    assert.match(JSON.stringify(body), /Hello\..*Read/s)
    // Nothing was bought.
    assert.equal(client.ledger.entries().length, 0)
  })

test('an endpoint that refuses, answers something else or is not there gives no number', async () => {
  const spoken = PROVIDERS[0]
  assert.ok(spoken)
  const signal = new AbortController().signal
  for (const [status, answer] of [
    [404, '{}'],
    [500, 'oops'],
    [200, '<html>'],
    [200, '{"input_tokens":"many"}'],
    [200, '{"input_tokens":-1}'],
  ] as const) {
    await using server = await counter(status, answer)
    await using client = await spokenClient({ env: spoken.env(server.url) })
    assert.equal(await client.provider.countTokens?.(ASKED, signal), undefined, answer)
  }
  await using client = await spokenClient({ env: spoken.env('http://127.0.0.1:9') })
  assert.equal(await client.provider.countTokens?.(ASKED, signal), undefined)
})
