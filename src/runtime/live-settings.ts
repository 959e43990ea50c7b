/** The few settings that change while a session runs. Each has one way to be changed; all else in `settings` stays as it was read. */

import type { Environment } from '../platform/environment.js'
import type { ModelSettings } from '../protocol/option-table/start-settings.js'
import type { Options, ThinkingConfig } from '../protocol/options.js'
import type { DiscoveredConfiguration, SessionLocation } from './configuration.js'

export type LiveHooks = {
  readonly limits: DiscoveredConfiguration['hookLimits']
  readonly list: DiscoveredConfiguration['settingsHooks']
}

type Effort = NonNullable<Options['effort']>

export interface LiveSettings {
  /** Environment of commands, hooks, and servers, including variables from hooks at the start. */
  readonly env: Environment
  /** Undefined: what suits the model. */
  readonly thinking: ThinkingConfig | undefined
  readonly effort: Effort | undefined
  readonly fast: boolean
  /** Hooks of settings files, plugins, and agents; `limits` undefined: settings turned them off. */
  readonly hooks: LiveHooks
  setHooks(hooks: LiveHooks): void
  addVariables(variables: Environment): void
  setThinking(thinking: ThinkingConfig | undefined): void
  setEffort(effort: Effort | undefined): void
  setFast(fast: boolean): void
}

export function createLiveSettings(
  start: Pick<SessionLocation, 'env'> &
    Pick<ModelSettings, 'thinking' | 'effort' | 'fast'> &
    Pick<DiscoveredConfiguration, 'settingsHooks' | 'hookLimits'>,
): LiveSettings {
  const hooks: LiveHooks = { limits: start.hookLimits, list: start.settingsHooks }
  const live = {
    env: start.env,
    thinking: start.thinking,
    effort: start.effort,
    fast: start.fast === true,
    hooks,
    setHooks(next: LiveHooks) {
      live.hooks = next
    },
    addVariables(variables: Environment) {
      live.env = { ...live.env, ...variables }
    },
    setThinking(next: ThinkingConfig | undefined) {
      live.thinking = next
    },
    setEffort(next: Effort | undefined) {
      live.effort = next
    },
    setFast(next: boolean) {
      live.fast = next
    },
  }
  return live
}
