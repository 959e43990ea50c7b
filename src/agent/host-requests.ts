/** What the agent asks of its host, each as one control request. */
import type { ParkAnswer, PermissionAnswer, PermissionRequest, SaveFailure } from '../engine/ports.js'
import type { SDKControlElicitationRequest } from '../protocol/control.js'
import type { McpQuestionOrigin } from '../protocol/mcp/mcp-paused-request.js'
import type { JSONRPCMessage, McpSignInAnswer, McpSignInRequest, McpTokenRequest } from '../protocol/mcp-servers.js'
import type { SummaryRequest } from '../protocol/options.js'
import { readPermissionAnswer } from '../runtime/permission/permission-answer.js'
import type { Peer } from '../transport/peer.js'

export type HostState = {
  /** The host has sent `initialize`. */
  isInitialized(): boolean
  /** It will say no more. */
  hasLeft(): boolean
  /** It may leave questions open. */
  parksAsks: boolean
}

export function createHostRequests(peer: Peer, { isInitialized, hasLeft, parksAsks }: HostState) {
  return {
    async askHost(
      { call, suggestions, blockedPath, decisionReason, warning, agentId, details }: PermissionRequest,
      cancel: AbortSignal,
    ): Promise<PermissionAnswer | ParkAnswer> {
      // A sub-agent is in the middle of a call: there is no place to continue from.
      const canPark = parksAsks && agentId === undefined
      const answer = await peer.request(
        {
          subtype: 'can_use_tool',
          tool_name: call.name,
          input: structuredClone(call.input),
          ...(suggestions ? { permission_suggestions: suggestions } : {}),
          ...(blockedPath ? { blocked_path: blockedPath } : {}),
          ...(decisionReason ? { decision_reason: decisionReason } : {}),
          ...(warning ? { description: warning } : {}),
          tool_use_id: call.id,
          ...(agentId ? { agent_id: agentId } : {}),
          ...(canPark ? { can_park: true } : {}),
          ...details,
        },
        cancel,
      )
      if (canPark && answer.behavior === 'park') return { behavior: 'park' }
      return readPermissionAnswer(answer, call.input)
    },

    async summarize(request: SummaryRequest, cancel: AbortSignal): Promise<string> {
      const { summary } = await peer.request({ subtype: 'summarize', ...request }, cancel)
      if (typeof summary !== 'string' || summary.trim() === '') throw new Error('summarize answered with no text')
      return summary
    },

    /** Resolves when the store of the host has every line, or with why it never will. */
    async syncStore(): Promise<SaveFailure | undefined> {
      const { state } = await peer.request({ subtype: 'session_sync' })
      if (state === 'saved') return undefined
      return state === 'taken_over' ? 'session_taken_over' : 'session_store_failed'
    },

    async sendMcp(server: string, message: JSONRPCMessage, cancel?: AbortSignal): Promise<unknown> {
      const answer = await peer.request({ subtype: 'mcp_message', server_name: server, message }, cancel)
      return answer['mcp_response']
    },

    /** Undefined: the host has none. */
    async giveMcpToken(asked: McpTokenRequest): Promise<string | undefined> {
      const { server, url, reason, scopes, resourceMetadataUrl } = asked
      const { access_token: token } = await peer.request({
        subtype: 'mcp_token',
        server_name: server,
        url,
        reason,
        ...(scopes === undefined ? {} : { scopes }),
        ...(resourceMetadataUrl === undefined ? {} : { resource_metadata_url: resourceMetadataUrl }),
      })
      return typeof token === 'string' && token !== '' ? token : undefined
    },

    async askMcpSignIn(asked: McpSignInRequest, cancel: AbortSignal): Promise<McpSignInAnswer> {
      const { server, url, step, address, code, canPaste, problem } = asked
      const answer = await peer.request(
        {
          subtype: 'mcp_sign_in',
          server_name: server,
          url,
          step,
          ...(address === undefined ? {} : { address }),
          ...(code === undefined ? {} : { code }),
          ...(canPaste ? { can_paste: true } : {}),
          ...(problem === undefined ? {} : { problem }),
        },
        cancel,
      )
      const { action, method, callback } = answer
      if (action === 'start') return { action, ...(method === 'device' ? { method } : {}) }
      if (action === 'finish' && typeof callback === 'string') return { action, callback }
      return { action: 'cancel' }
    },

    async elicit(
      request: Omit<SDKControlElicitationRequest, 'subtype'>,
      cancel: AbortSignal,
      origin?: McpQuestionOrigin,
    ): Promise<unknown> {
      // A host that never sent `initialize` can't answer: a command line that a user typed, for example.
      if (!isInitialized()) return undefined
      const { toolUseId, key, canPark } = origin ?? {}
      return peer.request(
        {
          subtype: 'elicitation',
          ...request,
          ...(toolUseId === undefined ? {} : { tool_use_id: toolUseId, question_key: key }),
          ...(canPark ? { can_park: true } : {}),
        },
        cancel,
      )
    },

    async callHook(callbackId: string, input: object, toolUseId: string, cancel: AbortSignal) {
      if (hasLeft()) throw new Error('Stream closed')
      const request = { subtype: 'hook_callback', callback_id: callbackId, input, tool_use_id: toolUseId }
      return peer.request(request, cancel)
    },
  }
}
