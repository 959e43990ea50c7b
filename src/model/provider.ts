/**
 * Where answers come from, as the rest of the agent sees it: a port to ask, what is known of its models, whose key it uses and
 * where requests go. Nothing outside this folder knows by which variables a provider is set up.
 */
import type { ModelFailure, ModelPort } from '../engine/ports.js'
import type { Platform } from '../platform/platform.js'
import type { ApiKeySource } from '../protocol/messages.js'
import type { ModelInfo, ThinkingConfig, ThinkingDisplay } from '../protocol/options.js'
import type { Ledger } from './ledger.js'
import type { EffortLevel } from './model-facts.js'
import type { OwnServices } from './openai/service.js'
import type { ModelLimits } from './policy/request-gate.js'

export type ProviderName = 'messages-api' | 'practice' | 'openai'

export interface Provider {
  readonly name: ProviderName
  /** Streams answers; what they cost goes into the ledger. */
  readonly port: ModelPort
  readonly models: ModelKnowledge
  credentials(): ProviderCredentials
  endpoint(): ProviderEndpoint
  /** What a person can do about a failure; undefined: nobody knows. */
  fixFor(failure: ModelFailure, model: string): Promise<string | undefined>
  /** What a person should know before this model is used: what it can't do. */
  notices?(model: string): string[]
}

export interface ModelKnowledge {
  /** The id of an alias or id; undefined: that of the default. */
  resolve(name: string | undefined): string
  /** In tokens. */
  contextWindow(model: string): number
  choices(current: string | undefined): ModelInfo[]
  /** For short questions on the side; undefined: nobody knows a small model here. */
  small(current: string): string | undefined
}

export type ProviderCredentials = { source: ApiKeySource; tokenSource: string }

export type ProviderEndpoint = {
  /** Undefined: it is in this process. */
  baseUrl?: URL
  /** The user chose that address. */
  isOwn: boolean
  /** It is the vendor's own, which has tools that run there. */
  isOfficial: boolean
}

/** What may change between two requests of a session. */
export type RequestSettings = {
  /** Absent: the model's default. */
  thinking?: ThinkingConfig
  thinkingDisplay?: ThinkingDisplay
  effort?: EffortLevel
  /** Where the model has it. */
  fast?: boolean
  betas?: readonly string[]
  taskBudget?: number
  maxTokens?: number
}

/** How the state of a helper that fetches credentials is told. */
export type AuthStatus = { isAuthenticating: boolean; output: string[]; error?: string }

/** What a provider is made of. */
export type ProviderSetup = {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  home: string
  configDir: string
  sessionId: string
  platform: Platform
  /** Ours, for the user agent. */
  version: string
  ledger: Ledger
  /** Further services that models can be of, by name: the setting `modelProviders`. */
  services?: OwnServices | undefined
  /** What all sessions of the process share, by model or service. */
  limits?: ModelLimits | undefined
  /** Read before each request. */
  settings(): RequestSettings
  onAuthStatus(status: AuthStatus): void
  /** The value of this variable is a key that is used: nothing a command does needs it. */
  onKeyVariable?(name: string): void
}
