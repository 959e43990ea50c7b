/** The parameters of methods that are not in the protocol: checked by hand, with texts that say what is missing. */
import type { ContentBlock, McpServer } from '@agentclientprotocol/sdk/unstable'
import type { RewindRequest } from '../hub/session-types.js'
import { isObject } from '../protocol/json.js'
import { createInvalidParamsError } from './request-errors.js'
import { isMcpServer } from './session-params.js'

export type SteerRequest = { sessionId: string; prompt: ContentBlock[]; wantsPrompt: boolean }
export type SessionRewindRequest = { sessionId: string } & RewindRequest

function fields(params: unknown): Record<string, unknown> & { sessionId: string } {
  if (!isObject(params)) throw createInvalidParamsError('The parameters must be an object.')
  const { sessionId } = params
  if (typeof sessionId !== 'string' || sessionId === '') throw createInvalidParamsError('sessionId must be a text.')
  return { ...params, sessionId }
}

export const steerParamsParser = {
  parse(params: unknown): SteerRequest {
    const { sessionId, prompt, _meta } = fields(params)
    if (!Array.isArray(prompt) || prompt.length === 0 || !prompt.every(isObject))
      throw createInvalidParamsError('prompt must be a list of content blocks.')
    const steering = isObject(_meta) && isObject(_meta['steering']) ? _meta['steering'] : {}
    // What is in a block is looked at where it is translated.
    return { sessionId, prompt: prompt as ContentBlock[], wantsPrompt: steering['idleBehavior'] === 'promptRequired' }
  },
}

export const stopTaskParamsParser = {
  parse(params: unknown): { sessionId: string; task: string } {
    const { sessionId, asyncTaskId } = fields(params)
    if (typeof asyncTaskId !== 'string' || asyncTaskId === '')
      throw createInvalidParamsError('asyncTaskId must be a text.')
    return { sessionId, task: asyncTaskId }
  },
}

const WHAT: readonly unknown[] = ['files', 'conversation', 'both']

export const rewindParamsParser = {
  parse(params: unknown): SessionRewindRequest {
    const { sessionId, messageId, mode = 'both', dryRun = false } = fields(params)
    if (typeof messageId !== 'string' || messageId === '')
      throw createInvalidParamsError('messageId must be that of a user message.')
    if (!WHAT.includes(mode)) throw createInvalidParamsError('mode must be files, conversation or both.')
    if (typeof dryRun !== 'boolean') throw createInvalidParamsError('dryRun must be true or false.')
    return { sessionId, message: messageId, what: mode as RewindRequest['what'], dryRun } // one of WHAT
  },
}

export const setServersParamsParser = {
  parse(params: unknown): { sessionId: string; mcpServers: McpServer[] } {
    const { sessionId, mcpServers } = fields(params)
    if (!Array.isArray(mcpServers) || !mcpServers.every(isMcpServer))
      throw createInvalidParamsError('mcpServers must be a list of servers, as in session/new.')
    return { sessionId, mcpServers }
  },
}
