/** `kedge mcp test` and `list` connect here: a session with servers and no turn. In the agent's bundle, unlike the command. */
import { runInProcess } from '../../agent/in-process.js'
import type { McpServerStatus } from '../../protocol/mcp-servers.js'
import { createChannelPair, type MalformedLine } from '../../transport/channel.js'
import { type ControlMessage, createPeer } from '../../transport/peer.js'
import { printToStderr } from '../terminal-output.js'
import type { FetchStatusesOptions } from './found-servers.js'

const PAUSE_MS = 50
const PATIENCE_MS = 60_000

/** How they are when each has made up its mind. All are ended again. */
export async function fetchServerStatuses(
  servers: Readonly<Record<string, unknown>>,
  { env = process.env, note = printToStderr }: FetchStatusesOptions = {},
): Promise<McpServerStatus[]> {
  const [host, agent] = createChannelPair<object | MalformedLine, object>()
  const stop = new AbortController()
  const interrupt = () => stop.abort('SIGINT')
  process.once('SIGINT', interrupt)
  const config = JSON.stringify({ mcpServers: servers })
  const ended = runInProcess({
    argv: [
      ...['--output-format', 'stream-json', '--input-format', 'stream-json', '--verbose', '--no-session-persistence'],
      ...['--setting-sources', '', '--strict-mcp-config', '--mcp-sign-ins', 'use'],
      ...['--mcp-config', config],
    ],
    env,
    cwd: process.cwd(),
    channel: agent,
    stderr: (text) => note(text),
    signal: stop.signal,
  }).finally(() => agent.end())
  let nextId = 0
  const peer = createPeer({
    send: (message) => void host.send(message),
    newId: () => String(nextId++),
    handle: async () => ({}),
    report: () => {},
  })
  const reading = (async () => {
    for await (const message of host.incoming) {
      const isControl = 'type' in message && String(message.type).startsWith('control_')
      if (isControl) void peer.receive(message as ControlMessage) // by its type; the peer checks the rest
    }
    peer.close(new Error('the agent ended'))
  })()
  try {
    await peer.request({ subtype: 'initialize' })
    return await settled(() => peer.request({ subtype: 'mcp_status' }))
  } finally {
    host.end()
    await Promise.all([ended, reading])
    process.off('SIGINT', interrupt)
  }
}

async function settled(ask: () => Promise<Record<string, unknown>>): Promise<McpServerStatus[]> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    // The agent's own answer: its shape is the protocol's.
    const { mcpServers } = (await ask()) as { mcpServers: McpServerStatus[] }
    if (!mcpServers.some(({ status }) => status === 'pending') || Date.now() > deadline) return mcpServers
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
