/**
 * What one session is to be, decided before it starts and frozen from then on. Users take the groups they need, not the whole.
 * The few things that change while it runs are in `live-settings.ts`.
 */

import type { Fallback } from '../engine/fallbacks.js'
import type { HttpHookLimits, SettingsHook } from '../hooks/settings-hook.js'
import type { ServerEntry } from '../mcp/servers.js'
import type { ConfiguredServices } from '../model/openai/service.js'
import type { ModelRateLimits } from '../model/policy/request-gate.js'
import type { ConfiguredPrices } from '../model/pricing.js'
import type { RuleLayer } from '../permissions/permission-engine.js'
import type { Environment } from '../platform/environment.js'
import type { DebugKind } from '../protocol/debug-filter.js'
import type { McpServerLists } from '../protocol/mcp/mcp-server-lists.js'
import type { TerminalReason } from '../protocol/messages.js'
import type { StartSettings } from '../protocol/option-table/start-settings.js'
import type { SandboxSettings } from '../protocol/options.js'

/** Where a session is. */
export type LocationSettings = { cwd: string; env: Environment; home: string; configDir: string }

export type DebugSettings = {
  on: boolean
  /** Undefined: stderr. */
  file?: string
  /** Lines begin as those of the original do, which programs look for. */
  stamped?: true
  kinds: ReadonlySet<DebugKind>
  /** Set where a timeline is written: a line for what no message tells. */
  note?(kind: DebugKind, text: string): void
}

/** What is not known from a command line: settings files and plugins bring it. */
export type DiscoveredSettings = {
  /** By model, of settings files; before those we know. */
  modelPrices?: ConfiguredPrices
  /** Models to turn to, behind those of the option. */
  modelFallbacks?: readonly Fallback[]
  /** What all sessions of the process share, by model or service. */
  modelLimits?: ModelRateLimits
  /** Services that speak other APIs, by name. */
  modelProviders?: ConfiguredServices
  /** By the vendor's id of a model: what the user's cloud calls it. */
  modelOverrides?: Readonly<Record<string, string>>
  /** All MCP servers there are, wherever they come from. */
  servers: ServerEntry[]
  /** Servers of `.mcp.json`, by name: the enabled ones (undefined: all), and the disabled ones. */
  projectServers: { enabled: readonly string[] | undefined; disabled: readonly string[] }
  /** Which MCP servers may be used at all. */
  serverLists?: McpServerLists
  /** False: the model is told nothing of git. */
  tellsGit?: boolean
  /** The output style that settings name. */
  outputStyle?: string
  /** The language of answers that settings name. */
  language?: string
  /** Permission rules of settings files. */
  layers: RuleLayer[]
  sandbox?: SandboxSettings
  /** Hooks of settings files, plugins, and agents. */
  settingsHooks: SettingsHook[]
  /** Undefined: settings turned them off. */
  hookLimits: HttpHookLimits | undefined
}

/** Its lists can't be changed either. */
export type Frozen<T> = { readonly [Key in keyof T]: T[Key] extends (infer Item)[] ? readonly Item[] : T[Key] }

export type SessionLocation = Frozen<LocationSettings>
export type DiscoveredConfiguration = Frozen<DiscoveredSettings>
/** `StartSettings`: what flags say, and settings files where a flag does not. */
export type Configuration = SessionLocation &
  Frozen<StartSettings> &
  DiscoveredConfiguration & { readonly debug: Readonly<DebugSettings> }

/** Nothing can be changed in it from now on. */
export function freezeConfiguration(configuration: Configuration): Configuration {
  for (const value of Object.values(configuration)) if (Array.isArray(value)) Object.freeze(value)
  return Object.freeze(configuration)
}

/** Why a session does not start, or a message is not taken. */
export type StartRefusal = {
  /** For people, on stderr. */
  stderr?: string
  /** For programs, as `errors[0]` of a result; absent where the original ends without one. */
  message?: string
  code: string
  reason: TerminalReason
}
