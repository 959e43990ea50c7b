/** `kedge mcp test` and `list`: a session with servers and no turn, asked how they are. */
import { runInProcess } from '../../agent/in-process.js'
import { printableText, terminalSafeText } from '../../platform/visible-text.js'
import type { McpServerStatus } from '../../protocol/mcp-servers.js'
import { createChannelPair, type MalformedLine } from '../../transport/channel.js'
import { type ControlMessage, createPeer } from '../../transport/peer.js'
import { print, printToStderr } from '../terminal-output.js'
import { explainMcpFailure, type McpServerPlace } from './mcp-failure-text.js'

const PAUSE_MS = 50
const PATIENCE_MS = 60_000

/** `where`: file and scope of the entry, for the fix. */
export async function testMcpServer(name: string, config: unknown, where: string): Promise<number> {
  const { isConnected, text } = await diagnoseMcpServer(name, config, where)
  print(text)
  return isConnected ? 0 : 1
}

/** Connects once, and returns the tools, or the problem, its cause, and the fix. */
export async function diagnoseMcpServer(
  name: string,
  config: unknown,
  where: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ isConnected: boolean; text: string }> {
  const notes: string[] = []
  const [status] = await fetchServerStatuses({ [name]: config }, { env, note: (text) => notes.push(text) })
  if (!status) throw new Error('the agent does not know the server')
  if (status.status === 'connected') return { isConnected: true, text: connectedText(status, notes) }
  return { isConnected: false, text: failureText(status, { config, where, notes, env }) }
}

export type FetchStatusesOptions = { env?: NodeJS.ProcessEnv; note?(text: string): void }

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

function failureText(status: McpServerStatus, place: McpServerPlace): string {
  const { problem, fix } = explainMcpFailure({ ...status, name: printableText(status.name, 200) }, place)
  // What a server printed to stderr is part of it, lines and all.
  const shown = terminalSafeText(problem.length > 2000 ? `${problem.slice(0, 2000)}…` : problem)
  return `${shown}\n${fix === undefined ? '' : `Fix: ${fix}\n`}`
}

function connectedText({ name, serverInfo, tools = [] }: McpServerStatus, notes: readonly string[]): string {
  const who = serverInfo ? `: ${serverInfo.name} ${serverInfo.version}` : ''
  const lines = [
    printableText(`${name} is connected${who}`, 500),
    `${tools.length} tools${tools.length > 0 ? ':' : ''}`,
  ]
  for (const tool of tools) lines.push(`  ${printableText(tool.name, 200)}`)
  return [...notes.map((note) => `${note.trim()}\n`), ...lines.map((line) => `${line}\n`)].join('')
}
