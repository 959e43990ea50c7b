/** What a sub-agent may use: turns, tokens, dollars. It's told what is left, and ends when nothing is. */
import type { EngineRequest } from '../../engine/model-port.js'
import { type ConfiguredPrices, costOfUsage, modelPrice } from '../../model/pricing.js'
import type { Usage } from '../../protocol/content.js'
import type { AgentDefinition } from '../../protocol/options.js'

/** It hears of it when these shares are used. */
const TOLD_AT = [0.5, 0.8]
/** Fewer turns than this are over before it could plan with them. */
const LEAST_TURNS = 5

type Limits = Pick<AgentDefinition, 'maxTokens' | 'maxBudgetUsd'> & { maxTurns?: number | undefined }

export function createAgentBudget({ maxTurns, maxTokens, maxBudgetUsd }: Limits, prices: ConfiguredPrices) {
  const used = { turns: 0, tokens: 0, usd: 0 }
  let told = 0
  const note = (model: string, usage: Usage) => {
    const { input_tokens: input, output_tokens: output } = usage
    used.tokens += input + output + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0)
    const price = modelPrice(model, prices)
    used.usd += (price && costOfUsage(price, usage)) ?? 0
  }
  const left = () => [
    ...(maxTurns !== undefined && maxTurns >= LEAST_TURNS ? [`${Math.max(0, maxTurns - used.turns)} turns`] : []),
    ...(maxTokens === undefined ? [] : [`${Math.max(0, maxTokens - used.tokens)} tokens`]),
    ...(maxBudgetUsd === undefined ? [] : [`$${Math.max(0, maxBudgetUsd - used.usd).toFixed(4)}`]),
  ]
  const share = () =>
    Math.max(
      maxTurns !== undefined && maxTurns >= LEAST_TURNS ? used.turns / maxTurns : 0,
      maxTokens ? used.tokens / maxTokens : 0,
      maxBudgetUsd ? used.usd / maxBudgetUsd : 0,
    )
  return {
    /** The same request, which is counted. */
    counted(request: EngineRequest): EngineRequest {
      used.turns += 1
      const { onUsage } = request
      return {
        ...request,
        onUsage(usage) {
          note(request.model, usage)
          onUsage?.(usage)
        },
      }
    },
    isSpent: () =>
      (maxTokens !== undefined && used.tokens >= maxTokens) || (maxBudgetUsd !== undefined && used.usd >= maxBudgetUsd),
    /** Before its first request. */
    opening: (): string[] =>
      maxTokens === undefined && maxBudgetUsd === undefined
        ? []
        : [`Your budget for this: ${left().join(', ')}. Give your answer before it is spent.`],
    /** What it is told before its next request, if much has been used since it was last told. */
    reminder(): string | undefined {
      const due = TOLD_AT.filter((at) => share() >= at).length
      if (due <= told) return undefined
      told = due
      return `Left of your budget: ${left().join(', ')}. Give your answer before it is spent.`
    },
  }
}

export type AgentBudget = ReturnType<typeof createAgentBudget>
