/** For tests of MCP: a transport whose other side is the test, and a clock that stands still until it is moved. */
import type { JSONRPCMessage } from '../protocol/mcp-servers.js'
import type { McpTransport, TransportEvents } from './transports/mcp-transport.js'

export function createTestTransport() {
  const sent: JSONRPCMessage[] = []
  let events: TransportEvents | undefined
  const transport: McpTransport = {
    async start(given) {
      events = given
    },
    async send(message) {
      sent.push(message)
    },
    async close() {},
  }
  return {
    transport,
    sent,
    receive: (message: unknown) => events?.message(message),
    closed: (reason: string) => events?.closed(reason),
  }
}

export function createTestClock() {
  const timers = new Set<{ at: number; callback: () => void }>()
  let now = 0
  const after = (ms: number, callback: () => void) => {
    const timer = { at: now + ms, callback }
    timers.add(timer)
    return () => void timers.delete(timer)
  }
  return {
    clock: {
      after,
      monotonic: () => now,
      sleep: (ms: number) => new Promise<void>((resolve) => void after(ms, resolve)),
      async atMost<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
        let cancel = () => {}
        const late = new Promise<undefined>((resolve) => {
          cancel = after(ms, () => resolve(undefined))
        })
        return Promise.race([work, late]).finally(() => cancel())
      },
    },
    pass(ms: number) {
      now += ms
      for (const timer of [...timers]) {
        if (timer.at > now) continue
        timers.delete(timer)
        timer.callback()
      }
    },
    waiting: () => timers.size,
  }
}
