/**
 * What this endpoint was found to refuse: gateways stand before models that know less than the API does. A request that is
 * refused for something it can do without is made again without it, and so are those after it. Limits are never left out.
 */
import type { MessageParam } from '../../protocol/content.js'
import { type ModelRequestPlan, withLargestThinkingBudget } from '../client/request-plan.js'
import { isThinking } from './body.js'

/** Each is learned once: an endpoint that refuses again means something else. */
type Capability =
  | 'cache markers'
  | 'tool references'
  | 'signed thinking'
  | 'adaptive thinking'
  | 'thinking'
  | 'betas'
  | 'effort'
  | 'metadata'

export interface RefusedFeatures {
  /** `message`: what the endpoint said. Undefined when it has nothing to do with what can be left out. */
  learn(message: string, sent: ModelRequestPlan, messages: readonly MessageParam[]): Capability | undefined
  without(plan: ModelRequestPlan): ModelRequestPlan
}

const NOT_KNOWN =
  /not (?:be )?(?:supported|permitted|allowed|available|enabled|recogni[sz]ed|valid)|unsupported|unknown|unexpected|unrecogni[sz]ed|extra inputs|does ?n[o\u2019']t support|capability_rejected|invalid value/i
const BAD_SIGNATURE =
  /signature.{0,80}(?:thinking|invalid)|(?:invalid|missing).{0,40}signature|bound to a different conversation|thinking.{0,60}(?:cannot be modified|must remain as they were)/i

export function createRefusedFeatures(): RefusedFeatures {
  const known = new Set<Capability>()
  const named = new Set<string>()

  function cause(message: string, sent: ModelRequestPlan, messages: readonly MessageParam[]): Capability | undefined {
    if (/cache_control/i.test(message)) return sent.cache === 'none' ? undefined : 'cache markers'
    if (/defer_loading|tool_reference/i.test(message)) return 'tool references'
    if (BAD_SIGNATURE.test(message)) return messages.some(hasThinking) ? 'signed thinking' : undefined
    if (!NOT_KNOWN.test(message)) return undefined
    if (/beta/i.test(message) && sent.betas.length > 0) return 'betas'
    if (/adaptive/i.test(message) && sent.thinking?.type === 'adaptive') return 'adaptive thinking'
    if (/thinking/i.test(message) && sent.thinking) return 'thinking'
    if (/output_config|effort/i.test(message) && sent.effort !== null && sent.taskBudget === null) return 'effort'
    return /metadata/i.test(message) && !sent.withoutMetadata ? 'metadata' : undefined
  }

  return {
    learn(message, sent, messages) {
      const found = cause(message, sent, messages)
      if (found === undefined || known.has(found)) return undefined
      known.add(found)
      if (found === 'betas') {
        const those = sent.betas.filter((beta) => message.includes(beta))
        for (const beta of those.length > 0 ? those : sent.betas) named.add(beta)
      }
      return found
    },
    without(plan) {
      if (known.size === 0) return plan
      const adapted =
        known.has('adaptive thinking') && plan.thinking?.type === 'adaptive' ? withLargestThinkingBudget(plan) : plan
      return {
        ...adapted,
        ...(known.has('thinking') ? { thinking: null } : {}),
        ...(known.has('effort') ? { effort: null } : {}),
        betas: plan.betas.filter((beta) => !named.has(beta)),
        ...(known.has('cache markers') ? { cache: 'none' as const } : {}),
        withoutMetadata: known.has('metadata'),
      }
    },
  }
}

function hasThinking({ content }: MessageParam): boolean {
  return typeof content !== 'string' && content.some(isThinking)
}
