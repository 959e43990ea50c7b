/** The permission modes there are, and why a name is none of them. */
import type { PermissionMode } from './permission-types.js'

export const PERMISSION_MODES = [
  'default',
  'acceptEdits',
  'plan',
  'dontAsk',
  'delegate',
  'bypassPermissions',
] as const satisfies readonly PermissionMode[]

/** Modes of the original that Kedge does not have. */
export const UNSUPPORTED_MODES = ['auto'] as const

export function isPermissionMode(name: unknown): name is PermissionMode {
  return PERMISSION_MODES.some((mode) => mode === name)
}

/** Error message for an unknown permission mode. */
export function unknownModeText(name: unknown): string {
  const known = `must be one of ${[...PERMISSION_MODES].sort().join(', ')}`
  return UNSUPPORTED_MODES.some((mode) => mode === name)
    ? `Cannot set permission mode to ${String(name)}, which Kedge does not support: ${known}`
    : `Cannot set permission mode: ${known}`
}
