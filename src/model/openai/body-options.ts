/** What both kinds of body are made with. */
import type { EngineRequest, ToolDefinition, ToolRunByApi } from '../../engine/ports.js'
import { UnsendableRequestError } from '../client/failure.js'
import type { BodyPiece } from '../client/model-api-adapter.js'
import type { ModelRequestPlan } from '../client/request-plan.js'
import type { MissingAbilityTracker } from './compat.js'
import type { ReasoningOwner } from './kept-reasoning.js'
import type { SentToolNames } from './sent-names.js'
import type { ServiceModelFacts } from './service-models.js'

export type ServiceBodyOptions = {
  facts: ServiceModelFacts
  compat: MissingAbilityTracker
  names: SentToolNames
  keptFor: ReasoningOwner
  sessionId: string
}

export interface ServiceBodyWriter {
  write(request: EngineRequest, plan: ModelRequestPlan, streamed: boolean): BodyPiece[]
}

/** Returns the words of these APIs; undefined: the model decides. */
export function toServiceToolChoice({ toolChoice }: EngineRequest): 'required' | 'none' | undefined {
  return toolChoice === 'any' ? 'required' : toolChoice
}

/**
 * Returns the tools of a request that a service's model can call. Throws for tools that only the vendor of the
 * Messages API runs.
 */
export function selectCallableTools({ tools }: EngineRequest, { tools: canCall }: ServiceModelFacts): ToolDefinition[] {
  const foreign = tools.find((tool): tool is ToolRunByApi => !('input_schema' in tool))
  if (foreign) throw new UnsendableRequestError(`${foreign.name} runs only where the Messages API has it`)
  return canCall ? tools.filter((tool): tool is ToolDefinition => 'input_schema' in tool) : []
}

/** Returns a JSON schema without what says which dialect it is in: services refuse that. */
export function dropSchemaDialect({ $schema: _, ...schema }: Record<string, unknown>): Record<string, unknown> {
  return schema
}

export function joinSystemTexts({ system }: EngineRequest): string {
  return system.filter((text) => text.trim() !== '').join('\n\n')
}

/** How hard to think; undefined: what the model does by itself. */
export function serviceEffort(plan: ModelRequestPlan, facts: ServiceModelFacts): string | undefined {
  if (!facts.reasoning) return undefined
  if (plan.thinking === null) return facts.leastEffort
  return plan.effort === 'max' ? 'high' : (plan.effort ?? undefined)
}
