/** The commands we run ourselves, so that every client has them: going back, servers, status, plugins. */
import { rewindAsRequested } from '../../hub/rewind.js'
import type { RewindChanges, RewindRequest } from '../../hub/session-types.js'
import { type Conversations, type LocalAgents, requireLocalAgents, type SessionCatalog } from '../../hub/sessions.js'
import { isObject } from '../../protocol/json.js'
import type { SessionMessage } from '../../protocol/stored-sessions.js'
import { letUserPickInClient, type PickPorts } from '../asks/pick.js'
import type { AcpCommand } from './commands.js'

export type CommandPorts = PickPorts & { hub: Conversations & SessionCatalog; agents: LocalAgents | undefined }

const agentOf = async ({ agents, session }: CommandPorts) => requireLocalAgents(agents).agent(session)

/** What to say to the user. */
export async function runAcpCommand({ name, args }: AcpCommand, ports: CommandPorts): Promise<string> {
  switch (name) {
    case 'rewind':
      return rewind(args, ports)
    case 'mcp':
      return servers(args, ports)
    case 'status':
      return status(ports)
    case 'plugins':
      return plugins(ports)
    case 'btw':
      if (args.length === 0) return 'Write your question behind it: /btw question'
      return (await (await agentOf(ports)).ask(args.join(' '))).answer
    case 'reload': {
      const { changes, problems } = await (await agentOf(ports)).reload()
      return [...(changes.length === 0 ? ['Nothing has changed.'] : changes), ...problems].join('\n')
    }
  }
}

const WHAT: readonly RewindRequest['what'][] = ['both', 'conversation', 'files']
/** How many messages are offered to go back to. */
const MAX_OFFERED = 10
const MAX_LABEL = 80

async function rewind(args: readonly string[], ports: CommandPorts): Promise<string> {
  const { hub, agents, session } = ports
  const said = (await hub.messages(session)).filter(isSaid).slice(-MAX_OFFERED).reverse()
  if (said.length === 0) return 'There is nothing to go back to yet.'
  const named = said.find(({ uuid }) => args.includes(uuid))
  const message =
    named?.uuid ??
    (await letUserPickInClient(
      'Go back to before which message?',
      said.map((one) => [one.uuid, label(one)]),
      ports,
    ))
  if (message === undefined) return 'Nothing was changed.'
  const given = WHAT.find((one) => args.includes(one))
  const chosen =
    given ??
    (await letUserPickInClient(
      'Go back with what?',
      WHAT.map((one) => [one, WORDS[one]]),
      ports,
    ))
  const what = WHAT.find((one) => one === chosen)
  if (what === undefined) return 'Nothing was changed.'
  return undone(await rewindAsRequested(hub, agents, session, { message, what }), what)
}

const WORDS: Readonly<Record<RewindRequest['what'], string>> = {
  both: 'Files and conversation',
  conversation: 'Only the conversation',
  files: 'Only the files',
}

function undone({ files, insertions, deletions, messages }: RewindChanges, what: RewindRequest['what']): string {
  const changed =
    files.length === 0
      ? 'No file had changed.'
      : `${files.length} files were put back (+${insertions} −${deletions}): ${files.join(', ')}.`
  const left = `${messages} messages were left behind.`
  return what === 'files' ? changed : what === 'conversation' ? left : `${changed} ${left}`
}

function isSaid({ type, message, parent_tool_use_id: parent }: SessionMessage): boolean {
  return type === 'user' && parent === null && textIn(message) !== ''
}

function label({ message }: SessionMessage): string {
  const line = textIn(message).split('\n', 1)[0] ?? ''
  return line.length > MAX_LABEL ? `${line.slice(0, MAX_LABEL)} …` : line
}

function textIn(message: unknown): string {
  const content = isObject(message) ? message['content'] : undefined
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .flatMap((block) => (isObject(block) && block['type'] === 'text' ? String(block['text']) : []))
    .join('\n')
}

async function servers([verb, server]: readonly string[], { hub, agents, session }: CommandPorts): Promise<string> {
  const agent = await requireLocalAgents(agents).agent(session)
  if (verb !== undefined) {
    if (server === undefined) return `Say which server: /mcp ${verb} NAME`
    if (verb === 'reconnect') await agent.reconnectMcpServer(server)
    else if (verb === 'enable' || verb === 'disable') await agent.toggleMcpServer(server, verb === 'enable')
    else return `There is no /mcp ${verb}: use reconnect, enable or disable.`
  }
  const all = await agent.mcpServerStatus()
  if (all.length === 0) return 'There are no MCP servers in this session.'
  return all
    .map(
      ({ name, status: state, error, tools = [] }) =>
        `- ${name}: ${state}${error ? ` (${error})` : ''}, ${tools.length} tools`,
    )
    .join('\n')
}

async function status({ hub, agents, session }: CommandPorts): Promise<string> {
  const agent = await requireLocalAgents(agents).agent(session)
  const [account, info, context] = await Promise.all([agent.accountInfo(), hub.info(session), agent.getContextUsage()])
  const { email, organization, apiKeySource, tokenSource } = account
  return [
    `- Account: ${[email, organization].filter(Boolean).join(', ') || [tokenSource, apiKeySource].find((one) => one && one !== 'none') || 'none'}`,
    `- Model: ${info.model ?? context.model}`,
    `- Mode: ${info.mode ?? 'default'}`,
    `- Cost: $${info.costUsd.toFixed(4)}`,
    `- Context: ${context.totalTokens} of ${context.maxTokens} tokens (${Math.round(context.percentage)} %)`,
    `- Folder: ${info.cwd}`,
  ].join('\n')
}

async function plugins({ hub, agents, session }: CommandPorts): Promise<string> {
  const agent = await requireLocalAgents(agents).agent(session)
  const commands = await agent.supportedCommands()
  const names = new Set(commands.flatMap(({ name }) => (name.includes(':') ? (name.split(':', 1)[0] ?? []) : [])))
  return names.size === 0
    ? 'This session has no plugins with commands.'
    : [...names].map((name) => `- ${name}`).join('\n')
}
