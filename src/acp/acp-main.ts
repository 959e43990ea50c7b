/** `kedge acp`: an agent for editors that speak the Agent Client Protocol, on stdin and stdout. */
import { Readable, Writable } from 'node:stream'
import { ndJsonStream } from '@agentclientprotocol/sdk/unstable'
import { createHub } from '../hub/create-hub.js'
import { nodeClock } from '../platform/clock.js'
import { printHelpOrUsageError } from '../platform/command-line/print-help-or-usage-error.js'
import { createPlatformIdentity } from '../platform/identity.js'
import { createAcpAgent } from './acp-agent.js'
import { readAcpArguments } from './acp-arguments.js'
import { cutOverlongLines } from './bounded-lines.js'

/** Longest message, in bytes. */
const MAX_LINE = 32 * 1024 * 1024

export async function acpMain(args: string[]): Promise<void> {
  const read = readAcpArguments(args)
  if ('text' in read) {
    printHelpOrUsageError(read)
    return
  }
  // Only the protocol goes to stdout.
  for (const method of ['log', 'info', 'debug'] as const) console[method] = console.error
  const hub = createHub()
  const { uuid, uid } = createPlatformIdentity()
  const app = createAcpAgent({
    hub,
    agents: hub,
    options: read.options,
    env: process.env,
    canBypass: uid !== 0,
    newId: uuid,
    clock: nodeClock,
    soon: (work) => void setImmediate(work),
  })
  const lines = Readable.from(cutOverlongLines(process.stdin, MAX_LINE))
  const input = Readable.toWeb(lines) as ReadableStream<Uint8Array> // Node's own type for the same thing
  const connection = app.connect(ndJsonStream(Writable.toWeb(process.stdout), input, { maxMessageBytes: 2 * MAX_LINE }))
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => connection.close())
  process.stdout.on('error', () => connection.close())
  await connection.closed
  await hub.end()
  process.exit(0)
}
