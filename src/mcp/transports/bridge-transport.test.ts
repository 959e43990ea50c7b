import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JSONRPCMessage } from '../../protocol/mcp-servers.js'
import { McpError } from '../mcp-error.js'
import { createBridgeTransport } from './bridge-transport.js'

function start(answer: (message: JSONRPCMessage) => unknown) {
  const sent: [server: string, message: JSONRPCMessage, signal?: AbortSignal][] = []
  const events: unknown[] = []
  const transport = createBridgeTransport('own', async (...args) => {
    sent.push(args)
    return answer(args[1])
  })
  const begin = () =>
    transport.start({
      message: (message) => events.push(message),
      closed: (reason) => events.push(`closed: ${reason}`),
      note: (text) => events.push(`note: ${text}`),
    })
  return { transport, sent, events, begin }
}

const request: JSONRPCMessage = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

test('a request goes to the host with its server, and the answer comes back', async () => {
  const { transport, sent, events, begin } = start(({ id }) => ({ jsonrpc: '2.0', id, result: { tools: [] } }))
  await begin()
  const { signal } = new AbortController()
  await transport.send(request, signal)
  assert.deepEqual(sent, [['own', request, signal]])
  assert.deepEqual(events, [{ jsonrpc: '2.0', id: 1, result: { tools: [] } }])
})

test('what is no request has no answer, whatever the host says', async () => {
  const { transport, sent, events, begin } = start(() => ({ jsonrpc: '2.0', id: 9, result: {} }))
  await begin()
  await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  await transport.send({ jsonrpc: '2.0', id: 0, result: {} })
  assert.equal(sent.length, 2)
  assert.deepEqual(events, [])
})

test('a request of id 0 is one', async () => {
  const { transport, events, begin } = start(() => 'answer')
  await begin()
  await transport.send({ ...request, id: 0 })
  assert.deepEqual(events, ['answer'])
})

test('a host that can not is the end of the connection, in its words', async () => {
  const { transport, events, begin } = start(() => {
    throw new Error('no such server')
  })
  await begin()
  await assert.rejects(
    transport.send(request),
    (error) => error instanceof McpError && error.code === 'mcp_closed' && error.message === 'no such server',
  )
  assert.deepEqual(events, [])
})

test('the end is told once, and answers that come then find nobody', async () => {
  const { transport, events, begin } = start(() => 'late')
  await begin()
  const sending = transport.send(request)
  await transport.close()
  await transport.close()
  await sending
  assert.deepEqual(events, ['closed: The server was disconnected.'])
})
