/** Parameters that are read more kindly than the schema has them: one bad entry must not cost the user the session. */
import type {
  ForkSessionRequest,
  InitializeRequest,
  LoadSessionRequest,
  McpServer,
  NewSessionRequest,
  ResumeSessionRequest,
} from '@agentclientprotocol/sdk/unstable'
import { isObject, textOrEmpty } from '../protocol/json.js'
import { createInvalidParamsError } from './request-errors.js'

/** Servers that could not be read, by name. */
export type UnreadableMcpServerNames = { badServers: string[] }

/** Whatever version a client asks for, it is answered with ours. */
export const initializeParamsParser = {
  parse(params: unknown): InitializeRequest {
    const given = isObject(params) ? params : {}
    const { clientCapabilities, clientInfo, _meta } = given
    return {
      protocolVersion: 1,
      ...(isObject(clientCapabilities) ? { clientCapabilities } : {}),
      ...(isObject(clientInfo)
        ? {
            clientInfo: {
              name: textOrEmpty(clientInfo['name']),
              title: textOrEmpty(clientInfo['title']),
              version: textOrEmpty(clientInfo['version']),
            },
          }
        : {}),
      ...(isObject(_meta) ? { _meta } : {}),
    }
  },
}

export const newSessionParamsParser = {
  parse: (params: unknown): NewSessionRequest & UnreadableMcpServerNames => sessionFields(params),
}
export const loadSessionParamsParser = {
  parse: (params: unknown): LoadSessionRequest & UnreadableMcpServerNames => knownSession(params),
}
export const resumeSessionParamsParser = {
  parse: (params: unknown): ResumeSessionRequest & UnreadableMcpServerNames => knownSession(params),
}
export const forkSessionParamsParser = {
  parse: (params: unknown): ForkSessionRequest & UnreadableMcpServerNames => knownSession(params),
}

function knownSession(params: unknown): LoadSessionRequest & UnreadableMcpServerNames {
  const fields = sessionFields(params)
  const sessionId = isObject(params) ? params['sessionId'] : undefined
  if (typeof sessionId !== 'string' || sessionId === '') throw createInvalidParamsError('sessionId must be a text.')
  return { ...fields, sessionId }
}

function sessionFields(params: unknown): NewSessionRequest & UnreadableMcpServerNames {
  if (!isObject(params)) throw createInvalidParamsError('The parameters must be an object.')
  const { cwd, mcpServers = [], additionalDirectories, systemPrompt, _meta } = params
  if (typeof cwd !== 'string') throw createInvalidParamsError('cwd must be an absolute path.')
  if (!Array.isArray(mcpServers)) throw createInvalidParamsError('mcpServers must be a list.')
  if (additionalDirectories !== undefined && additionalDirectories !== null && !isTexts(additionalDirectories))
    throw createInvalidParamsError('additionalDirectories must be a list of absolute paths.')
  if (systemPrompt !== undefined && systemPrompt !== null && !isSystemPrompt(systemPrompt))
    throw createInvalidParamsError('systemPrompt must have a mode and a list of content.')
  const servers: readonly unknown[] = mcpServers
  return {
    cwd,
    mcpServers: servers.filter(isMcpServer),
    badServers: servers.flatMap((server, at) =>
      isMcpServer(server) ? [] : `${nameOf(server, at)}: it isn't a server configuration that Kedge knows`,
    ),
    ...(isTexts(additionalDirectories) ? { additionalDirectories } : {}),
    ...(isSystemPrompt(systemPrompt) ? { systemPrompt } : {}),
    ...(isObject(_meta) ? { _meta } : {}),
  }
}

export function isMcpServer(server: unknown): server is McpServer {
  if (!isObject(server) || typeof server['name'] !== 'string' || server['name'] === '') return false
  const { type, command, args, env, url, headers } = server
  if (type === undefined || type === null || type === 'stdio')
    return typeof command === 'string' && isTexts(args) && isPairs(env)
  if (type === 'acp') return typeof server['serverId'] === 'string'
  return (type === 'http' || type === 'sse') && typeof url === 'string' && isPairs(headers)
}

function isSystemPrompt(value: unknown): value is NonNullable<NewSessionRequest['systemPrompt']> {
  return (
    isObject(value) &&
    typeof value['mode'] === 'string' &&
    Array.isArray(value['content']) &&
    value['content'].every(isObject)
  )
}

function isPairs(value: unknown): boolean {
  const isPair = (one: unknown) => isObject(one) && typeof one['name'] === 'string' && typeof one['value'] === 'string'
  return Array.isArray(value) && value.every(isPair)
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function nameOf(server: unknown, at: number): string {
  return isObject(server) && typeof server['name'] === 'string' ? server['name'] : `mcpServers[${at}]`
}
