/** What a request for a session means to its agent. Pure. */
import type { McpServer, NewSessionRequest } from '@agentclientprotocol/sdk/unstable'
import { KedgeError } from '../../errors.js'
import type { Effort } from '../../hub/session-types.js'
import type { FolderTrust } from '../../protocol/folder-settings-types.js'
import { isObject } from '../../protocol/json.js'
import type { McpServerConfig } from '../../protocol/mcp-servers.js'
import type { Options } from '../../protocol/options.js'
import { isPermissionMode, unknownModeText } from '../../protocol/permission-modes.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import { textOfPrompt } from './prompt-content.js'

export type RequestedSession = {
  options: Options
  mode?: PermissionMode
  model?: string
  effort?: Effort
  /** Every message of the agent is passed on as it is, too. */
  wantsRaw: boolean
  /** Project configuration that the folder's user hasn't approved. */
  doubt?: FolderTrust
  /** Servers we could not make sense of, by name. */
  problems: string[]
}

type SessionRequest = Partial<
  Pick<NewSessionRequest, 'additionalDirectories' | 'mcpServers' | 'systemPrompt' | '_meta'>
> & {
  cwd: string
}

/** Ours to decide, or not to be said in JSON. */
const OURS: readonly string[] = [
  ...['abortController', 'canUseTool', 'continue', 'cwd', 'executable', 'executableArgs', 'forkSession', 'isolation'],
  ...['onElicitation', 'pathToClaudeCodeExecutable', 'persistSession', 'resume', 'resumeSessionAt', 'sessionId'],
  ...['sessionStore', 'spawnClaudeCodeProcess', 'stderr', 'transport', 'workspace'],
]

export function readRequestedSession(
  request: SessionRequest,
  defaults: Options,
  ofClient: ClientServerFactory,
): RequestedSession {
  if (!isPlainAbsolutePath(request.cwd))
    throw new KedgeError('invalid_cwd', `cwd must be an absolute path, not "${request.cwd}".`)
  if (request.cwd.includes('\0')) throw new KedgeError('invalid_cwd', 'cwd must not have a NUL character.')
  const meta = isObject(request._meta) ? request._meta : {}
  const claudeCode = isObject(meta['claudeCode']) ? meta['claudeCode'] : {}
  const given = isObject(claudeCode['options']) ? claudeCode['options'] : {}
  const { permissionMode, model, effort, ...options } = Object.fromEntries(
    Object.entries(given).filter(([name]) => !OURS.includes(name)),
  ) as Options // checked where the agent is started
  const wrong = Object.entries({ permissionMode, model, effort }).find(
    ([, value]) => value !== undefined && typeof value !== 'string',
  )
  if (wrong) throw new KedgeError('invalid_option', `_meta.claudeCode.options.${wrong[0]} must be a text.`)
  if (permissionMode !== undefined && !isPermissionMode(permissionMode))
    throw new KedgeError('invalid_option', unknownModeText(permissionMode))
  const folders = [
    ...(request.additionalDirectories ?? []),
    ...texts(meta['additionalRoots']),
    ...(options.additionalDirectories ?? []),
  ]
  for (const folder of folders)
    if (!isPlainAbsolutePath(folder))
      throw new KedgeError('invalid_option', `additionalDirectories must be absolute paths, not "${folder}".`)
  const { servers, problems } = toMcpServers(request.mcpServers ?? [], ofClient)
  return {
    options: {
      ...defaults,
      ...options,
      ...(folders.length > 0 ? { additionalDirectories: folders } : {}),
      mcpServers: { ...(options.mcpServers ?? {}), ...servers },
      ...systemPrompt(request, meta),
      ...(meta['disableBuiltInTools'] === true ? { tools: [] } : {}),
    },
    ...(permissionMode ? { mode: permissionMode } : {}),
    ...(model ? { model } : {}),
    ...(effort ? { effort } : {}),
    wantsRaw: claudeCode['emitRawSDKMessages'] === true,
    problems,
  }
}

/** Removes servers, for agents on other machines: their operators decide about servers. */
export function withoutMcpServers({
  options: { mcpServers: given = {}, ...options },
  problems,
  ...wish
}: RequestedSession): RequestedSession {
  const unused = Object.keys(given).map(
    (name) => `${name}: which MCP servers a session has is up to its app, on the workers`,
  )
  return { ...wish, options, problems: [...problems, ...unused] }
}

const PRESET = { type: 'preset', preset: 'claude_code' } as const

function systemPrompt(
  { systemPrompt: asked }: SessionRequest,
  meta: Record<string, unknown>,
): Pick<Options, 'systemPrompt'> {
  if (asked) {
    const text = textOfPrompt(asked.content)
    return { systemPrompt: asked.mode === 'override' ? text : { ...PRESET, append: text } }
  }
  const { systemPrompt: legacy } = meta
  if (typeof legacy === 'string') return { systemPrompt: legacy }
  if (isObject(legacy) && typeof legacy['append'] === 'string')
    return { systemPrompt: { ...PRESET, append: legacy['append'] } }
  return {}
}

/** A server that the client itself is. */
export type ClientServerFactory = (name: string, serverId: string) => McpServerConfig

export function toMcpServers(
  given: readonly McpServer[],
  ofClient: ClientServerFactory,
): { servers: Record<string, McpServerConfig>; problems: string[] } {
  const servers: [string, McpServerConfig][] = []
  const problems: string[] = []
  for (const server of given) {
    const { name } = server
    if (servers.some(([known]) => known === name)) {
      problems.push(`${name}: there is another server of this name`)
    } else if ('command' in server) {
      const { command, args, env } = server
      servers.push([name, { type: 'stdio', command, args: [...args], env: pairs(env) }])
    } else if (server.type === 'acp') {
      servers.push([name, ofClient(name, server.serverId)])
    } else {
      servers.push([name, { type: server.type, url: server.url, headers: pairs(server.headers) }])
    }
  }
  return { servers: Object.fromEntries(servers), problems }
}

function pairs(list: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(list.map(({ name, value }) => [name, value]))
}

export function isPlainAbsolutePath(path: string): boolean {
  const isRooted = path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path)
  return isRooted && !path.split(/[\\/]/).includes('..')
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
