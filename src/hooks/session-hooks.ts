/** The hooks of one session: an event is raised, the hooks it concerns are asked all at once, what they say is merged. */
import type { HookPort, ToolCall, ToolOutcome } from '../engine/ports.js'
import type { BaseHookInput, HookEvent, HookInput } from '../protocol/hooks.js'
import type { PermissionUpdate } from '../protocol/permissions.js'
import { bounded } from './bounded.js'
import { type CallbackHookPorts, createCallbackHooks, type HookMatchers } from './callback-hooks.js'
import { type CommandHookPorts, createCommandHooks } from './command-hooks.js'
import { type InputOf, traitsOf } from './events.js'
import {
  answerOf,
  type HookOutcome,
  mergeBlock,
  mergeCompact,
  mergeContext,
  mergeElicitation,
  mergePermissionRequest,
  mergePostTool,
  mergePreTool,
  mergePrompt,
  mergeStop,
  mergeWorktree,
} from './merge.js'
import { createOccurrence } from './occurrence.js'
import { createStopGuard } from './stop-guard.js'

export type { HookMatchers } from './callback-hooks.js'
export type { CommandHook } from './command-hook.js'
export type { HookObservation } from './observation.js'

export type HookPorts = CallbackHookPorts &
  Omit<CommandHookPorts, 'onLate'> & {
    /** What every hook is told. */
    base(): BaseHookInput & { permission_mode: string }
    /** For the user: what a hook says with `systemMessage`, and what we have to say about hooks that go too far. */
    inform(text: string): void
  }

/** What an event is about: its input without what every hook is told. */
export type Fields<E extends HookEvent> = Omit<InputOf<E>, keyof BaseHookInput | 'hook_event_name'>

/** Which hooks an event is for; all of them if not said. */
export type Only = 'callbacks' | 'commands'

export type SessionHooks = ReturnType<typeof createSessionHooks>

/** Texts of hooks nobody waited for, kept until the model can be told. */
const MAX_LATE = 50

export function createSessionHooks(matchers: () => HookMatchers, ports: HookPorts) {
  let late: string[] = []
  const ignoredKnown = new Set<string>()

  const hear = (outcome: HookOutcome) => {
    const message = answerOf(outcome)?.systemMessage
    if (message) ports.inform(bounded(message))
    for (const field of ('ignored' in outcome && outcome.ignored) || []) {
      const text = `Hook ${outcome.name} answered with ${field}, which has no effect here.`
      if (!ignoredKnown.has(text)) ports.report(text)
      ignoredKnown.add(text)
    }
    return outcome
  }
  const callbacks = createCallbackHooks(matchers, ports)
  const commands = createCommandHooks({
    ...ports,
    onLate(outcome) {
      hear(outcome)
      const message = answerOf(outcome)?.systemMessage
      late.push(...(message ? [bounded(message)] : []), ...mergeContext([outcome]))
      late = late.slice(-MAX_LATE)
    },
  })
  const has = (event: HookEvent) => callbacks.has(event) || commands.has(event)

  const raise = async <E extends HookEvent>(
    event: E,
    fields: () => Fields<E>,
    signal: AbortSignal,
    { toolUseId = ports.uuid(), only }: { toolUseId?: string; only?: Only } = {},
  ): Promise<HookOutcome[]> => {
    if (!has(event)) return []
    const { permission_mode, ...base } = ports.base()
    // The fields of this event, with what all events have, are its input.
    const input = {
      ...base,
      ...(traitsOf(event).mode ? { permission_mode } : {}),
      hook_event_name: event,
      ...fields(),
    } as unknown as HookInput
    const occurrence = createOccurrence(input, toolUseId, signal)
    const running = [
      ...(only === 'callbacks' ? [] : commands.run(occurrence)),
      ...(only === 'commands' ? [] : callbacks.run(occurrence)),
    ]
    return (await Promise.all(running)).map(hear)
  }

  /** The hooks of a loop: the session's own, or that of a sub-agent, which stops with SubagentStop. */
  const forLoop = (stop: (active: boolean, lastText: string, signal: AbortSignal) => Promise<HookOutcome[]>) => {
    const guard = createStopGuard(ports.inform)
    const port: HookPort = {
      async preTool(call, signal) {
        guard.working()
        return mergePreTool(await raise('PreToolUse', () => toolFields(call), signal, { toolUseId: call.id }))
      },
      async postTool(call, outcome, interrupted, signal) {
        const isMcpTool = call.name.startsWith('mcp__')
        return mergePostTool(await raisePostTool(call, outcome, interrupted, signal), isMcpTool)
      },
      async postBatch(calls, signal) {
        const fields = () => ({
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

  const raisePostTool = (call: ToolCall, outcome: ToolOutcome, interrupted: boolean, signal: AbortSignal) =>
    outcome.ok
      ? raise('PostToolUse', () => ({ ...toolFields(call), tool_response: outcome.output }), signal, {
          toolUseId: call.id,
        })
      : raise(
          'PostToolUseFailure',
          () => ({ ...toolFields(call), error: outcome.error, is_interrupt: interrupted }),
          signal,
          { toolUseId: call.id },
        )

  const mainLoop = forLoop((active, lastText, signal) =>
    raise('Stop', () => ({ stop_hook_active: active, last_assistant_message: lastText }), signal),
  )

  return {
    ...mainLoop,
    has,
    /** What hooks nobody waited for had to say since the last call; for the model, with the next request. */
    takeLate(): string[] {
      const texts = late
      late = []
      return texts
    },
    /** Ends the hooks nobody waits for. */
    close: commands.close,

    async promptSubmit(prompt: string, signal: AbortSignal) {
      return mergePrompt(await raise('UserPromptSubmit', () => ({ prompt }), signal))
    },
    async permissionRequest(call: ToolCall, suggestions: PermissionUpdate[] | undefined, signal: AbortSignal) {
      const fields = () => ({
        tool_name: call.name,
        tool_input: structuredClone(call.input),
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
      await raise('Notification', fields, signal)
    },
    async stopFailure(error: string, details: string, lastText: string, signal: AbortSignal) {
      const fields = () => ({ error, error_details: details, last_assistant_message: lastText })
      await raise('StopFailure', fields, signal)
    },
    /** The hooks of a sub-agent's loop. */
    forAgent(agent: { id: string; type: string; transcriptPath: string }) {
      const about = { agent_id: agent.id, agent_type: agent.type }
      const port = forLoop((active, lastText, signal) =>
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
      return mergeBlock(await raise('TeammateIdle', () => fields, signal))
    },
    async taskCreated(fields: Fields<'TaskCreated'>, signal: AbortSignal) {
      return mergeBlock(await raise('TaskCreated', () => fields, signal))
    },
    /** A block means: not done yet, here is why. */
    async taskCompleted(fields: Fields<'TaskCompleted'>, signal: AbortSignal) {
      return mergeBlock(await raise('TaskCompleted', () => fields, signal))
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

function toolFields(call: ToolCall) {
  // A copy: a hook that edits what it is told must say so in its answer.
  return { tool_name: call.name, tool_input: structuredClone(call.input), tool_use_id: call.id }
}
