/** The model of one session: which it is, who answers for it, and when the run has used up what it may. */
import { BUDGET_SPENT, type ModelEvent, type ModelFailure, type ModelPort } from '../engine/ports.js'
import { createLedger, type Ledger } from '../model/ledger.js'
import { planAlias } from '../model/model-facts.js'
import type { AuthStatus, MakeCloud, ModelKnowledge, ProviderCredentials, ProviderEndpoint } from '../model/provider.js'
import { createProviders } from '../model/providers.js'
import type { Platform } from '../platform/platform.js'
import { VERSION } from '../platform/version.js'
import type { LimitSettings, ModelSettings } from '../protocol/option-table/start-settings.js'
import type { ModelInfo } from '../protocol/options.js'
import type { Found, Frozen, Place } from './configuration.js'
import type { LiveSettings } from './live-settings.js'

/** What ends a run that has used up what it may. */
export type SpentLimit = 'budget_exhausted' | 'max_tokens' | 'max_tool_calls'

export interface ModelSetup {
  readonly port: ModelPort
  readonly ledger: Ledger
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
  /** An alias, an id, or undefined for the default. */
  set(model: string | undefined): void
  resolve(name: string): string
  choices(): ModelInfo[]
  /** Of the model in use, or of the one named. */
  contextWindow(model?: string): number
  /** For short questions on the side; undefined: there is none. */
  small(): ReturnType<ModelKnowledge['small']>
  credentials(): ProviderCredentials
  endpoint(): ProviderEndpoint
  /** What a person can do about a failure. */
  fixFor(failure: ModelFailure, model: string): Promise<string | undefined>
}

export function createModelSetup(
  settings: Place & Frozen<ModelSettings> & RunLimits & Pick<Found, 'modelPrices' | 'modelOverrides'>,
  live: Pick<LiveSettings, 'thinking' | 'effort' | 'fast'>,
  sessionId: string,
  platform: Platform,
  onAuthStatus: (status: AuthStatus) => void,
  cloud?: MakeCloud,
): ModelSetup {
  const { env, cwd, home, configDir, model: wanted } = settings
  const ledger = createLedger({ prices: settings.modelPrices, newId: () => platform.identity.hex(16) })
  const providers = createProviders({
    ...{ env, cwd, home, configDir, sessionId, platform, version: VERSION, ledger, onAuthStatus },
    ...{ modelOverrides: settings.modelOverrides, cloud },
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
  return {
    port: {
      stream(request, signal) {
        // Whoever asks: the loop, a sub-agent, a tool with a question of its own, a summary.
        const limit = limits.limitReached()
        if (limit !== undefined) return refused(limitText(limit, settings))
        return providers.of(request.model).port.stream(request, signal)
      },
    },
    ledger,
    ...limits,
    current: () => current,
    forPlans() {
      const alias = planAlias(named)
      return alias && resolve(alias)
    },
    set(model) {
      named = model
      current = resolve(model)
    },
    resolve,
    choices: () => providers.of(undefined).models.choices(wanted),
    contextWindow: (model = current) => providers.of(model).models.contextWindow(model),
    small: () => provider().models.small(current),
    credentials: () => provider().credentials(),
    endpoint: () => provider().endpoint(),
    fixFor: (failure, model) => provider().fixFor(failure, model),
  }
}

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

/** For whoever can't go on. */
export function limitText(limit: SpentLimit, { maxBudgetUsd, maxTokens, maxToolCalls }: RunLimits): string {
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
