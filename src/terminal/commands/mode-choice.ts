/** Modes as people switch through them. */
import type { PermissionMode } from '../../protocol/permission-types.js'

/** What asks nothing at all is never one key away. */
export const MODE_CYCLE: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan']
