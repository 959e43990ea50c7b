/** Raises an event: finds the hooks it concerns, asks them all at once, and sees to what each of them says for itself. */

import type { BaseHookInput, HookEvent, HookInput } from '../protocol/hooks.js'
import type { BackgroundTaskSummary, McpServerProvenance } from '../protocol/later/hook-facts.js'
import { truncateHookText } from './bounded.js'
import { type CallbackHookPorts, createCallbackHooks, type HookMatchers } from './callback-hooks.js'
import { type HookInputOf, hookEventTraits } from './event-traits.js'
import { type HookOutcome, syncHookOutputOf } from './hook-outcome.js'
import { withSharedAbortListener } from './listeners.js'
import { listAddedContext } from './merge-answers.js'
import { createOccurrence } from './occurrence.js'
import { createSettingsHooks, type SettingsHookPorts } from './settings-hooks.js'

export type HookEventRaiserPorts = CallbackHookPorts &
  Omit<SettingsHookPorts, 'onLate'> & {
    /** What every hook is told. */
    base(): BaseHookInput & { permission_mode: string }
    /** The server that a tool of this name is from. */
    serverOf(tool: string): McpServerProvenance | undefined
    /** What runs beside the conversation. */
    backgroundTasks(): BackgroundTaskSummary[]
    /** A hook names the session, or files to watch. */
    adopt(wish: HookSessionWish): void
    /** For the user: what a hook says with `systemMessage`, and what we have to say about hooks that go too far. */
    inform(text: string): void
  }

/** What a hook wants of the session, whichever event it answers. */
export type HookSessionWish = { title: string } | { watch: readonly string[] }

/** What an event is about: its input without what every hook is told. */
export type EventFields<E extends HookEvent> = Omit<HookInputOf<E>, keyof BaseHookInput | 'hook_event_name'>

/** Which hooks an event is for; all of them if not said. */
export type HookHandlerKind = 'callbacks' | 'settings'

export type RaiseEvent = ReturnType<typeof createEventRaiser>['raise']

/** Texts of hooks nobody waited for, kept until the model can be told. */
const MAX_LATE = 50

export function createEventRaiser(matchers: () => HookMatchers, ports: HookEventRaiserPorts) {
  let late: string[] = []
  const reported = new Set<string>()

  const hear = (outcome: HookOutcome) => {
    const output = syncHookOutputOf(outcome)
    if (output?.systemMessage) ports.inform(truncateHookText(output.systemMessage))
    const specific = output?.hookSpecificOutput
    if (specific && 'sessionTitle' in specific && specific.sessionTitle?.trim())
      ports.adopt({ title: specific.sessionTitle })
    if (specific && 'watchPaths' in specific && specific.watchPaths) ports.adopt({ watch: specific.watchPaths })
    for (const field of ('ignored' in outcome && outcome.ignored) || []) {
      const text = `Hook ${outcome.name} answered with ${field}, which has no effect here.`
      if (!reported.has(text)) ports.report(text)
      reported.add(text)
    }
    return outcome
  }
  const keep = (texts: readonly string[]) => {
    late = [...late, ...texts].slice(-MAX_LATE)
  }
  /** Fields that follow from others, or from the session. */
  const moreFields = (event: HookEvent, fields: object) => {
    const server = 'tool_name' in fields && typeof fields.tool_name === 'string' && ports.serverOf(fields.tool_name)
    const isEnd = event === 'Stop' || event === 'SubagentStop'
    return {
      ...(server ? { mcp_server: server } : {}),
      ...(isEnd ? { background_tasks: ports.backgroundTasks(), session_crons: [] } : {}),
    }
  }
  const callbacks = createCallbackHooks(matchers, ports)
  const fromSettings = createSettingsHooks({
    ...ports,
    onLate(outcome) {
      hear(outcome)
      const { systemMessage: message } = syncHookOutputOf(outcome) ?? {}
      keep([...(message ? [truncateHookText(message)] : []), ...listAddedContext([outcome])])
    },
  })
  const has = (event: HookEvent) => callbacks.has(event) || fromSettings.has(event)

  return {
    has,
    keep,
    async raise<E extends HookEvent>(
      event: E,
      fields: () => EventFields<E>,
      signal: AbortSignal,
      { toolUseId, only }: { toolUseId?: string; only?: HookHandlerKind } = {},
    ): Promise<HookOutcome[]> {
      if (!has(event)) return []
      const { permission_mode, effort, ...base } = ports.base()
      const mode = hookEventTraits(event).mode ? { permission_mode, ...(effort ? { effort } : {}) } : {}
      const about = fields()
      // The fields of an event, with what all events have, are its input.
      const input = {
        ...base,
        ...mode,
        hook_event_name: event,
        ...about,
        ...moreFields(event, about),
        // What is there is what the event's type has, whichever event it is.
      } as unknown as HookInput
      const outcomes = await withSharedAbortListener(signal, (onAbort) => {
        const event = { input, toolUseId: toolUseId ?? ports.uuid(), isLast: signal.aborted, onAbort }
        const occurrence = createOccurrence(event)
        return Promise.all([
          ...(only === 'callbacks' ? [] : fromSettings.run(occurrence)),
          ...(only === 'settings' ? [] : callbacks.run(occurrence)),
        ])
      })
      return outcomes.map(hear)
    },
    takeLate(): string[] {
      const texts = late
      late = []
      return texts
    },
    close: fromSettings.close,
  }
}
