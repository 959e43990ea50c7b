/** The methods of a query that are control requests, one line each. */

import type {
  RewindFilesResult,
  SDKControlGetContextUsageResponse,
  SDKControlInitializeResponse,
  SDKControlInterruptResponse,
  SDKControlMcpAppCallResponse,
  SDKControlMcpReadResourceResponse,
  SDKControlReadFileResponse,
} from '../../protocol/control.js'
import type { SDKControlGetUsageResponse } from '../../protocol/later/later-types.js'
import type { McpCompletion } from '../../protocol/mcp/mcp-completion.js'
import type { McpServerStatus, McpSetServersResult } from '../../protocol/mcp-servers.js'
import { checkMcpServersOption, withoutServerInstances } from '../../protocol/option-table/sdk-servers.js'
import type { Query } from '../../protocol/query.js'
import type {
  SDKControlReloadOutputStylesResponse,
  SDKControlReloadPluginsResponse,
  SDKControlReloadResponse,
  SDKControlReloadSkillsResponse,
  SDKControlSideQuestionResponse,
} from '../../protocol/requests/session-answers.js'
import type { Peer } from '../../transport/peer.js'
import type { HostServers } from '../mcp/host-servers.js'
import type { AgentOutputReader } from './agent-output.js'

type ControlMethod =
  | 'interrupt'
  | 'yieldTurn'
  | 'setPermissionMode'
  | 'setModel'
  | 'setMaxThinkingTokens'
  | 'applyFlagSettings'
  | 'initializationResult'
  | 'supportedCommands'
  | 'supportedModels'
  | 'supportedAgents'
  | 'accountInfo'
  | 'getContextUsage'
  | 'mcpServerStatus'
  | 'reconnectMcpServer'
  | 'toggleMcpServer'
  | 'setMcpPermissionModeOverride'
  | 'setMcpServers'
  | 'readMcpResource'
  | 'callMcpAppTool'
  | 'completeMcpArgument'
  | 'seedReadState'
  | 'rewindFiles'
  | 'readFile'
  | 'stopTask'
  | 'backgroundTasks'
  | 'ask'
  | 'reload'
  | 'reloadPlugins'
  | 'reloadSkills'
  | 'reloadOutputStyles'
  | 'updateSettings'
  | 'reinitialize'
  | 'usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET'

export function controlMethods(
  peer: Pick<Peer, 'request'>,
  initialized: Promise<SDKControlInitializeResponse>,
  mcp: Pick<HostServers, 'add' | 'remove'>,
  output: Pick<AgentOutputReader, 'commands'>,
  reinitialize: Query['reinitialize'],
): Pick<Query, ControlMethod> {
  const ask = async <T>(request: { subtype: string; [key: string]: unknown }): Promise<T> => {
    const body: unknown = await peer.request(request)
    // Each answer has the shape the protocol gives it; an agent that breaks it breaks its own users.
    return body as T
  }
  const tell = async (request: { subtype: string; [key: string]: unknown }): Promise<void> => {
    await peer.request(request)
  }
  return {
    async interrupt(options) {
      const { scope } = options ?? {}
      const { still_queued: left } = await ask<Partial<SDKControlInterruptResponse>>({
        subtype: 'interrupt',
        ...(scope ? { scope } : {}),
      })
      // An older agent doesn't say.
      return left ? { still_queued: left } : undefined
    },
    yieldTurn: async () => (await ask<{ yielded?: boolean }>({ subtype: 'yield_turn' })).yielded === true,
    setPermissionMode: (mode) => tell({ subtype: 'set_permission_mode', mode }),
    setModel: (model) => tell({ subtype: 'set_model', ...(model === undefined ? {} : { model }) }),
    async setMaxThinkingTokens(tokens) {
      // As JSON these would be `null`, which means something else.
      if (tokens !== null && !Number.isFinite(tokens)) throw new Error('max_thinking_tokens must be a number or null')
      await tell({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: tokens })
    },
    applyFlagSettings: (settings) => tell({ subtype: 'apply_flag_settings', settings }),
    initializationResult: () => initialized,
    supportedCommands: async () => output.commands ?? (await initialized).commands,
    supportedModels: async () => (await initialized).models,
    supportedAgents: async () => (await initialized).agents ?? [],
    accountInfo: async () => (await initialized).account,
    getContextUsage: () => ask<SDKControlGetContextUsageResponse>({ subtype: 'get_context_usage' }),
    mcpServerStatus: async () => (await ask<{ mcpServers: McpServerStatus[] }>({ subtype: 'mcp_status' })).mcpServers,
    reconnectMcpServer: (serverName) => tell({ subtype: 'mcp_reconnect', serverName }),
    toggleMcpServer: (serverName, enabled) => tell({ subtype: 'mcp_toggle', serverName, enabled }),
    setMcpPermissionModeOverride: (serverName, mode) =>
      ask<{ warning?: string }>({ subtype: 'mcp_set_permission_mode_override', serverName, mode }),
    async setMcpServers(servers, { replaceAll = false } = {}) {
      checkMcpServersOption({ mcpServers: servers })
      // The agent may shake hands with a server before it answers.
      const added = mcp.add(servers)
      try {
        const result = await ask<McpSetServersResult>({
          subtype: 'mcp_set_servers',
          servers: withoutServerInstances(servers),
          ...(replaceAll ? { replaceAll } : {}),
        })
        added.keep()
        // For an agent nothing changed where another server object took over a name.
        const unseen = added.replaced.filter((name) => !(result.added ?? []).includes(name))
        await Promise.all(unseen.map((serverName) => tell({ subtype: 'mcp_reconnect', serverName }).catch(() => {})))
        mcp.remove((result.removed ?? []).filter((name) => !(name in servers)))
        return result
      } catch (error) {
        added.undo()
        throw error
      }
    },
    readMcpResource: (serverName, uri) =>
      ask<SDKControlMcpReadResourceResponse>({ subtype: 'mcp_read_resource', serverName, uri }),
    completeMcpArgument: (serverName, target) => ask<McpCompletion>({ subtype: 'mcp_complete', serverName, target }),
    callMcpAppTool: (serverName, toolName, args) =>
      ask<SDKControlMcpAppCallResponse>({ subtype: 'mcp_app_call', serverName, toolName, arguments: args }),
    seedReadState: (path, mtime) => tell({ subtype: 'seed_read_state', path, mtime }),
    rewindFiles: (userMessageId, options) =>
      ask<RewindFilesResult>({
        subtype: 'rewind_files',
        user_message_id: userMessageId,
        ...(options?.dryRun === undefined ? {} : { dry_run: options.dryRun }),
        ...(options?.force === undefined ? {} : { force: options.force }),
      }),
    readFile: (path, options = {}) =>
      ask<SDKControlReadFileResponse>({
        subtype: 'read_file',
        path,
        ...(options.maxBytes === undefined ? {} : { max_bytes: options.maxBytes }),
        ...(options.encoding === undefined ? {} : { encoding: options.encoding }),
      }),
    stopTask: (taskId) => tell({ subtype: 'stop_task', task_id: taskId }),
    backgroundTasks: async (toolUseId) =>
      (
        await ask<{ moved?: boolean }>({
          subtype: 'background_tasks',
          ...(toolUseId ? { tool_use_id: toolUseId } : {}),
        })
      ).moved === true,
    ...reloadMethods(ask, tell),
    ask: (question) => ask<SDKControlSideQuestionResponse>({ subtype: 'side_question', question }),
    reinitialize,
    usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET: (options) =>
      ask<SDKControlGetUsageResponse>({
        subtype: 'get_usage',
        ...(options?.skipBehaviors === undefined ? {} : { skip_behaviors: options.skipBehaviors }),
      }),
  }
}

type Ask = <T>(request: { subtype: string; [key: string]: unknown }) => Promise<T>
type Tell = (request: { subtype: string; [key: string]: unknown }) => Promise<void>

/** What reads files anew while the session runs. */
function reloadMethods(
  ask: Ask,
  tell: Tell,
): Pick<Query, 'reload' | 'reloadPlugins' | 'reloadSkills' | 'reloadOutputStyles' | 'updateSettings'> {
  return {
    reload: (parts) => ask<SDKControlReloadResponse>({ subtype: 'reload', ...(parts ? { parts } : {}) }),
    reloadPlugins: ({ holdOnCacheImpact, addPlugins, refuseIfBusy } = {}) =>
      ask<SDKControlReloadPluginsResponse>({
        subtype: 'reload_plugins',
        ...(holdOnCacheImpact === undefined ? {} : { hold_on_cache_impact: holdOnCacheImpact }),
        ...(addPlugins === undefined ? {} : { add_plugins: addPlugins }),
        ...(refuseIfBusy === undefined ? {} : { refuse_if_busy: refuseIfBusy }),
      }),
    reloadSkills: () => ask<SDKControlReloadSkillsResponse>({ subtype: 'reload_skills' }),
    reloadOutputStyles: () => ask<SDKControlReloadOutputStylesResponse>({ subtype: 'reload_output_styles' }),
    updateSettings: (source, settings) => tell({ subtype: 'update_settings', source, settings }),
  }
}
