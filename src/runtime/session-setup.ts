/** What a session is put together from, and what its turns and its main thread need of each other. */

import type { SaveFailure } from '../engine/ports.js'
import type { Platform } from '../platform/platform.js'
import type { HookInput } from '../protocol/hooks.js'
import type { SDKMessage } from '../protocol/messages.js'
import type { Configuration } from './configuration.js'
import type { Summarize } from './conversation.js'
import type { LiveSettings } from './live-settings.js'
import type { McpSessionHost } from './mcp/assemble-session-mcp.js'
import type { ModelSetup } from './model-setup.js'
import type { SessionStartState } from './open-session-transcript.js'
import type { ChangeableProject } from './reload/changeable-project.js'
import type { TeamCoordinator, TeamCoordinatorPorts } from './teams/team-coordinator.js'
import type { TurnQueue } from './turn/turn-queue.js'

/** What a session is made of. */
export type SessionSetup = {
  settings: Configuration
  live: LiveSettings
  start: SessionStartState
  model: ModelSetup
  project: ChangeableProject
  platform: Platform
  host: SessionHost
  /** Absent: the session may not lead a team. */
  createTeamCoordinator?: ((ports: TeamCoordinatorPorts) => TeamCoordinator) | undefined
}

/** What turns need of the conversation they run in, and it of them: known once both are there. */
export type TurnPorts = {
  queue(): TurnQueue
  interrupt(): void
  /** Something ended without a turn to follow. */
  onQuiet(): void
}

/** What a session needs from the side that talks to the host. */
export type SessionHost = McpSessionHost & {
  send(message: SDKMessage): void | Promise<void>
  callHook(callbackId: string, input: HookInput, toolUseId: string, signal: AbortSignal): Promise<unknown>
  /** Resolves when the host's store has every line, or with why it never will. */
  syncStore(): Promise<SaveFailure | undefined>
  /** Absent: the model sums up. */
  summarize?: Summarize | undefined
}
