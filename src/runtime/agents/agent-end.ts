/** How the work of a sub-agent on one prompt ended. */

import type { BackgroundUsage } from '../../engine/background-port.js'
import type { TurnEnd } from '../../engine/loop.js'
import type { Usage } from '../../protocol/content.js'
import type { SDKPermissionDenial } from '../../protocol/permission-types.js'

export type AgentEnd = TurnEnd & {
  /** Usage of the agent's last request; absent if there was none. */
  lastUsage?: Usage
  usage: BackgroundUsage
  denials: SDKPermissionDenial[]
}
