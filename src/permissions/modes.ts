/** Permission modes: which there are, and who may enter them. */
import type { PermissionMode } from '../protocol/permissions.js'

export type ModeChange =
  | { ok: true; mode: PermissionMode }
  | { ok: false; code: 'invalid_mode' | 'bypass_not_launched'; message: string }

const MODES: readonly PermissionMode[] = ['acceptEdits', 'bypassPermissions', 'default', 'dontAsk', 'plan']

export function checkMode(wanted: string, mayBypass: boolean): ModeChange {
  const mode = MODES.find((known) => known === wanted)
  if (!mode) {
    return {
      ok: false,
      code: 'invalid_mode',
      message: `Cannot set permission mode: must be one of ${MODES.join(', ')}`,
    }
  }
  if (mode === 'bypassPermissions' && !mayBypass) {
    const message =
      'Cannot set permission mode to bypassPermissions: the session was not started with allowDangerouslySkipPermissions'
    return { ok: false, code: 'bypass_not_launched', message }
  }
  return { ok: true, mode }
}
