/** Permission modes: when a session can enter them, and what a session in delegate mode still does itself. */
import { isPermissionMode, unknownModeText } from '../protocol/permission-modes.js'
import type { PermissionMode } from '../protocol/permission-types.js'
import { wordList } from './word-list.js'

export type ModeChangeOutcome =
  | { ok: true; mode: PermissionMode }
  | { ok: false; code: 'invalid_mode' | 'bypass_not_launched'; message: string }

export function checkModeChange(wanted: string, mayBypass: boolean): ModeChangeOutcome {
  if (!isPermissionMode(wanted)) return { ok: false, code: 'invalid_mode', message: unknownModeText(wanted) }
  if (wanted === 'bypassPermissions' && !mayBypass) {
    const message =
      'Cannot set permission mode to bypassPermissions: the session was not started with allowDangerouslySkipPermissions'
    return { ok: false, code: 'bypass_not_launched', message }
  }
  return { ok: true, mode: wanted }
}

/** Handing work on and following it, questions to the user, and reading. */
const DELEGATING = new Set(
  wordList(`
    Agent Task TaskOutput TaskStop TaskCreate TaskGet TaskList TaskUpdate TodoWrite TeamCreate TeamDelete SendMessage
    AskUserQuestion ExitPlanMode ToolSearch StructuredOutput
    Read Glob Grep ListMcpResourcesTool ReadMcpResourceTool
  `),
)

/** May the main thread use this tool itself in delegate mode? */
export function isAllowedInDelegateMode(toolName: string): boolean {
  return DELEGATING.has(toolName)
}
