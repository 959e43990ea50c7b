/** The hooks of one session: finds the callbacks an event concerns, asks them all at once, merges what they say. */
import type { HookPort, ToolCall, ToolOutcome } from '../engine/ports.js'
import type { SDKHookCallbackMatcher } from '../protocol/control.js'
import type { BaseHookInput, ExitReason, HookEvent, HookInput, SessionStartHookInput } from '../protocol/hooks.js'
import type { PermissionUpdate } from '../protocol/permissions.js'
import { checkOutput } from './check-output.js'
import { matches } from './match.js'
import {
  bounded,
  type HookOutcome,
  mergeContext,
  mergePermissionRequest,
  mergePostTool,
  mergePreTool,
  mergePrompt,
  mergeStop,
} from './merge.js'

export type HookMatchers = Partial<Record<HookEvent, SDKHookCallbackMatcher[]>>

export type HookPorts = {
  /** Calls the host; rejects when the callback threw, the connection is gone or `signal` aborted. */
  invoke(callbackId: string, input: HookInput, toolUseId: string, signal: AbortSignal): Promise<unknown>
  after(ms: number, callback: () => void): () => void
  uuid(): string
  /** What every hook is told. */
  base(): BaseHookInput & { permission_mode: string }
  /** For people: a hook failed. */
  report(text: string): void
}

/** The events that can happen in this version; hooks for others are never called. */
export const RAISED_EVENTS: ReadonlySet<string> = new Set<HookEvent>([
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'PermissionRequest',
  'PermissionDenied',
  'Notification',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'Setup',
  'Stop',
  'StopFailure',
])

/** A hook without its own limit may take this long, in seconds. */
const DEFAULT_TIMEOUT = 60

export type SessionHooks = ReturnType<typeof createSessionHooks>

export function createSessionHooks(matchers: () => HookMatchers, ports: HookPorts) {
  const run = async (
    input: HookInput,
    subject: string | undefined,
    toolUseId: string,
    signal: AbortSignal,
  ): Promise<HookOutcome[]> => {
    const wanted = (matchers()[input.hook_event_name] ?? []).filter(({ matcher }) => matches(matcher, subject))
    const calls = wanted.flatMap(({ hookCallbackIds, timeout }) => hookCallbackIds.map((id) => ({ id, timeout })))
    return Promise.all(calls.map(({ id, timeout }) => invokeOne(id, timeout, input, toolUseId, signal)))
  }

  const invokeOne = async (
    id: string,
    timeout: number | undefined,
    input: HookInput,
    toolUseId: string,
    signal: AbortSignal,
  ): Promise<HookOutcome> => {
    // After an abort a hook may still be told, but not hold the end up.
    const limit = signal.aborted ? Math.min(timeout ?? 1, 1) : (timeout ?? DEFAULT_TIMEOUT)
    const cancel = new AbortController()
    let late = false
    const stop = ports.after(limit * 1000, () => {
      late = true
      cancel.abort()
    })
    const follow = () => cancel.abort()
    signal.addEventListener('abort', follow, { once: true })
    try {
      const output = await ports.invoke(id, input, toolUseId, cancel.signal)
      const checked = checkOutput(output, input.hook_event_name)
      return checked.ok ? { name: id, output: checked.output } : fail(id, checked.problem)
    } catch (error) {
      if (late) return fail(id, `it took longer than ${limit} s`)
      // Cancelled from outside: nothing went wrong with the hook.
      if (cancel.signal.aborted) return { name: id, failure: 'cancelled' }
      return fail(id, error instanceof Error ? error.message : String(error))
    } finally {
      stop()
      signal.removeEventListener('abort', follow)
    }
  }

  const fail = (id: string, reason: string): HookOutcome => {
    const failure = bounded(reason)
    ports.report(`Error in hook callback ${id}: ${failure}`)
    return { name: id, failure }
  }

  const withMode = () => ports.base()
  const withoutMode = (): BaseHookInput => {
    const { permission_mode: _, ...base } = ports.base()
    return base
  }

  const toolPort: HookPort = {
    async preTool(call, signal) {
      return mergePreTool(
        await run({ ...withMode(), hook_event_name: 'PreToolUse', ...toolFields(call) }, call.name, call.id, signal),
      )
    },
    async postTool(call, outcome, interrupted, signal) {
      return mergePostTool(await run(postToolInput(withMode(), call, outcome, interrupted), call.name, call.id, signal))
    },
    async postBatch(calls, signal) {
      const toolCalls = calls.map(({ call, output }) => ({ ...toolFields(call), tool_response: output }))
      await run(
        { ...withMode(), hook_event_name: 'PostToolBatch', tool_calls: toolCalls },
        undefined,
        ports.uuid(),
        signal,
      )
    },
    async stop(active, lastText, signal) {
      const input = {
        ...withMode(),
        hook_event_name: 'Stop',
        stop_hook_active: active,
        last_assistant_message: lastText,
      } as const
      return mergeStop(await run(input, undefined, ports.uuid(), signal))
    },
  }

  return {
    ...toolPort,
    has: (event: HookEvent) => (matchers()[event]?.length ?? 0) > 0,

    async promptSubmit(prompt: string, signal: AbortSignal) {
      return mergePrompt(
        await run({ ...withMode(), hook_event_name: 'UserPromptSubmit', prompt }, undefined, ports.uuid(), signal),
      )
    },
    async permissionRequest(call: ToolCall, suggestions: PermissionUpdate[] | undefined, signal: AbortSignal) {
      const input = {
        ...withMode(),
        hook_event_name: 'PermissionRequest',
        tool_name: call.name,
        tool_input: call.input,
        ...(suggestions ? { permission_suggestions: suggestions } : {}),
      } as const
      return mergePermissionRequest(await run(input, call.name, call.id, signal))
    },
    async permissionDenied(call: ToolCall, reason: string, signal: AbortSignal) {
      const input = { ...withMode(), hook_event_name: 'PermissionDenied', ...toolFields(call), reason } as const
      await run(input, call.name, call.id, signal)
    },
    async sessionStart(source: SessionStartHookInput['source'], model: string, signal: AbortSignal) {
      const input = { ...withoutMode(), hook_event_name: 'SessionStart', source, model } as const
      return mergeContext(await run(input, source, ports.uuid(), signal))
    },
    async sessionEnd(reason: ExitReason, signal: AbortSignal) {
      await run({ ...withoutMode(), hook_event_name: 'SessionEnd', reason }, reason, ports.uuid(), signal)
    },
    async setup(trigger: 'init' | 'maintenance', signal: AbortSignal) {
      const input = { ...withoutMode(), hook_event_name: 'Setup', trigger } as const
      return mergeContext(await run(input, trigger, ports.uuid(), signal))
    },
    async notification(message: string, type: string, signal: AbortSignal) {
      const input = { ...withoutMode(), hook_event_name: 'Notification', message, notification_type: type } as const
      await run(input, type, ports.uuid(), signal)
    },
    async stopFailure(error: string, details: string, lastText: string, signal: AbortSignal) {
      const input = {
        ...withMode(),
        hook_event_name: 'StopFailure',
        error,
        error_details: details,
        last_assistant_message: lastText,
      } as const
      await run(input, error, ports.uuid(), signal)
    },
  }
}

function toolFields(call: ToolCall) {
  // A copy: a hook that edits what it is told must say so in its answer.
  return { tool_name: call.name, tool_input: structuredClone(call.input), tool_use_id: call.id }
}

function postToolInput(base: BaseHookInput, call: ToolCall, outcome: ToolOutcome, interrupted: boolean): HookInput {
  return outcome.ok
    ? {
        ...base,
        hook_event_name: 'PostToolUse',
        tool_name: call.name,
        tool_input: call.input,
        tool_response: outcome.output,
        tool_use_id: call.id,
      }
    : {
        ...base,
        hook_event_name: 'PostToolUseFailure',
        ...toolFields(call),
        error: outcome.error,
        is_interrupt: interrupted,
      }
}
