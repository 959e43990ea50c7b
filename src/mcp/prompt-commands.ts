/** Prompts of servers as slash commands: `/mcp__server__prompt first second`. */
import type { ContentBlockParam } from '../protocol/content.js'
import { isObject } from '../protocol/json.js'
import { cleanServerLine, toNamePart } from './clean-text.js'
import type { SessionMcpServer } from './configured-server.js'
import type { ServerPrompt } from './lists/server-lists.js'
import { type ResultPorts, toResultBlocks } from './tool-result.js'

export type PromptCommand = {
  /** What the user types after the slash. */
  name: string
  /** How it is shown. */
  title: string
  description: string
  argumentHint: string
}

export function promptCommands(servers: readonly SessionMcpServer[]): PromptCommand[] {
  return servers.flatMap((server) =>
    server.connection.offer().prompts.map((prompt) => ({
      name: commandName(server, prompt),
      title: `${cleanServerLine(server.name, 60)}:${cleanServerLine(prompt.name, 60)} (MCP)`,
      description: prompt.description,
      argumentHint: prompt.arguments
        .map(({ name, required }) => (required ? `<${cleanServerLine(name, 40)}>` : `[${cleanServerLine(name, 40)}]`))
        .join(' '),
    })),
  )
}

function commandName(server: SessionMcpServer, { name }: ServerPrompt): string {
  return `mcp__${toNamePart(server.name)}__${toNamePart(name)}`
}

/**
 * Fetches the text of an MCP server's prompt. Undefined when there is none of that name. Rejects when the server
 * could not say it.
 */
export async function expandServerPrompt(
  servers: readonly SessionMcpServer[],
  command: string,
  text: string,
  ports: Pick<ResultPorts, 'keep'> & { callMs: number },
  signal: AbortSignal,
): Promise<ContentBlockParam[] | undefined> {
  const owners = servers.filter((server) =>
    server.connection.offer().prompts.some((one) => commandName(server, one) === command),
  )
  if (owners.length > 1) {
    const names = owners.map(({ name }) => JSON.stringify(cleanServerLine(name, 60))).join(' and ')
    throw new Error(`${command} can mean prompts of the MCP servers ${names}: rename one of them.`)
  }
  for (const server of owners) {
    const prompt = server.connection.offer().prompts.find((one) => commandName(server, one) === command)
    if (!prompt) continue
    const params = { name: prompt.name, arguments: splitArguments(prompt, text) }
    const answer = await server.connection.request('prompts/get', params, { timeoutMs: ports.callMs, signal })
    const messages = Array.isArray(answer['messages']) ? answer['messages'].slice(0, 100) : []
    const blocks: ContentBlockParam[] = []
    for (const message of messages) {
      if (!isObject(message)) continue
      const role = message['role'] === 'assistant' ? [{ type: 'text' as const, text: 'Assistant:' }] : []
      blocks.push(...role, ...(await toResultBlocks(message['content'], ports)))
    }
    return blocks.filter((block) => block.type !== 'text' || block.text !== '')
  }
  return undefined
}

/** Words, quoted where they hold spaces, for one argument after another; the last one takes the rest. */
function splitArguments(prompt: ServerPrompt, text: string): Record<string, string> {
  const words = [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '')
  const given = prompt.arguments.slice(0, words.length)
  return Object.fromEntries(
    given.map(({ name }, at) => [
      name,
      at === prompt.arguments.length - 1 ? words.slice(at).join(' ') : (words[at] ?? ''),
    ]),
  )
}
