/** The events that can happen in this version; hooks for others are never called. */
import type { HookEvent } from '../protocol/hooks.js'

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
  'TaskCreated',
  'TaskCompleted',
  'InstructionsLoaded',
  'CwdChanged',
  'FileChanged',
  'ConfigChange',
])
