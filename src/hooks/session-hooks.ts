/** The hooks of one session: a function for each event, which tells the hooks and merges what they say. */
import type { HookPort, ToolCall, ToolOutcome } from '../engine/ports.js'
import type { PermissionUpdate } from '../protocol/permission-types.js'
import type { HookMatchers } from './callback-hooks.js'
import type { HookOutcome } from './hook-outcome.js'
import {
  mergeBlock,
  mergeBlockOrStop,
  mergeCompact,
  mergeContext,
  mergeElicitation,
  mergePermissionRequest,
  mergePostTool,
  mergePreTool,
  mergePrompt,
  mergeStop,
  mergeWorktree,
} from './merge-answers.js'
import { createRaise, type Fields, type HookPorts, type Only } from './raise.js'
import { createStopGuard } from './stop-guard.js'

export type { HookMatchers } from './callback-hooks.js'
export type { CommandHook } from './command-hook.js'
export type { HookObservation } from './observation.js'
export type { HookPorts } from './raise.js'

/** In what hooks are told of a sub-agent's calls. */
type AgentFields = { agent_id?: string; agent_type?: string }

export type SessionHooks = ReturnType<typeof createSessionHooks>

export function createSessionHooks(matchers: () => HookMatchers, ports: HookPorts) {
  const { raise, has, keep, takeLate, close } = createRaise(matchers, ports)

  /** The hooks of a loop: the session's own, or that of a sub-agent, which stops with SubagentStop. */
  const forLoop = (
    stop: (active: boolean, lastText: string, signal: AbortSignal) => Promise<HookOutcome[]>,
    agent: AgentFields = {},
  ) => {
    const guard = createStopGuard(ports.inform)
    const port: HookPort = {
      async preTool(call, signal) {
        guard.working()
        return mergePreTool(
          await raise('PreToolUse', () => ({ ...toolFields(call), ...agent }), signal, { toolUseId: call.id }),
        )
      },
      async postTool(call, outcome, interrupted, signal) {
        const isMcpTool = call.name.startsWith('mcp__')
        return mergePostTool(await raisePostTool(call, agent, outcome, interrupted, signal), isMcpTool)
      },
      async postBatch(calls, signal) {
        const fields = () => ({
          ...agent,
          tool_calls: calls.map(({ call, output }) => ({ ...toolFields(call), tool_response: output })),
        })
        return mergePostTool(await raise('PostToolBatch', fields, signal))
      },
      async stop(active, lastText, signal) {
        return guard.check(mergeStop(await stop(active, lastText, signal)), active)
      },
    }
    return port
  }

  const raisePostTool = (
    call: ToolCall,
    agent: AgentFields,
    outcome: ToolOutcome,
    interrupted: boolean,
    signal: AbortSignal,
  ) =>
    outcome.ok
      ? raise('PostToolUse', () => ({ ...toolFields(call), ...agent, tool_response: outcome.output }), signal, {
          toolUseId: call.id,
        })
      : raise(
          'PostToolUseFailure',
          () => ({ ...toolFields(call), ...agent, error: outcome.error, is_interrupt: interrupted }),
          signal,
          { toolUseId: call.id },
        )

  const mainLoop = forLoop((active, lastText, signal) =>
    raise('Stop', () => ({ stop_hook_active: active, last_assistant_message: lastText }), signal),
  )

  return {
    ...mainLoop,
    has,
    /** What hooks said that nobody waited for, since the last call; for the model, with the next request. */
    takeLate,
    /** Ends the hooks nobody waits for. */
    close,

    async promptSubmit(prompt: string, signal: AbortSignal) {
      return mergePrompt(await raise('UserPromptSubmit', () => ({ prompt }), signal))
    },
    async permissionRequest(call: ToolCall, suggestions: PermissionUpdate[] | undefined, signal: AbortSignal) {
      const fields = () => ({
        tool_name: call.name,
        tool_input: call.input,
        ...(suggestions ? { permission_suggestions: suggestions } : {}),
      })
      return mergePermissionRequest(await raise('PermissionRequest', fields, signal, { toolUseId: call.id }))
    },
    async permissionDenied(call: ToolCall, reason: string, signal: AbortSignal) {
      await raise('PermissionDenied', () => ({ ...toolFields(call), reason }), signal, { toolUseId: call.id })
    },
    async sessionStart(source: Fields<'SessionStart'>['source'], model: string, signal: AbortSignal, only?: Only) {
      return mergeContext(await raise('SessionStart', () => ({ source, model }), signal, { only }), 'with printed')
    },
    async sessionEnd(reason: Fields<'SessionEnd'>['reason'], signal: AbortSignal) {
      await raise('SessionEnd', () => ({ reason }), signal)
    },
    async setup(trigger: Fields<'Setup'>['trigger'], signal: AbortSignal, only?: Only) {
      return mergeContext(await raise('Setup', () => ({ trigger }), signal, { only }))
    },
    async notification(message: string, type: string, signal: AbortSignal, title?: string) {
      const fields = () => ({ message, ...(title === undefined ? {} : { title }), notification_type: type })
      keep(mergeContext(await raise('Notification', fields, signal)))
    },
    async stopFailure(error: string, details: string, lastText: string, signal: AbortSignal) {
      const fields = () => ({ error, error_details: details, last_assistant_message: lastText })
      await raise('StopFailure', fields, signal)
    },
    /** The hooks of a sub-agent's loop. */
    forAgent(agent: { id: string; type: string; transcriptPath: string }) {
      const about = { agent_id: agent.id, agent_type: agent.type }
      const port = forLoop(
        (active, lastText, signal) =>
          raise(
            'SubagentStop',
            () => ({
              stop_hook_active: active,
              ...about,
              agent_transcript_path: agent.transcriptPath,
              last_assistant_message: lastText,
            }),
            signal,
          ),
        about,
      )
      /** Before its first request: what hooks add to its prompt. */
      const start = async (signal: AbortSignal) => mergeContext(await raise('SubagentStart', () => about, signal))
      return { ...port, start }
    },
    /** A block means: don't compact. */
    async preCompact(fields: Fields<'PreCompact'>, signal: AbortSignal) {
      return mergeCompact(await raise('PreCompact', () => fields, signal))
    },
    async postCompact(fields: Fields<'PostCompact'>, signal: AbortSignal) {
      await raise('PostCompact', () => fields, signal)
    },
    /** A block means: the change does not count. */
    async configChange(fields: Fields<'ConfigChange'>, signal: AbortSignal) {
      return mergeBlock(await raise('ConfigChange', () => fields, signal))
    },
    /** A block means: not idle yet, here is what is missing. */
    async teammateIdle(fields: Fields<'TeammateIdle'>, signal: AbortSignal) {
      return mergeBlockOrStop(await raise('TeammateIdle', () => fields, signal))
    },
    async taskCreated(fields: Fields<'TaskCreated'>, signal: AbortSignal) {
      return mergeBlockOrStop(await raise('TaskCreated', () => fields, signal))
    },
    /** A block means: not done yet, here is why. */
    async taskCompleted(fields: Fields<'TaskCompleted'>, signal: AbortSignal) {
      return mergeBlockOrStop(await raise('TaskCompleted', () => fields, signal))
    },
    /** Undefined: nobody answered in the user's place. */
    async elicitation(fields: Fields<'Elicitation'>, signal: AbortSignal) {
      return mergeElicitation(await raise('Elicitation', () => fields, signal))
    },
    /** Undefined: the answer stays as it is. */
    async elicitationResult(fields: Fields<'ElicitationResult'>, signal: AbortSignal) {
      return mergeElicitation(await raise('ElicitationResult', () => fields, signal))
    },
    async instructionsLoaded(fields: Fields<'InstructionsLoaded'>, signal: AbortSignal) {
      await raise('InstructionsLoaded', () => fields, signal)
    },
    async cwdChanged(fields: Fields<'CwdChanged'>, signal: AbortSignal) {
      await raise('CwdChanged', () => fields, signal)
    },
    async fileChanged(fields: Fields<'FileChanged'>, signal: AbortSignal) {
      await raise('FileChanged', () => fields, signal)
    },
    /** The path of the worktree that a hook made. */
    async worktreeCreate(name: string, signal: AbortSignal) {
      return mergeWorktree(await raise('WorktreeCreate', () => ({ name }), signal))
    },
    async worktreeRemove(path: string, signal: AbortSignal) {
      await raise('WorktreeRemove', () => ({ worktree_path: path }), signal)
    },
  }
}

function toolFields({ id, name, input }: ToolCall) {
  return { tool_name: name, tool_input: input, tool_use_id: id }
}
