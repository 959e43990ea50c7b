import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../protocol/json.js'
import { initializeMcpServer, PROTOCOL_VERSION, type PresuppliedServerManifest } from './handshake.js'
import type { ServerToolsAndResources } from './lists/list-offer.js'
import { createRpc } from './rpc.js'
import { createTestClock, createTestTransport } from './test-transport.js'

/** A server that answers at once; `answers` by method. */
async function greet(answers: Readonly<Record<string, JsonObject>>, manifest?: PresuppliedServerManifest) {
  const { transport, sent, receive } = createTestTransport()
  const { clock } = createTestClock()
  const answering = {
    ...transport,
    async send(...[message]: Parameters<typeof transport.send>) {
      await transport.send(message)
      if (message.id === undefined || message.method === undefined) return
      const result = answers[message.method]
      const answer = result ? { result } : { error: { code: -32_601, message: 'unknown' } }
      queueMicrotask(() => receive({ jsonrpc: '2.0', id: message.id, ...answer }))
    },
  }
  const ports = { onRequest: async () => ({}), onNotification() {}, onClosed() {}, onNote() {} }
  const client = { capabilities: {}, clientInfo: { name: 'k', version: '1' } }
  const options = {
    ...client,
    clock,
    timeoutMs: 10,
    manifest,
    discovers: 'server/discover' in answers,
    isFresh: () => false,
  }
  const done = await initializeMcpServer(createRpc(answering, { clock, ...ports }), options)
  const offer: ServerToolsAndResources = Object.assign(
    { tools: [], prompts: [], resources: [], templates: [] },
    ...done.lists.map(({ part }) => part),
  )
  const notes = done.lists.flatMap((one) => one.notes)
  return { ...done, offer, notes, asked: sent.map((message) => ('method' in message ? message.method : '')) }
}

const hello = (capabilities: JsonObject, protocolVersion = PROTOCOL_VERSION): JsonObject => ({
  protocolVersion,
  capabilities,
  serverInfo: { name: 'S\u200bx', version: '2' },
})
const tools = { tools: [{ name: 'a', inputSchema: { type: 'object' } }] }

test('only what a server says it has is listed', async () => {
  const { offer, facts, asked } = await greet({ initialize: hello({ tools: {} }), 'tools/list': tools })
  assert.deepEqual(asked, ['initialize', 'notifications/initialized', 'tools/list'])
  assert.equal(offer.tools.length, 1)
  assert.deepEqual(facts.serverInfo, { name: 'Sx', version: '2' })
  assert.equal(facts.hasResources, false)
})

test('a server whose prompts or templates fail still has its tools', async () => {
  const { offer, notes } = await greet({
    initialize: hello({ tools: {}, prompts: {}, resources: {} }),
    'tools/list': tools,
    'resources/list': { resources: [{ uri: 'a://b' }] },
  })
  assert.equal(offer.tools.length, 1)
  assert.equal(offer.resources.length, 1)
  assert.match(notes.join(), /its prompts can't be listed/)
})

test('what the host said beforehand is not asked', async () => {
  const manifest = { initializeResult: hello({ tools: {} }), toolsListResult: tools }
  const { offer, asked } = await greet({}, manifest)
  assert.deepEqual(asked, [])
  assert.equal(offer.tools.length, 1)
})

test('a version nobody here speaks is refused with its name', async () => {
  await assert.rejects(greet({ initialize: hello({}, '1999-01-01') }), {
    code: 'mcp_unsupported_version',
    message: /speaks version 1999-01-01/,
  })
})
