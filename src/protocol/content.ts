/** Content of the Messages API as it crosses our wires: what users send, what models answer, what streams carry. */

export type UUID = `${string}-${string}-${string}-${string}-${string}`

export type CacheControl = { type: 'ephemeral'; ttl?: '5m' | '1h' }

// ── what goes in ─────────────────────────────────────────────────────────────

export type ImageMediaType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'

type DocumentCitation = { cited_text: string; document_index: number; document_title: string | null }

/** Where a piece of text comes from. */
export type TextCitation =
  | (DocumentCitation & { type: 'char_location'; start_char_index: number; end_char_index: number })
  | (DocumentCitation & { type: 'page_location'; start_page_number: number; end_page_number: number })
  | (DocumentCitation & { type: 'content_block_location'; start_block_index: number; end_block_index: number })
  | {
      type: 'web_search_result_location'
      cited_text: string
      encrypted_index: string
      title: string | null
      url: string
    }
  | {
      type: 'search_result_location'
      cited_text: string
      search_result_index: number
      source: string
      title: string | null
      start_block_index: number
      end_block_index: number
    }

export type TextBlockParam = {
  type: 'text'
  text: string
  cache_control?: CacheControl | null
  citations?: TextCitation[] | null
}

export type ImageBlockParam = {
  type: 'image'
  source:
    | { type: 'base64'; data: string; media_type: ImageMediaType }
    | { type: 'url'; url: string }
    | { type: 'file'; file_id: string }
  cache_control?: CacheControl | null
}

export type DocumentBlockParam = {
  type: 'document'
  source:
    | { type: 'base64'; data: string; media_type: 'application/pdf' }
    | { type: 'text'; data: string; media_type: 'text/plain' }
    | { type: 'content'; content: string | (TextBlockParam | ImageBlockParam)[] }
    | { type: 'url'; url: string }
    | { type: 'file'; file_id: string }
  cache_control?: CacheControl | null
  citations?: { enabled?: boolean } | null
  context?: string | null
  title?: string | null
}

export type SearchResultBlockParam = {
  type: 'search_result'
  content: TextBlockParam[]
  source: string
  title: string
  cache_control?: CacheControl | null
  citations?: { enabled?: boolean }
}

export type ToolReferenceBlockParam = { type: 'tool_reference'; tool_name: string; cache_control?: CacheControl | null }
/** What a browser of the provider saw; passed on untouched. */
export type BrowserStateBlockParam = { type: 'browser_state' }

export type ToolResultContent =
  | TextBlockParam
  | ImageBlockParam
  | DocumentBlockParam
  | SearchResultBlockParam
  | ToolReferenceBlockParam
  | BrowserStateBlockParam

export type ToolResultBlockParam = {
  type: 'tool_result'
  tool_use_id: string
  content?: string | ToolResultContent[]
  is_error?: boolean
  cache_control?: CacheControl | null
}

export type ToolUseBlockParam = {
  type: 'tool_use'
  id: string
  name: string
  input: unknown
  cache_control?: CacheControl | null
}

export type ThinkingBlockParam = { type: 'thinking'; thinking: string; signature: string }
export type RedactedThinkingBlockParam = { type: 'redacted_thinking'; data: string }

/** Tools that run on the provider's side, and their results, kept as they came. */
export type ServerToolUseBlock = { type: 'server_tool_use'; id: string; name: string; input: unknown }
export type WebSearchToolResultBlock = { type: 'web_search_tool_result'; tool_use_id: string; content: unknown }
export type WebFetchToolResultBlock = { type: 'web_fetch_tool_result'; tool_use_id: string; content: unknown }

/** The other blocks the API knows. Never made here, only passed on, so no more of them is spelled out than a reader may need. */
export type ProviderBlock = {
  type:
    | 'code_execution_tool_result'
    | 'bash_code_execution_tool_result'
    | 'text_editor_code_execution_tool_result'
    | 'tool_search_tool_result'
    | 'container_upload'
  tool_use_id?: string
  file_id?: string
  content?: unknown
}

export type ContentBlockParam =
  | TextBlockParam
  | ImageBlockParam
  | DocumentBlockParam
  | SearchResultBlockParam
  | ToolResultBlockParam
  | ToolUseBlockParam
  | ThinkingBlockParam
  | RedactedThinkingBlockParam
  | ServerToolUseBlock
  | WebSearchToolResultBlock
  | WebFetchToolResultBlock
  | ToolReferenceBlockParam
  | BrowserStateBlockParam
  | ProviderBlock

export type MessageParam = { role: 'user' | 'assistant' | 'system'; content: string | ContentBlockParam[] }

// ── what comes out ───────────────────────────────────────────────────────────

export type TextBlock = { type: 'text'; text: string; citations?: TextCitation[] | null }
export type ThinkingBlock = { type: 'thinking'; thinking: string; signature: string }
export type RedactedThinkingBlock = { type: 'redacted_thinking'; data: string }
export type ToolUseBlock = { type: 'tool_use'; id: string; name: string; input: unknown }

export type ContentBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ServerToolUseBlock
  | WebSearchToolResultBlock
  | WebFetchToolResultBlock
  | ProviderBlock

export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'refusal'
  | 'model_context_window_exceeded'
  | 'compaction'

export type CacheCreation = { ephemeral_1h_input_tokens: number; ephemeral_5m_input_tokens: number }
export type ServerToolUsage = { web_search_requests: number; web_fetch_requests: number }

export type Usage = {
  input_tokens: number
  output_tokens: number
  cache_creation_input_tokens: number | null
  cache_read_input_tokens: number | null
  server_tool_use?: ServerToolUsage | null
  service_tier?: 'standard' | 'priority' | 'batch' | null
  cache_creation?: CacheCreation | null
  inference_geo?: string | null
  iterations?: object[] | null
  speed?: 'standard' | 'fast' | null
}

// Spelled out instead of mapped, so that editors and the schema show it plainly.
/** `Usage` with nothing missing: what a `result` carries. */
export type NonNullableUsage = {
  input_tokens: number
  output_tokens: number
  cache_creation_input_tokens: number
  cache_read_input_tokens: number
  server_tool_use: ServerToolUsage
  service_tier: 'standard' | 'priority' | 'batch'
  cache_creation: CacheCreation
  inference_geo: string
  iterations: object[]
  speed: 'standard' | 'fast'
}

export type AssistantMessage = {
  id: string
  type: 'message'
  role: 'assistant'
  model: string
  content: ContentBlock[]
  stop_reason: StopReason | null
  stop_sequence: string | null
  usage: Usage
  container?: object | null
  context_management?: object | null
}

// ── streams ──────────────────────────────────────────────────────────────────

export type ContentDelta =
  | { type: 'text_delta'; text: string }
  | { type: 'input_json_delta'; partial_json: string }
  | { type: 'thinking_delta'; thinking: string }
  | { type: 'signature_delta'; signature: string }
  | { type: 'citations_delta'; citation: TextCitation }

export type RawStreamEvent =
  | { type: 'message_start'; message: AssistantMessage }
  | { type: 'content_block_start'; index: number; content_block: ContentBlock }
  | { type: 'content_block_delta'; index: number; delta: ContentDelta }
  | { type: 'content_block_stop'; index: number }
  | {
      type: 'message_delta'
      delta: { stop_reason: StopReason | null; stop_sequence: string | null }
      usage: Partial<Usage>
    }
  | { type: 'message_stop' }
