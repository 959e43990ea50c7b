/** What `kedge mcp test` prints: the tools, or the problem, its cause, and the fix. */
import { printableText, terminalSafeText } from '../../platform/visible-text.js'
import { print } from '../terminal-output.js'
import type { FetchServerStatuses } from './found-servers.js'
import { explainMcpFailure, type McpServerPlace } from './mcp-failure-text.js'

type McpStatus = Awaited<ReturnType<FetchServerStatuses>>[number]

export type TestedServer = {
  name: string
  config: unknown
  /** File and scope of the entry, for the fix. */
  where: string
  env?: NodeJS.ProcessEnv
}

export async function testMcpServer(place: TestedServer, ask: FetchServerStatuses): Promise<number> {
  const { isConnected, text } = await diagnoseMcpServer(place, ask)
  print(text)
  return isConnected ? 0 : 1
}

/** Connects once, and returns the tools, or the problem, its cause, and the fix. */
export async function diagnoseMcpServer(
  { name, config, where, env = process.env }: TestedServer,
  ask: FetchServerStatuses,
): Promise<{ isConnected: boolean; text: string }> {
  const notes: string[] = []
  const [status] = await ask({ [name]: config }, { env, note: (text) => notes.push(text) })
  if (!status) throw new Error('the agent does not know the server')
  if (status.status === 'connected') return { isConnected: true, text: connectedText(status, notes) }
  return { isConnected: false, text: failureText(status, { config, where, notes, env }) }
}

function failureText(status: McpStatus, place: McpServerPlace): string {
  const { problem, fix } = explainMcpFailure({ ...status, name: printableText(status.name, 200) }, place)
  // What a server printed to stderr is part of it, lines and all.
  const shown = terminalSafeText(problem.length > 2000 ? `${problem.slice(0, 2000)}…` : problem)
  return `${shown}\n${fix === undefined ? '' : `Fix: ${fix}\n`}`
}

function connectedText({ name, serverInfo, tools = [] }: McpStatus, notes: readonly string[]): string {
  const who = serverInfo ? `: ${serverInfo.name} ${serverInfo.version}` : ''
  const lines = [
    printableText(`${name} is connected${who}`, 500),
    `${tools.length} tools${tools.length > 0 ? ':' : ''}`,
  ]
  for (const tool of tools) lines.push(`  ${printableText(tool.name, 200)}`)
  return [...notes.map((note) => `${note.trim()}\n`), ...lines.map((line) => `${line}\n`)].join('')
}
