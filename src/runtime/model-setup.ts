/** Which model a session talks to, with which credential, and what it costs: the model side of the composition root. */
import { BUDGET_SPENT, type ModelEvent, type ModelPort } from '../engine/ports.js'
import { createLedger, type Ledger } from '../model/ledger.js'
import { createModelClient } from '../model/messages-api/client.js'
import { DEFAULT_BASE_URL, readModelEnvironment } from '../model/messages-api/client-environment.js'
import { createKeyHelper, type HelperStatus } from '../model/messages-api/credentials/key-helper.js'
import { createCredentialSource } from '../model/messages-api/credentials/resolve.js'
import { contextWindowOf, modelChoices, resolveModel } from '../model/model-facts.js'
import { join } from '../platform/paths.js'
import type { Platform } from '../platform/platform.js'
import type { ApiKeySource } from '../protocol/messages.js'
import type { ModelInfo } from '../protocol/options.js'
import type { LiveSettings } from './live-settings.js'
import type { SessionSettings } from './settings.js'
import { VERSION } from './version.js'

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
  /** An alias, an id, or undefined for the default. */
  set(model: string | undefined): void
  resolve(name: string): string
  choices(): ModelInfo[]
  /** Of the model in use, or of the one named. */
  contextWindow(model?: string): number
  apiKeySource(): ApiKeySource
  tokenSource(): string
  /** Where requests go, and with whose key. */
  endpoint(): { baseUrl: URL; ownEndpoint: boolean; keySource: ApiKeySource }
}

/** The name of the built-in offline stand-in. */
export const PRACTICE = 'practice'

export function createModelSetup(
  settings: SessionSettings,
  live: Pick<LiveSettings, 'thinking' | 'effort'>,
  sessionId: string,
  platform: Platform,
  onAuthStatus: (status: HelperStatus) => void,
): ModelSetup {
  const environment = readModelEnvironment(settings.env)
  const aliases = environment.aliases
  const ledger = createLedger({ prices: settings.modelPrices, newId: () => platform.identity.hex(16) })
  const resolve = (name: string | undefined) => (name === PRACTICE ? PRACTICE : resolveModel(name, aliases))
  let current = resolve(settings.model)
  const { home, configDir, env, cwd } = settings
  const credentials = createCredentialSource({
    env,
    home,
    configDir,
    files: platform.files,
    clock: platform.clock,
    readUserSettings: () => readJson(platform, join(configDir, 'settings.json')),
    helper: createKeyHelper({
      processes: platform.processes,
      clock: platform.clock,
      env,
      cwd,
      ttlMs: environment.apiKeyHelperTtlMs,
      onStatus: onAuthStatus,
    }),
  })
  const client = createModelClient({
    platform,
    environment,
    credential: credentials.current,
    onCredentialRefused: credentials.forget,
    version: VERSION,
    userId: `${settings.home}:${platform.identity.uid ?? ''}`,
    sessionId: () => sessionId,
    settings() {
      const { thinkingDisplay, betas, taskBudget } = settings
      return { thinking: live.thinking, thinkingDisplay, effort: live.effort, betas, taskBudget }
    },
    ledger,
    extraCertificates: readCertificates(env, environment.baseUrl, platform),
  })
  const practice = lazyPractice(settings, ledger)
  const { maxBudgetUsd, maxTokens, maxToolCalls } = settings
  let calls = 0
  const limitReached = (): SpentLimit | undefined => {
    if (maxBudgetUsd !== null && ledger.ownCostUsd() >= maxBudgetUsd) return 'budget_exhausted'
    if (maxTokens !== null && ledger.ownTokens() >= maxTokens) return 'max_tokens'
    return maxToolCalls !== null && calls >= maxToolCalls ? 'max_tool_calls' : undefined
  }
  const overBudget = () => limitReached() !== undefined
  return {
    port: {
      stream(request, signal) {
        // Whoever asks: the loop, a sub-agent, a tool with a question of its own, a summary.
        const limit = limitReached()
        if (limit !== undefined) return refused(limitText(limit, settings))
        return request.model === PRACTICE ? practice.stream(request, signal) : client.stream(request, signal)
      },
    },
    ledger,
    overBudget,
    limitReached,
    countCall() {
      calls += 1
    },
    current: () => current,
    set(model) {
      current = resolve(model)
    },
    resolve,
    choices: () => modelChoices(settings.model, aliases),
    contextWindow: (model = current) => contextWindowOf(model, settings.betas.includes('context-1m-2025-08-07')),
    apiKeySource: () => (current === PRACTICE ? 'practice' : credentials.source()),
    tokenSource: () => 'none',
    endpoint: () => ({
      baseUrl: environment.baseUrl,
      ownEndpoint: environment.baseUrl.href !== new URL(DEFAULT_BASE_URL).href,
      keySource: credentials.source(),
    }),
  }
}

/** For whoever can't go on. */
export function limitText(limit: SpentLimit, settings: SessionSettings): string {
  if (limit === 'budget_exhausted') return `The budget of $${settings.maxBudgetUsd} (maxBudgetUsd) is spent.`
  if (limit === 'max_tokens') return `The ${settings.maxTokens} tokens of this run (maxTokens) are used up.`
  return `The ${settings.maxToolCalls} calls of tools of this run (maxToolCalls) are used up.`
}

async function* refused(text: string): AsyncGenerator<ModelEvent> {
  yield {
    type: 'end',
    outcome: { ok: false, failure: { kind: 'billing_error', code: BUDGET_SPENT, text, status: null } },
  }
}

/** The practice model is loaded when it is first asked something. */
function lazyPractice(settings: SessionSettings, ledger: Ledger): ModelPort {
  let port: Promise<ModelPort> | undefined
  return {
    async *stream(request, signal) {
      port ??= import('../model/practice/practice.js').then(({ createPracticeModel }) =>
        createPracticeModel({ cwd: settings.cwd, ledger }),
      )
      yield* (await port).stream(request, signal)
    },
  }
}

function readJson(platform: Platform, path: string): object | undefined {
  try {
    const value: unknown = JSON.parse(platform.files.readTextSync(path))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    // No settings, or broken ones: they name no helper.
    return undefined
  }
}

/** Our SDK hands the bundle over under this name, because Node would otherwise parse it at every start. */
function readCertificates(env: SessionSettings['env'], baseUrl: URL, { files }: Platform): string | undefined {
  const path = env.KEDGE_EXTRA_CA_CERTS
  if (!path || baseUrl.protocol !== 'https:') return undefined
  try {
    return files.readTextSync(path)
  } catch {
    // As Node itself: a bundle that can't be read is as good as none.
    return undefined
  }
}
