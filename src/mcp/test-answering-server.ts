/** For tests of connections: a server that answers at once, by method; every connection to it is kept and can be cut. */
import type { Clock } from '../platform/clock.js'
import type { JsonObject } from '../protocol/json.js'
import type { JSONRPCMessage } from '../protocol/mcp-servers.js'
import { Connection, type ConnectionPorts } from './connection.js'
import { PROTOCOL_VERSION } from './handshake.js'
import type { ServerConfig } from './server-config.js'
import { createTestClock, createTestTransport } from './test-transport.js'

/** Undefined: it never answers. A function may throw, which breaks the wire of that message. */
export type TestServerReply = JsonObject | undefined | ((message: JSONRPCMessage) => JsonObject | undefined)

export const COMMON_SERVER_CONFIG = { alwaysLoad: false, sampling: false, required: false }
export const TEST_STDIO_CONFIG: ServerConfig = {
  type: 'stdio',
  command: 'x',
  args: [],
  env: {},
  ...COMMON_SERVER_CONFIG,
}

export function initializeReply(capabilities: JsonObject): JsonObject {
  return { protocolVersion: PROTOCOL_VERSION, capabilities, serverInfo: { name: 'served', version: '1' } }
}

/** `answers` may be changed while it runs. */
export function createAnsweringServer(answers: Record<string, TestServerReply>) {
  const wires: (ReturnType<typeof createTestTransport> & { isClosed: boolean })[] = []
  const open = () => {
    const wire = { ...createTestTransport(), isClosed: false }
    wires.push(wire)
    return {
      ...wire.transport,
      async send(message: JSONRPCMessage) {
        await wire.transport.send(message)
        if (message.id === undefined || message.method === undefined) return
        if (!Object.hasOwn(answers, message.method)) {
          const error = { code: -32_601, message: `no ${message.method}` }
          return queueMicrotask(() => wire.receive({ jsonrpc: '2.0', id: message.id, error }))
        }
        const given = answers[message.method]
        const result = typeof given === 'function' ? given(message) : given
        if (result) queueMicrotask(() => wire.receive({ jsonrpc: '2.0', id: message.id, result }))
      },
      async close() {
        wire.isClosed = true
      },
    }
  }
  return { open, wires, asked: () => wires.map(({ sent }) => sent.map((message) => message.method)) }
}

export function createTestConnection(
  answers: Record<string, TestServerReply>,
  ports: Partial<ConnectionPorts> = {},
  config: ServerConfig | { problem: string } = TEST_STDIO_CONFIG,
) {
  const server = createAnsweringServer(answers)
  const time = createTestClock()
  const notes: string[] = []
  /** The status after each change that was told. */
  const statuses: string[] = []
  const connection: Connection = new Connection(config, {
    clock: time.clock as unknown as Clock,
    open: server.open,
    onRequest: async () => ({}),
    onChange: () => statuses.push(connection.status()),
    onLog: () => {},
    onPageDone: () => {},
    onNote: (text) => notes.push(text),
    connectTimeoutMs: 1000,
    handshake: { capabilities: {}, clientInfo: { name: 'k', version: '1' } },
    ...ports,
  })
  return { ...server, ...time, connection, notes, statuses }
}

/** Everything that is ready to continue has continued. */
export const waitForPendingWork = () => new Promise<void>((resolve) => setImmediate(resolve))
