/** The model of one session: which it is, who answers for it, and when the run has used up what it may. */

import type { Fallback } from '../engine/fallbacks.js'
import {
  BUDGET_SPENT,
  type EngineRequest,
  type ModelEvent,
  type ModelFailure,
  type ModelPort,
  type ModelRequestHooks,
} from '../engine/ports.js'
import { ConfigurationError } from '../errors.js'
import { createLedger, type Ledger } from '../model/ledger.js'
import { planningModelAlias } from '../model/model-facts.js'
import type {
  CloudFactory,
  CredentialHelperStatus,
  ModelKnowledge,
  ProviderCredentials,
  ProviderEndpoint,
} from '../model/provider.js'
import { createProviders } from '../model/providers.js'
import type { Platform } from '../platform/platform.js'
import { VERSION } from '../platform/version.js'
import { knownServiceOfModel } from '../protocol/option-table/known-services.js'
import type { HostPreferences, LimitSettings, ModelSettings } from '../protocol/option-table/start-settings.js'
import type { ModelInfo } from '../protocol/options.js'
import { MODEL_KEY_NAMES_VARIABLE } from '../tools/bash/command-environment.js'
import type { DiscoveredConfiguration, Frozen, SessionLocation } from './configuration.js'
import type { LiveSettings } from './live-settings.js'

/** What ends a run that has used up what it may. */
export type SpentLimit = 'budget_exhausted' | 'max_tokens' | 'max_tool_calls'

export interface ModelSetup {
  readonly port: ModelPort
  readonly ledger: Ledger
  /** Sets the function that finds the watcher of a model request, called before each request. */
  watchWith(find: () => ModelRequestHooks | undefined): void
  /** The session has spent what it may; what it spent before it was resumed does not count. */
  overBudget(): boolean
  /** Which of the limits of this run was reached first. */
  limitReached(): SpentLimit | undefined
  /** A tool was called. */
  countCall(): void
  /** The resolved id in use. */
  current(): string
  /** For the time a plan is made; undefined: the same. */
  forPlans(): string | undefined
  /**
   * An alias, an id, or undefined for the default. Resolves when whoever wants to know of it was told, or with why the model
   * stays as it is; without a source nobody is told.
   */
  set(model: string | undefined, source?: ModelSwitch['source']): Promise<string | undefined>
  whenSwitched(listener: ModelSwitchListener): void
  resolve(name: string): string
  choices(): ModelInfo[]
  /** Size of the context window, in tokens, of the named model, or of the model in use. */
  contextWindow(model?: string): number
  /** What a request would have the model read, counted by the API; undefined: it does not. */
  countTokens(request: EngineRequest, signal: AbortSignal): Promise<number | undefined>
  /** For short questions on the side; undefined: there is none. */
  small(): ReturnType<ModelKnowledge['small']>
  credentials(): ProviderCredentials
  endpoint(): ProviderEndpoint
  /** Models to turn to when the one in use fails, in order. */
  fallbacks(): Fallback[]
  /** What a person should know of the model in use; each is handed out once. */
  newNotices(): string[]
  /** What a person can do about a failure. */
  fixFor(failure: ModelFailure, model: string): Promise<string | undefined>
}

export type ModelSwitchListener = {
  /** Returns why the model may not change. */
  before(change: ModelSwitch): Promise<string | undefined> | undefined
  after(change: ModelSwitch): Promise<void>
}

export type ModelSwitch = { from: string; to: string; requested: string | null; source: 'command' | 'sdk' | 'auto' }

export function createModelSetup(
  settings: SessionLocation &
    Frozen<ModelSettings> &
    RunLimits &
    Pick<HostPreferences, 'partial'> &
    Pick<
      DiscoveredConfiguration,
      'modelPrices' | 'modelOverrides' | 'modelProviders' | 'modelFallbacks' | 'modelLimits'
    >,
  live: Pick<LiveSettings, 'thinking' | 'effort' | 'fast' | 'addVariables'>,
  sessionId: string,
  platform: Platform,
  onAuthStatus: (status: CredentialHelperStatus) => void,
  cloud?: CloudFactory,
): ModelSetup {
  const { env, cwd, home, configDir, model: wanted } = settings
  if (settings.batch && settings.partial)
    throw new ConfigurationError('batch', '--batch and --include-partial-messages exclude each other.')
  const keys: string[] = []
  const chosen = new Set(chosenServices(settings))
  const ledger = createLedger({
    prices: settings.modelPrices,
    newId: () => platform.identity.hex(16),
    windowOf: (model) => providers.of(model).models.contextWindow(model),
  })
  const providers = createProviders({
    env,
    cwd,
    home,
    configDir,
    sessionId,
    platform,
    version: VERSION,
    ledger,
    onAuthStatus,
    services: settings.modelProviders,
    batch: settings.batch,
    isChosen: (service) => chosen.has(service),
    limits: settings.modelLimits,
    onKeyVariable(name) {
      keys.push(name)
      live.addVariables({ [MODEL_KEY_NAMES_VARIABLE]: keys.join(',') })
    },
    modelOverrides: settings.modelOverrides,
    cloud,
    settings() {
      const { thinkingDisplay, betas, taskBudget } = settings
      return { thinking: live.thinking, thinkingDisplay, effort: live.effort, fast: live.fast, betas, taskBudget }
    },
  })
  const resolve = (name: string | undefined) => providers.of(name).models.resolve(name)
  let named = wanted
  let current = resolve(wanted)
  const provider = () => providers.of(current)
  const limits = createRunLimits(settings, ledger)
  const told = new Set<string>()
  let switchListener: ModelSwitchListener | undefined
  let findWatch: (() => ModelRequestHooks | undefined) | undefined
  return {
    watchWith(find) {
      findWatch = find
    },
    port: {
      stream(request, signal) {
        // The limits apply to every caller: the loop, a sub-agent, a tool with a question of its own, a summary.
        const limit = limits.limitReached()
        if (limit !== undefined) return refused(describeSpentLimit(limit, settings))
        const watch = findWatch?.()
        return providers.of(request.model).port.stream(watch ? { ...request, watch } : request, signal)
      },
    },
    ledger,
    ...limits,
    current: () => current,
    forPlans() {
      const alias = planningModelAlias(named)
      return alias && resolve(alias)
    },
    async set(model, source) {
      const service = model && knownServiceOfModel(model)
      if (service) chosen.add(service)
      const to = resolve(model)
      const change = source && to !== current && { from: current, to, requested: model ?? null, source }
      const asked = change && switchListener?.before(change)
      // Without anybody to ask, the change holds at once, for whatever follows it.
      const objection = asked && (await asked)
      if (objection) return objection
      named = model
      current = to
      if (change) await switchListener?.after(change)
      return undefined
    },
    whenSwitched(listener) {
      switchListener = listener
    },
    resolve,
    choices: () => providers.of(undefined).models.choices(wanted),
    contextWindow: (model = current) => providers.of(model).models.contextWindow(model),
    countTokens: async (request, signal) => providers.of(request.model).countTokens?.(request, signal),
    small: () => provider().models.small(current),
    credentials: () => provider().credentials(),
    endpoint: () => provider().endpoint(),
    fallbacks() {
      // As the original has it: several, with commas between them.
      const named = (settings.fallbackModel ?? '').split(',').flatMap((name) => name.trim() || [])
      const first = named.map((model): Fallback => ({ model, on: ['overloaded'] }))
      return [...first, ...(settings.modelFallbacks ?? [])].map((one) => ({ ...one, model: resolve(one.model) }))
    },
    newNotices() {
      const fresh = (provider().notices?.(current) ?? []).filter((notice) => !told.has(notice))
      for (const notice of fresh) told.add(notice)
      return fresh
    },
    fixFor: (failure, model) => providers.of(model).fixFor(failure, model),
  }
}

/** A repository can set none of these to a service: what is left is the user's, or their program's. */
function chosenServices({ env, model, fallbackModel = '', modelFallbacks = [] }: Chooses): string[] {
  const variables = Object.keys(env).filter((name) => /^ANTHROPIC_.*MODEL$/.test(name))
  const names = [model, ...fallbackModel.split(','), ...modelFallbacks.map((one) => one.model)]
  const all = [...names, ...variables.map((name) => env[name])]
  return all.flatMap((name) => (name && knownServiceOfModel(name.trim())) || [])
}

type Chooses = Pick<SessionLocation, 'env'> &
  Pick<Frozen<ModelSettings>, 'model' | 'fallbackModel'> &
  Pick<DiscoveredConfiguration, 'modelFallbacks'>

function createRunLimits({ maxBudgetUsd, maxTokens, maxToolCalls }: RunLimits, ledger: Ledger) {
  let calls = 0
  const limitReached = (): SpentLimit | undefined => {
    if (maxBudgetUsd !== null && ledger.own().costUsd >= maxBudgetUsd) return 'budget_exhausted'
    if (maxTokens !== null && ledger.own().tokens >= maxTokens) return 'max_tokens'
    return maxToolCalls !== null && calls >= maxToolCalls ? 'max_tool_calls' : undefined
  }
  return {
    limitReached,
    overBudget: () => limitReached() !== undefined,
    countCall() {
      calls += 1
    },
  }
}

type RunLimits = Pick<LimitSettings, 'maxBudgetUsd' | 'maxTokens' | 'maxToolCalls'>

/** For whoever can't continue. */
export function describeSpentLimit(limit: SpentLimit, { maxBudgetUsd, maxTokens, maxToolCalls }: RunLimits): string {
  if (limit === 'budget_exhausted') return `The budget of $${maxBudgetUsd} (maxBudgetUsd) is spent.`
  if (limit === 'max_tokens') return `The ${maxTokens} tokens of this run (maxTokens) are used up.`
  return `The ${maxToolCalls} calls of tools of this run (maxToolCalls) are used up.`
}

async function* refused(text: string): AsyncGenerator<ModelEvent> {
  yield {
    type: 'end',
    outcome: { ok: false, failure: { kind: 'billing_error', code: BUDGET_SPENT, text, status: null } },
  }
}
