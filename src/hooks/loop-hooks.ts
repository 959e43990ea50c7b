/** The hooks around one loop, the session's own or that of a sub-agent: before and after its tools, and when it wants to stop. */
import type { EngineCall, HookPort, PreToolVerdict, ToolOutcome } from '../engine/ports.js'
import { toolTraits } from '../protocol/tool-names.js'
import type { HookOutcome } from './hook-outcome.js'
import { mergePostTool, mergePreTool, mergeStop } from './merge-answers.js'
import type { HookEventRaiserPorts, RaiseEvent } from './raise.js'
import { createStopLoopGuard } from './stop-guard.js'

/** What hooks are told with each call of a sub-agent. */
export type SubagentHookFields = { agent_id?: string; agent_type?: string }

export type LoopHookPorts = {
  raise: RaiseEvent
  inform: HookEventRaiserPorts['inform']
  /** Tells Stop, or SubagentStop, to its hooks. */
  stop(active: boolean, lastText: string, signal: AbortSignal): Promise<HookOutcome[]>
  agent?: SubagentHookFields
}

export function createLoopHooks({ raise, inform, stop, agent = {} }: LoopHookPorts): HookPort {
  const guard = createStopLoopGuard(inform)
  return {
    async preTool(call, signal) {
      guard.working()
      const verdict = mergePreTool(
        await raise('PreToolUse', () => ({ ...toolHookInputFields(call), ...agent }), signal, { toolUseId: call.id }),
      )
      return agent.agent_id === undefined ? verdict : askInsteadOfDeferring(verdict)
    },
    async postTool(call, outcome, interrupted, signal, durationMs) {
      const isMcpTool = call.name.startsWith('mcp__')
      const outcomes = await raisePostTool(raise, { call, agent, outcome, interrupted, durationMs }, signal)
      return mergePostTool(outcomes, { isMcpTool, about: nameOf(call) })
    },
    async postBatch(calls, signal) {
      const fields = () => ({
        ...agent,
        tool_calls: calls.map(({ call, output }) => ({ ...toolHookInputFields(call), tool_response: output })),
      })
      return mergePostTool(await raise('PostToolBatch', fields, signal))
    },
    async stop(active, lastText, signal) {
      return guard.check(mergeStop(await stop(active, lastText, signal)), active)
    },
  }
}

/** Names the call, to tell it from the others in one message. */
function nameOf({ name, input }: EngineCall): string {
  const { field } = toolTraits(name)
  const value = field === undefined ? undefined : input[field]
  return typeof value === 'string' ? `${name} ${value.split('\n', 1)[0]?.slice(0, MAX_ABOUT)}` : name
}

const MAX_ABOUT = 100

/** The turn of a sub-agent is in the middle of another one, which can't be left there. */
function askInsteadOfDeferring(verdict: PreToolVerdict): PreToolVerdict {
  if (verdict.decision !== 'defer') return verdict
  return {
    ...verdict,
    decision: 'ask',
    reason: verdict.reason ?? "A hook deferred this call, and sub-agents can't wait.",
  }
}

type FinishedCall = {
  call: EngineCall
  agent: SubagentHookFields
  outcome: ToolOutcome
  interrupted: boolean
  durationMs: number | undefined
}

function raisePostTool(
  raise: RaiseEvent,
  { call, agent, outcome, interrupted, durationMs }: FinishedCall,
  signal: AbortSignal,
) {
  const took = durationMs === undefined ? {} : { duration_ms: Math.round(durationMs) }
  const about = () => ({ ...toolHookInputFields(call), ...agent, ...took })
  const options = { toolUseId: call.id }
  return outcome.ok
    ? raise('PostToolUse', () => ({ ...about(), tool_response: outcome.output }), signal, options)
    : raise(
        'PostToolUseFailure',
        () => ({ ...about(), error: outcome.error, is_interrupt: interrupted }),
        signal,
        options,
      )
}

export function toolHookInputFields({ id, name, input }: EngineCall) {
  return { tool_name: name, tool_input: input, tool_use_id: id }
}
