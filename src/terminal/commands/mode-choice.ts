/** Modes as people switch through them. */
import type { PermissionMode } from '../../protocol/permission-types.js'

/** The mode that bypasses permissions is never one key away. */
export const PERMISSION_MODE_CYCLE: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan']
