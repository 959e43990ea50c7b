/** The events that can happen in this version; hooks for others are never called. */
import type { HookEvent } from '../../protocol/hooks.js'

const RAISED_EVENTS: ReadonlySet<string> = new Set<HookEvent>([
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'PermissionRequest',
  'PermissionDenied',
  'Notification',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'SessionStart',
  'SessionEnd',
  'Setup',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'StopFailure',
  'PreCompact',
  'PostCompact',
  'PreModelSwitch',
  'PostModelSwitch',
  'TaskCreated',
  'TaskCompleted',
  'TeammateIdle',
  'Elicitation',
  'ElicitationResult',
  'InstructionsLoaded',
  'CwdChanged',
  'DirectoryAdded',
  'MessageDisplay',
  'FileChanged',
  'ConfigChange',
  'ModelRequest',
  'ModelRetry',
])

/** A hook that is never called must not look like one that is. */
export function warnOfUncalledHooks(
  events: readonly string[],
  { teams }: { teams: boolean },
  stderr: (text: string) => void,
): void {
  const isRaised = (event: string) => RAISED_EVENTS.has(event) || (teams && event === 'TeammateIdle')
  const silent = [...new Set(events)].filter((event) => !isRaised(event))
  if (silent.length > 0) stderr(`Warning: hooks that this version of Kedge never calls: ${silent.join(', ')}\n`)
}
