/**
 * Where answers come from, as the rest of the agent sees it: a port to ask, what is known of its models, whose key it uses and
 * where requests go. Nothing outside this folder knows by which variables a provider is set up.
 */
import type { EngineRequest, ModelFailure, ModelPort } from '../engine/ports.js'
import type { Platform } from '../platform/platform.js'
import type { ApiKeySource } from '../protocol/messages.js'
import type { AccountInfo, ModelInfo } from '../protocol/options.js'
import type { ModelApiAdapter } from './client/model-api-adapter.js'
import type { Ledger } from './ledger.js'
import type { ModelAliases } from './model-facts.js'
import type { ConfiguredServices } from './openai/service.js'
import type { ModelRateLimits } from './policy/request-gate.js'
import type { ModelRequestSettings } from './request-settings.js'

export type { ModelRequestSettings } from './request-settings.js'

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
  /** How many tokens a request would have the model read, counted by the API; undefined: it can't or won't. Never throws. */
  countTokens?(request: EngineRequest, signal: AbortSignal): Promise<number | undefined>
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

export type ProviderCredentials = {
  source: ApiKeySource
  tokenSource: string
  /** The cloud that answers, where it is one. */
  apiProvider?: NonNullable<AccountInfo['apiProvider']>
}

export type ProviderEndpoint = {
  /** Undefined: it is in this process. */
  baseUrl?: URL
  /** The user chose that address. */
  isOwn: boolean
  /** It is the vendor's own, which has tools that run there. */
  isOfficial: boolean
  /** Whether a `tool_reference` can name a found tool, so its definition needn't be added to the request. */
  takesReferences?: boolean
  /** It is known to have none of these tools. */
  hasNoServerTools?: true
}

/** How the state of a helper that fetches credentials is told. */
export type CredentialHelperStatus = { isAuthenticating: boolean; output: string[]; error?: string }

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
  services?: ConfiguredServices | undefined
  /** The user, or the program they use, has chosen models of this service: what comes with a folder can not. */
  isChosen?(service: string): boolean
  /** What all sessions of the process share, by model or service. */
  limits?: ModelRateLimits | undefined
  /** Ask by batches: half the price, and long waits. */
  batch?: boolean | undefined
  /** Read before each request. */
  settings(): ModelRequestSettings
  onAuthStatus(status: CredentialHelperStatus): void
  /** The value of this variable is a key that is used: nothing a command does needs it. */
  onKeyVariable?(name: string): void
  /** By the user's own ids for models of the vendor: ids of their cloud or gateway. */
  modelOverrides?: Readonly<Record<string, string>> | undefined
  /** The models are bought from a cloud. */
  cloud?: CloudFactory | undefined
}

/** A cloud that has the vendor's models: another way to speak the same API. */
export interface Cloud {
  readonly wire: ModelApiAdapter
  readonly models: Pick<ModelKnowledge, 'resolve' | 'small'> & { aliases: ModelAliases }
  /** For people. */
  readonly about: CloudDescription
  /** Longest silence in the middle of a response, in milliseconds. Absent: the model API's default. */
  readonly idleMs?: number
  credentials(): ProviderCredentials
  endpoint(): ProviderEndpoint & { baseUrl: URL }
  fixFor(failure: ModelFailure, model: string): string | undefined
}

export type CloudDescription = {
  title: string
  region?: { name: string; from: string }
  /** Whose credential it is, or why there is none; finds it as a session would. */
  credential(signal: AbortSignal): Promise<{ ok: boolean; text: string }>
}

export type CloudFactory = (setup: CloudSetup) => Cloud

export type CloudSetup = Omit<ProviderSetup, 'cloud' | 'ledger' | 'settings'>
