/** How full the context window is, and what the session cost. */
import type { PromptResponse, SessionUpdate, Usage } from '@agentclientprotocol/sdk/unstable'
import type { RawStreamEvent } from '../../protocol/content.js'
import type { SDKResultMessage } from '../../protocol/messages.js'

export class ContextUsageMeter {
  #used = 0
  /** Size of the context window in tokens; 0 if it isn't known yet. */
  #size = 0
  #model = ''

  /** Another model may have another window. */
  model(name: string): void {
    if (name !== this.#model) this.#size = 0
    this.#model = name
  }

  stream(event: RawStreamEvent): SessionUpdate[] {
    if (event.type === 'message_start') {
      const {
        input_tokens: input,
        cache_read_input_tokens: read,
        cache_creation_input_tokens: written,
      } = event.message.usage
      this.#used = input + (read ?? 0) + (written ?? 0)
      return []
    }
    if (event.type !== 'message_delta' || this.#size === 0) return []
    return [this.#update({}, this.#used + (event.usage.output_tokens ?? 0))]
  }

  result(message: SDKResultMessage): SessionUpdate[] {
    const windows = Object.entries(message.modelUsage)
    const [, main] = windows.find(([model]) => model === this.#model) ?? windows[0] ?? []
    if (main && main.contextWindow > 0) this.#size = main.contextWindow
    if (this.#size === 0) return []
    const amount = message.session_total_cost_usd ?? message.total_cost_usd
    return [this.#update({ cost: { amount, currency: 'USD' } })]
  }

  rateLimit(info: Record<string, unknown>): SessionUpdate {
    const _meta = { '_claude/rateLimit': info, kedge: { rateLimit: info } }
    return this.#size === 0 ? { sessionUpdate: 'session_info_update', _meta } : this.#update({}, this.#used, _meta)
  }

  #update(more: object, used = this.#used, about: object = {}): SessionUpdate {
    this.#used = used
    // Under the name that clients of other adapters know.
    const _meta = { ...(this.#model === '' ? {} : { '_claude/model': this.#model }), ...about }
    return { sessionUpdate: 'usage_update', used, size: this.#size, ...more, _meta }
  }
}

/** Returns one turn's usage, for the response to its prompt. */
export function usageOfResult({ usage, modelUsage }: SDKResultMessage): Pick<PromptResponse, 'usage' | '_meta'> {
  const read = usage.cache_read_input_tokens ?? 0
  const written = usage.cache_creation_input_tokens ?? 0
  const { input_tokens: input, output_tokens: output } = usage
  const total = input + output + read + written
  const counted: Usage = {
    totalTokens: total,
    inputTokens: input,
    outputTokens: output,
    cachedReadTokens: read,
    cachedWriteTokens: written,
  }
  const tokens = { input_tokens: input, output_tokens: output, cached_input_tokens: read, total_tokens: total }
  const models = Object.entries(modelUsage).map(([model, { inputTokens, outputTokens, costUSD }]) => ({
    model,
    token_count: { input_tokens: inputTokens, output_tokens: outputTokens },
    cost_usd: costUSD,
  }))
  return { usage: counted, _meta: { quota: { token_count: tokens, model_usage: models } } }
}
