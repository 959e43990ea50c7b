/** A line of ours in the model's place, so that hosts can show what went wrong. Not part of the conversation. */
import type { AssistantMessage } from '../protocol/content.js'

export function syntheticMessage(id: string, text: string): AssistantMessage {
  return {
    id,
    container: null,
    model: '<synthetic>',
    role: 'assistant',
    stop_reason: 'stop_sequence',
    stop_sequence: '',
    type: 'message',
    usage: {
      input_tokens: 0,
      output_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
      service_tier: null,
      cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
      inference_geo: null,
      iterations: null,
      speed: null,
    },
    content: [{ type: 'text', text }],
    context_management: null,
  }
}
