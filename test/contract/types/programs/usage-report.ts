// What a run cost, by model.
import type { ModelUsage, NonNullableUsage, SDKMessage, SDKResultMessage } from '@anthropic-ai/claude-agent-sdk'

type Row = { model: string; input: number; output: number; cached: number; usd: string }

export function rows(result: SDKResultMessage): Row[] {
  return Object.entries(result.modelUsage).map(([model, usage]) => row(model, usage))
}

function row(model: string, usage: ModelUsage): Row {
  const { inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens, costUSD } = usage
  const share = (inputTokens + cacheReadInputTokens) / usage.contextWindow
  console.log(share, usage.maxOutputTokens, usage.webSearchRequests)
  return {
    model,
    input: inputTokens + cacheCreationInputTokens,
    output: outputTokens,
    cached: cacheReadInputTokens,
    usd: costUSD.toFixed(4),
  }
}

export function tokens(usage: NonNullableUsage): number {
  return usage.input_tokens + usage.output_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens
}

export function isCached(usage: NonNullableUsage): boolean {
  const { ephemeral_1h_input_tokens: long, ephemeral_5m_input_tokens: short } = usage.cache_creation
  return long + short > 0 && usage.service_tier !== 'batch' && usage.server_tool_use.web_search_requests === 0
}

export async function total(
  messages: AsyncIterable<SDKMessage>,
): Promise<{ usd: number; ms: number; perAnswer: number[] }> {
  const seen = new Map<string, number>()
  let usd = 0
  let ms = 0
  for await (const message of messages) {
    if (message.type === 'assistant') {
      const { input_tokens: fresh, cache_read_input_tokens: cached } = message.message.usage
      seen.set(message.message.id, fresh + (cached ?? 0))
    }
    if (message.type === 'result') {
      usd = message.total_cost_usd
      ms += message.duration_ms - message.duration_api_ms
      if (message.is_error) throw new Error(message.subtype)
    }
  }
  return { usd, ms, perAnswer: [...seen.values()] }
}
