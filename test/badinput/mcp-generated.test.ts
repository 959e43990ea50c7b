/** badinput.md, section M, the generated family: every request to a server × every way not to answer it well. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createMcpServers, type McpServers } from '../../src/mcp/servers.js'
import type { McpTransport, TransportEvents } from '../../src/mcp/transports/mcp-transport.js'
import { nodeClock } from '../../src/platform/clock.js'
import { createProcessRunner } from '../../src/platform/processes/processes.js'
import type { JSONRPCMessage } from '../../src/protocol/mcp-servers.js'

const TIMEOUT_MS = 150
/** The time after which nobody may still be waiting. */
const HANG_MS = 60_000

const fine: Record<string, object> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, prompts: {}, resources: {} },
    serverInfo: { name: 'x', version: '1' },
  },
  'tools/list': { tools: [{ name: 'ask', inputSchema: { type: 'object' } }] },
  'prompts/list': { prompts: [{ name: 'greet' }] },
  'resources/list': { resources: [{ uri: 'x://y', name: 'y' }] },
  'resources/templates/list': { resourceTemplates: [{ uriTemplate: 'x://{z}', name: 'z' }] },
  'tools/call': { content: [{ type: 'text', text: 'done' }] },
  'resources/read': { contents: [{ uri: 'x://y', text: 'body' }] },
  'prompts/get': { messages: [{ role: 'user', content: { type: 'text', text: 'Hi.' } }] },
}

const deep = (): object => {
  let value: object = {}
  for (let depth = 0; depth < 20_000; depth += 1) value = { value }
  return value
}

type Reply = (message: JSONRPCMessage, good: object, events: TransportEvents) => void
const say = (events: TransportEvents, id: unknown, more: object) => events.message({ jsonrpc: '2.0', id, ...more })
const FAULTS: Record<string, Reply> = {
  'no answer': () => {},
  late: ({ id }, result, events) => void setTimeout(() => say(events, id, { result }), TIMEOUT_MS * 2).unref(),
  'a wrong id': (_message, result, events) => say(events, 9999, { result }),
  'the id as text': ({ id }, result, events) => say(events, String(id), { result }),
  'an error': ({ id }, _good, events) => say(events, id, { error: { code: -32_000, message: 'no' } }),
  'an error that is none': ({ id }, _good, events) => say(events, id, { error: 'no' }),
  'neither result nor error': ({ id }, _good, events) => say(events, id, {}),
  'result null': ({ id }, _good, events) => say(events, id, { result: null }),
  'result of a text': ({ id }, _good, events) => say(events, id, { result: 'done' }),
  'an empty result': ({ id }, _good, events) => say(events, id, { result: {} }),
  'lists that are none': ({ id }, good, events) =>
    say(events, id, { result: Object.fromEntries(Object.keys(good).map((key) => [key, 7])) }),
  'entries that are none': ({ id }, good, events) =>
    say(events, id, { result: Object.fromEntries(Object.keys(good).map((key) => [key, [null, 1, [], 'x', {}]])) }),
  garbage: (_message, _good, events) => {
    for (const junk of [null, 1, 'x', [], [[]], { jsonrpc: '1.0' }, { id: {}, method: 7 }]) events.message(junk)
  },
  'a close': (_message, _good, events) => events.closed('It is gone.'),
  'something huge': ({ id }, good, events) => say(events, id, { result: { ...good, more: 'x'.repeat(5_000_000) } }),
  'something deep': ({ id }, good, events) => say(events, id, { result: { ...good, more: deep() } }),
  'two answers': ({ id }, result, events) => {
    say(events, id, { result })
    say(events, id, { error: { code: 1, message: 'no' } })
  },
}

/** One server that answers well, except to `method`. */
function open(method: string, reply: Reply): McpServers {
  return createMcpServers({
    platform: { clock: nodeClock, processes: createProcessRunner() },
    cwd: '/',
    variables: {},
    limits: { connectMs: TIMEOUT_MS, callMs: TIMEOUT_MS, outputTokens: 1000 },
    asksInBypass: () => false,
    serverLists: { allowed: undefined, denied: [] },
    clientInfo: { name: 'test', version: '1' },
    sendToHost: async () => ({}),
    openRemote: () => transport(method, reply),
    onRequest: async () => ({}),
    capabilities: () => ({}),
    onChange() {},
    logLevel: 'warning',
    onLog() {},
    onPageDone() {},
    note() {},
    isSignedIn: async () => false,
    tools: {
      keep: async () => undefined,
      checkOutput: async () => [],
      adoptTask: async () => ({ id: 'm1', outputFile: '/kept/m1' }),
    },
  })
}

function transport(odd: string, reply: Reply): McpTransport {
  let events: TransportEvents | undefined
  return {
    async start(given) {
      events = given
    },
    async send(message) {
      const { id, method } = message
      const result = fine[method ?? '']
      if (id === undefined || !result || !events) return
      const to = events
      queueMicrotask(() => (method === odd ? reply(message, result, to) : say(to, id, { result })))
    },
    async close() {
      events?.closed('closed')
      events = undefined
    },
  }
}

const inTime = async <T>(work: Promise<T>): Promise<T> => {
  const done = await nodeClock.atMost(
    HANG_MS,
    work.then((value) => ({ value })),
  )
  assert.ok(done, 'it hangs')
  return done.value
}

describe(`${Object.keys(fine).length * Object.keys(FAULTS).length} ways not to answer well`, { concurrency: 8 }, () => {
  for (const method of Object.keys(fine)) {
    for (const [name, reply] of Object.entries(FAULTS)) {
      it(`${method}: ${name}`, async () => {
        const servers = open(method, reply)
        const { connection } = servers.add({
          name: 'odd',
          value: { type: 'http', url: 'http://x.test/' },
          scope: 'dynamic',
        })
        await inTime(connection.settled())
        const status = connection.status()
        assert.ok(status === 'connected' || status === 'failed', status)
        if (status === 'failed') assert.notEqual(connection.error() ?? '', '')
        const tool = servers.findTool('mcp__odd__ask')
        const signal = new AbortController().signal
        const outcome = tool && (await inTime(tool.execute({ id: 't', name: tool.name, input: {} }, signal, () => {})))
        if (outcome) assert.ok(outcome.ok || outcome.error !== '')
        // What is only about something else stays out of the way of calls.
        if (outcome && /^(?:prompts|resources)/.test(method) && name !== 'a close') assert.ok(outcome.ok)
        for (const read of [
          servers.readResource('odd', 'x://y', signal),
          servers.expandPrompt('mcp__odd__greet', '', signal),
        ]) {
          await inTime(
            read.then(
              () => {},
              (error: unknown) => assert.ok(error instanceof Error && error.message !== ''),
            ),
          )
        }
        await inTime(servers.close())
        assert.deepEqual(servers.tools(), [])
      })
    }
  }
})
