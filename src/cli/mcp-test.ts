/** `kedge mcp test` and `list`: a session with servers and no turn, asked how they are. */
import { runInProcess } from '../agent/in-process.js'
import { printableText, terminalSafeText } from '../platform/visible-text.js'
import type { McpServerStatus } from '../protocol/mcp-servers.js'
import { createChannelPair, type MalformedLine } from '../transport/channel.js'
import { type ControlMessage, createPeer } from '../transport/peer.js'
import { print, printToStderr } from './terminal-output.js'

const PAUSE_MS = 50
const PATIENCE_MS = 60_000

export async function testMcpServer(name: string, config: unknown): Promise<number> {
  const [status] = await fetchServerStatuses({ [name]: config })
  if (!status) throw new Error('the agent does not know the server')
  report(status)
  return status.status === 'connected' ? 0 : 1
}

/** How they are when each has made up its mind. All are ended again. */
export async function fetchServerStatuses(servers: Readonly<Record<string, unknown>>): Promise<McpServerStatus[]> {
  const [host, agent] = createChannelPair<object | MalformedLine, object>()
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort('SIGINT'))
  const config = JSON.stringify({ mcpServers: servers })
  const ended = runInProcess({
    argv: [
      ...['--output-format', 'stream-json', '--input-format', 'stream-json', '--verbose', '--no-session-persistence'],
      ...['--setting-sources', '', '--strict-mcp-config', '--mcp-config', config],
    ],
    env: process.env,
    cwd: process.cwd(),
    channel: agent,
    stderr: (text) => printToStderr(text),
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

function report({ name, status, error, serverInfo, tools = [] }: McpServerStatus): void {
  const who = serverInfo ? `: ${serverInfo.name} ${serverInfo.version}` : ''
  const lines = [printableText(`${name} is ${status}${who}`, 500)]
  // What a server printed to stderr is part of it, lines and all.
  if (error) lines.push(terminalSafeText(error.length > 2000 ? `${error.slice(0, 2000)}…` : error))
  if (status === 'connected') lines.push(`${tools.length} tools${tools.length > 0 ? ':' : ''}`)
  for (const tool of tools) lines.push(`  ${printableText(tool.name, 200)}`)
  print(`${lines.join('\n')}\n`)
}
