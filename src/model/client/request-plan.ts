/** The parameters of one request, from the model's abilities, the session's live settings and the environment. Pure. */
import type { JsonObject } from '../../protocol/json.js'
import type { EffortLevel, ThinkingConfig, ThinkingDisplay } from '../../protocol/options.js'
import {
  defaultMaxTokens,
  hasFastMode,
  type ModelFacts,
  modelFacts,
  splitLongContextSuffix,
  vendorModelId,
} from '../model-facts.js'
import type { ModelRequestSettings } from '../request-settings.js'

export type ThinkingParam = ({ type: 'adaptive' } | { budget_tokens: number; type: 'enabled' }) & {
  display?: ThinkingDisplay
}

export type ModelRequestPlan = {
  /** As the API knows it. */
  model: string
  maxTokens: number
  thinking: ThinkingParam | null
  effort: EffortLevel | null
  fast: boolean
  taskBudget: number | null
  betas: readonly string[]
  longContext: boolean
  /** Absent: for five minutes. */
  cache?: 'none' | '1h' | undefined
  /** Left out because the endpoint refused it. */
  withoutMetadata?: boolean
  /** Further fields of the body. */
  extraBody?: JsonObject
}

export type ModelAbilities = Pick<ModelFacts, 'thinking' | 'efforts'> & {
  /** It thinks also between its calls; default true. */
  isInterleaved?: boolean
}

export type RequestPlanLimits = {
  /** Null: the model's default. */
  maxOutputTokens: number | null
  maxThinkingTokens: number | null
  cache?(model: string): ModelRequestPlan['cache']
  extraBody?: JsonObject
  /** Abilities by model id. They override what is known otherwise. */
  abilities?: ReadonlyMap<string, ModelAbilities>
}

const LONG_CONTEXT_BETA = 'context-1m-2025-08-07'
/** The API refuses smaller thinking budgets. */
const MIN_BUDGET = 1024
/** More output than this may take longer than a connection without streaming is kept open. */
const WHOLE_MAX_TOKENS = 21_333

export function planRequest(
  model: string,
  settings: ModelRequestSettings,
  environment: RequestPlanLimits,
): ModelRequestPlan {
  const { id, longContext } = splitLongContextSuffix(model)
  const limit = modelFacts(id)?.outputLimit ?? Number.POSITIVE_INFINITY
  const maxTokens = Math.min(settings.maxTokens ?? environment.maxOutputTokens ?? defaultMaxTokens(id), limit)
  const abilities: ModelAbilities | undefined = environment.abilities?.get(id) ?? modelFacts(id)
  const thinking = planThinking(id, abilities, settings.thinking, maxTokens, environment.maxThinkingTokens)
  const display = settings.thinkingDisplay
  const effort = planEffort(abilities, settings.effort)
  const cache = environment.cache?.(id)
  const fast = settings.fast === true && hasFastMode(id)
  const betas = new Set<string>()
  if (thinking && abilities?.isInterleaved !== false) betas.add('interleaved-thinking-2025-05-14')
  if (effort) betas.add('effort-2025-11-24')
  if (fast) betas.add('fast-mode-2026-02-01')
  if (thinking?.type === 'adaptive') betas.add('adaptive-thinking-2026-01-28')
  if (settings.taskBudget !== undefined) betas.add('task-budgets-2026-03-13')
  if (longContext) betas.add(LONG_CONTEXT_BETA)
  for (const beta of settings.betas ?? []) betas.add(beta)
  return {
    model: id,
    maxTokens,
    thinking: thinking && display ? { ...thinking, display } : thinking,
    effort,
    fast,
    taskBudget: settings.taskBudget ?? null,
    betas: [...betas],
    longContext: betas.has(LONG_CONTEXT_BETA),
    ...(cache && { cache }),
    ...(environment.extraBody && { extraBody: environment.extraBody }),
  }
}

/** Returns the same request for an answer in one piece. */
export function planWithoutStream(plan: ModelRequestPlan): ModelRequestPlan {
  const maxTokens = Math.min(plan.maxTokens, WHOLE_MAX_TOKENS)
  return { ...plan, maxTokens, thinking: capBudget(plan.thinking, maxTokens) }
}

function planThinking(
  model: string,
  abilities: ModelAbilities | undefined,
  wanted: ThinkingConfig | undefined,
  maxTokens: number,
  fromEnvironment: number | null,
): ThinkingParam | null {
  // For an unknown model, the user who asks for thinking knows best.
  const isAsked = wanted !== undefined || fromEnvironment !== null
  const ability = abilities?.thinking ?? (vendorModelId(model).startsWith('claude-') || isAsked ? 'budget' : 'none')
  if (ability === 'none' || wanted?.type === 'disabled') return null
  const budget = (wanted?.type === 'enabled' ? wanted.budgetTokens : undefined) ?? fromEnvironment
  if (budget === 0) return null
  const wantsAdaptive = wanted?.type === 'adaptive' || (wanted === undefined && budget === null)
  if (wantsAdaptive && ability === 'adaptive') return { type: 'adaptive' }
  if (budget === null) return maxTokens > MIN_BUDGET ? { budget_tokens: maxTokens - 1, type: 'enabled' } : null
  return capBudget({ budget_tokens: budget, type: 'enabled' }, maxTokens)
}

export function withLargestThinkingBudget(plan: ModelRequestPlan): ModelRequestPlan {
  const { maxTokens } = plan
  const thinking = maxTokens > MIN_BUDGET ? { budget_tokens: maxTokens - 1, type: 'enabled' as const } : null
  return { ...plan, thinking }
}

function capBudget(thinking: ThinkingParam | null, maxTokens: number): ThinkingParam | null {
  if (thinking?.type !== 'enabled') return thinking
  return { ...thinking, budget_tokens: Math.min(thinking.budget_tokens, maxTokens - 1) }
}

function planEffort(abilities: ModelAbilities | undefined, wanted: EffortLevel | undefined): EffortLevel | null {
  const levels = abilities?.efforts ?? []
  if (wanted === undefined || levels.length === 0) return null
  return levels.includes(wanted) ? wanted : 'high'
}
