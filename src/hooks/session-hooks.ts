/** The hooks of one session: a function for each event, which tells the hooks and merges what they say. */
import type { EngineCall } from '../engine/ports.js'
import type { HookEvent } from '../protocol/hooks.js'
import type { PermissionUpdate } from '../protocol/permission-types.js'
import type { HookMatchers } from './callback-hooks.js'
import { createHooksOutsideLoop } from './hooks-outside-loop.js'
import { createLoopHooks, toolHookInputFields } from './loop-hooks.js'
import {
  listAddedContext,
  listInitialMessages,
  mergeOutputs,
  mergePermissionRequest,
  mergePrompt,
} from './merge-answers.js'
import {
  createEventRaiser,
  type EventFields,
  type HookEventRaiserPorts,
  type HookHandlerKind,
  type RaiseEvent,
} from './raise.js'

import type { SettingsHook } from './settings-hook.js'

export type { HookMatchers } from './callback-hooks.js'
export type { HookObservation } from './observation.js'
export type { HookEventRaiserPorts } from './raise.js'
export type { ServiceAnswer } from './run-service-hook.js'
export type { ServiceHook, SettingsHook } from './settings-hook.js'

export type SessionHooks = ReturnType<typeof createSessionHooks>

export function createSessionHooks(matchers: () => HookMatchers, ports: HookEventRaiserPorts) {
  const lent = new Set<SettingsHook>()
  const settingsHooks = () => (lent.size === 0 ? ports.settingsHooks() : [...ports.settingsHooks(), ...lent])
  const { raise, has, keep, takeLate, close } = createEventRaiser(matchers, { ...ports, settingsHooks })
  const mainLoop = createLoopHooks({
    raise,
    inform: ports.inform,
    stop: (active, lastText, signal) =>
      raise('Stop', () => ({ stop_hook_active: active, last_assistant_message: lastText }), signal),
  })

  return {
    ...mainLoop,
    ...createHooksOutsideLoop(raise),
    has,
    /** Hooks for a while, of the command or skill in use. Returns what takes them back. */
    lend(hooks: readonly SettingsHook[]): () => void {
      for (const hook of hooks) lent.add(hook)
      return () => {
        for (const hook of hooks) lent.delete(hook)
      }
    },
    /** What the hooks of an event have to say that is merged elsewhere. */
    async said<E extends HookEvent>(event: E, fields: () => EventFields<E>, signal: AbortSignal) {
      return mergeOutputs(await raise(event, fields, signal))
    },
    /** What hooks said that nobody waited for, since the last call; for the model, with the next request. */
    takeLate,
    /** Ends the hooks nobody waits for. */
    close,
    /** The hooks of a sub-agent's loop. */
    forAgent: (agent: HookedAgent) => createAgentHooks(raise, ports.inform, agent),

    async promptSubmit(prompt: string, signal: AbortSignal) {
      return mergePrompt(await raise('UserPromptSubmit', () => ({ prompt }), signal))
    },
    /** Before a command, a skill, or a prompt of a server becomes a prompt. */
    async promptExpansion(fields: EventFields<'UserPromptExpansion'>, signal: AbortSignal) {
      return mergePrompt(await raise('UserPromptExpansion', () => fields, signal))
    },
    async permissionRequest(call: EngineCall, suggestions: PermissionUpdate[] | undefined, signal: AbortSignal) {
      const fields = () => ({
        tool_name: call.name,
        tool_input: call.input,
        ...(suggestions ? { permission_suggestions: suggestions } : {}),
      })
      return mergePermissionRequest(await raise('PermissionRequest', fields, signal, { toolUseId: call.id }))
    },
    async permissionDenied(call: EngineCall, reason: string, signal: AbortSignal) {
      await raise('PermissionDenied', () => ({ ...toolHookInputFields(call), reason }), signal, { toolUseId: call.id })
    },
    async sessionStart(
      source: EventFields<'SessionStart'>['source'],
      model: string,
      signal: AbortSignal,
      only?: HookHandlerKind,
    ) {
      const outcomes = await raise('SessionStart', () => ({ source, model }), signal, { only })
      return { context: listAddedContext(outcomes, 'with printed'), said: listInitialMessages(outcomes) }
    },
    async sessionEnd(reason: EventFields<'SessionEnd'>['reason'], signal: AbortSignal) {
      await raise('SessionEnd', () => ({ reason }), signal)
    },
    async setup(trigger: EventFields<'Setup'>['trigger'], signal: AbortSignal, only?: HookHandlerKind) {
      return listAddedContext(await raise('Setup', () => ({ trigger }), signal, { only }))
    },
    async notification(message: string, type: string, signal: AbortSignal, title?: string) {
      const fields = () => ({ message, ...(title === undefined ? {} : { title }), notification_type: type })
      keep(listAddedContext(await raise('Notification', fields, signal)))
    },
    async stopFailure(error: string, details: string, lastText: string, signal: AbortSignal) {
      const fields = () => ({ error, error_details: details, last_assistant_message: lastText })
      await raise('StopFailure', fields, signal)
    },
  }
}

type HookedAgent = { id: string; type: string; transcriptPath: string }

function createAgentHooks(raise: RaiseEvent, inform: HookEventRaiserPorts['inform'], agent: HookedAgent) {
  const about = { agent_id: agent.id, agent_type: agent.type }
  const port = createLoopHooks({
    raise,
    inform,
    agent: about,
    stop: (active, lastText, signal) =>
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
  })
  /** Before its first request: what hooks add to its prompt. */
  const start = async (signal: AbortSignal) => listAddedContext(await raise('SubagentStart', () => about, signal))
  return { ...port, start }
}
