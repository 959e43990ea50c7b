/** Content of the Messages API as it crosses our wires: what users send, what models answer, what streams carry. */

/** An id such as `0f9c1c52-3c0e-4b0c-8d0e-6a2f6f2b7c11`. */
export type UUID = `${string}-${string}-${string}-${string}-${string}`

/** Marks the end of what the API should keep in its prompt cache. */
export type CacheControl = {
  type: 'ephemeral'
  /** How long to keep it; five minutes if not said. */
  ttl?: '5m' | '1h'
}

// ── what goes in ─────────────────────────────────────────────────────────────

/** The kinds of pictures the API takes. */
export type ImageMediaType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'

type DocumentCitation = {
  /** The words that are quoted. */
  cited_text: string
  /** Which document of the request, from 0. */
  document_index: number
  /** Its title. */
  document_title: string | null
}

/** Where a piece of text comes from. */
export type TextCitation =
  | (DocumentCitation & {
      type: 'char_location'
      /** Where the quote begins, in characters. */
      start_char_index: number
      /** Where it ends, in characters. */
      end_char_index: number
    })
  | (DocumentCitation & {
      type: 'page_location'
      /** The page it begins on, from 1. */
      start_page_number: number
      /** The page after the last. */
      end_page_number: number
    })
  | (DocumentCitation & {
      type: 'content_block_location'
      /** The block it begins in, from 0. */
      start_block_index: number
      /** The block after the last. */
      end_block_index: number
    })
  | {
      type: 'web_search_result_location'
      /** The words that are quoted. */
      cited_text: string
      /** Where it stands in a found page: to be sent back as it is. */
      encrypted_index: string
      /** The title of the page or result. */
      title: string | null
      /** The address of the page. */
      url: string
    }
  | {
      type: 'search_result_location'
      /** The words that are quoted. */
      cited_text: string
      /** Which search result of the request, from 0. */
      search_result_index: number
      /** Where that result was found. */
      source: string
      /** The title of the page or result. */
      title: string | null
      /** The block it begins in, from 0. */
      start_block_index: number
      /** The block after the last. */
      end_block_index: number
    }

/** Text for the model. */
export type TextBlockParam = {
  type: 'text'
  /** The text. */
  text: string
  /** Marks this block as the end of what should be cached. */
  cache_control?: CacheControl | null
  /** Sources, or whether the model should name them. */
  citations?: TextCitation[] | null
}

/** A picture for the model to look at. */
export type ImageBlockParam = {
  type: 'image'
  /** The picture itself, its address, or the id of an uploaded file. */
  source:
    | {
        type: 'base64'
        /** The picture, as base64. */
        data: string
        /** What kind of picture it is. */
        media_type: ImageMediaType
      }
    | {
        type: 'url'
        /** Its address. */
        url: string
      }
    | {
        type: 'file'
        /** The id it has at the API. */
        file_id: string
      }
  /** Marks this block as the end of what should be cached. */
  cache_control?: CacheControl | null
}

/** A document for the model to read. */
export type DocumentBlockParam = {
  type: 'document'
  /** A PDF, text or blocks, given here, by address, or by the id of an uploaded file. */
  source:
    | {
        type: 'base64'
        /** The document: a PDF as base64, or text. */
        data: string
        media_type: 'application/pdf'
      }
    | {
        type: 'text'
        /** The document: a PDF as base64, or text. */
        data: string
        media_type: 'text/plain'
      }
    | {
        type: 'content'
        /** The document as blocks. */
        content: string | (TextBlockParam | ImageBlockParam)[]
      }
    | {
        type: 'url'
        /** Its address. */
        url: string
      }
    | {
        type: 'file'
        /** The id it has at the API. */
        file_id: string
      }
  /** Marks this block as the end of what should be cached. */
  cache_control?: CacheControl | null
  /** Sources, or whether the model should name them. */
  citations?: {
    /** Whether the model should name its sources. */
    enabled?: boolean
  } | null
  /** What the model should know about the document. */
  context?: string | null
  /** Its title. */
  title?: string | null
}

/** Something found, for the model to quote from. */
export type SearchResultBlockParam = {
  type: 'search_result'
  /** Its text. */
  content: TextBlockParam[]
  /** Where it was found. */
  source: string
  /** Its title. */
  title: string
  /** Marks this block as the end of what should be cached. */
  cache_control?: CacheControl | null
  /** Sources, or whether the model should name them. */
  citations?: {
    /** Whether the model should name its sources. */
    enabled?: boolean
  }
}

/** Names a tool that was found by search, so that the model may use it. */
export type ToolReferenceBlockParam = {
  type: 'tool_reference'
  /** The name of the tool. */
  tool_name: string
  /** Marks this block as the end of what should be cached. */
  cache_control?: CacheControl | null
}
/** What a browser of the provider saw; passed on untouched. */
export type BrowserStateBlockParam = { type: 'browser_state' }

/** A part of a tool's result. */
export type ToolResultContent =
  | TextBlockParam
  | ImageBlockParam
  | DocumentBlockParam
  | SearchResultBlockParam
  | ToolReferenceBlockParam
  | BrowserStateBlockParam

/** What a tool gave back. */
export type ToolResultBlockParam = {
  type: 'tool_result'
  /** The call it answers. */
  tool_use_id: string
  /** Text, or blocks such as pictures. */
  content?: string | ToolResultContent[]
  /** True: the call failed, and the content says why. */
  is_error?: boolean
  /** Marks this block as the end of what should be cached. */
  cache_control?: CacheControl | null
}

/** The same, sent back. */
export type ToolUseBlockParam = {
  type: 'tool_use'
  /** The id of the call: its result names it. */
  id: string
  /** The tool. */
  name: string
  /** What it is called with. */
  input: unknown
  /** Marks this block as the end of what should be cached. */
  cache_control?: CacheControl | null
}

/** The same, sent back. */
export type ThinkingBlockParam = {
  type: 'thinking'
  /** The thinking, in words. */
  thinking: string
  /** Proves to the API that the thinking is its own. */
  signature: string
}
/** The same, sent back. */
export type RedactedThinkingBlockParam = {
  type: 'redacted_thinking'
  /** The thinking, encrypted: to be sent back as it is. */
  data: string
}

/** Tools that run on the provider's side, and their results, kept as they came. */
export type ServerToolUseBlock = {
  type: 'server_tool_use'
  /** The id of the call. */
  id: string
  /** The tool. */
  name: string
  /** What it is called with. */
  input: unknown
}
/** What the API itself found on the web. */
export type WebSearchToolResultBlock = {
  type: 'web_search_tool_result'
  /** The call it answers. */
  tool_use_id: string
  /** What it gave, as the API has it. */
  content: unknown
}
/** A page that the API itself fetched. */
export type WebFetchToolResultBlock = {
  type: 'web_fetch_tool_result'
  /** The call it answers. */
  tool_use_id: string
  /** What it gave, as the API has it. */
  content: unknown
}

/** The API's other blocks. Kedge never makes them and passes them on, so only fields that readers use are listed. */
export type ProviderBlock = {
  /** Which tool or feature of the API it belongs to. */
  type:
    | 'advisor_tool_result'
    | 'code_execution_tool_result'
    | 'bash_code_execution_tool_result'
    | 'text_editor_code_execution_tool_result'
    | 'tool_search_tool_result'
    | 'container_upload'
    | 'mcp_tool_use'
    | 'mcp_tool_result'
    | 'mcp_tool_listing'
    | 'compaction'
    | 'fallback'
  /** The ID of a call: its result names it. */
  id?: string
  /** The tool of a call. */
  name?: string
  /** The input of a call. */
  input?: unknown
  /** The call that a result answers. */
  tool_use_id?: string
  /** The uploaded file it refers to. */
  file_id?: string
  /** What a tool returned, or a summary, as the API has it. */
  content?: unknown
}
/** Adds tools to a conversation, or removes them. Only requests have it. */
export type ToolChangeBlockParam = {
  /** Whether the tool is added or removed. */
  type: 'tool_addition' | 'tool_removal'
  /** The tool or the reference to it, as the API has it. */
  tool: unknown
}

/** A part of a message that is sent to the model. */
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
  | ToolChangeBlockParam

/** A message as it is sent to the model. */
export type MessageParam = {
  /** The author of the message. */
  role: 'user' | 'assistant' | 'system'
  /** Text, or a list of content blocks. */
  content: string | ContentBlockParam[]
}

// ── what comes out ───────────────────────────────────────────────────────────

/** Text of the model. */
export type TextBlock = {
  type: 'text'
  /** The text. */
  text: string
  /** Its sources. */
  citations?: TextCitation[] | null
}
/** What the model thought before it answered. */
export type ThinkingBlock = {
  type: 'thinking'
  /** The thinking, in words. */
  thinking: string
  /** Proves to the API that the thinking is its own. */
  signature: string
}
/** Thinking that the API does not show, in encrypted form. */
export type RedactedThinkingBlock = {
  type: 'redacted_thinking'
  /** The thinking, encrypted: to be sent back as it is. */
  data: string
}
/** A tool call of the model. */
export type ToolUseBlock = {
  type: 'tool_use'
  /** The id of the call: its result names it. */
  id: string
  /** The tool. */
  name: string
  /** What it is called with. */
  input: unknown
}

/** A part of an answer: text, thinking, a tool call, or what a tool of the API itself gave. */
export type ContentBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ServerToolUseBlock
  | WebSearchToolResultBlock
  | WebFetchToolResultBlock
  | ProviderBlock

/** Why the model stopped writing. */
export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'refusal'
  | 'model_context_window_exceeded'
  | 'compaction'

/** Tokens written to the cache, by how long they are kept. */
export type CacheCreation = {
  /** Those kept for an hour. */
  ephemeral_1h_input_tokens: number
  /** Those kept for five minutes. */
  ephemeral_5m_input_tokens: number
}
/** How often tools of the API itself were used. */
export type ServerToolUsage = {
  /** Searches of the web. */
  web_search_requests: number
  /** Pages that were fetched. */
  web_fetch_requests: number
}

/** The tokens of one answer, as the API counts them. */
export type Usage = {
  /** Tokens that were read and came from no cache. */
  input_tokens: number
  /** Tokens that were written. */
  output_tokens: number
  /** Tokens that were written to the cache. */
  cache_creation_input_tokens: number | null
  /** Tokens that were read from the cache. */
  cache_read_input_tokens: number | null
  /** How often tools of the API itself were used. */
  server_tool_use?: ServerToolUsage | null
  /** The service tier that answered. */
  service_tier?: 'standard' | 'priority' | 'batch' | null
  /** What was written to the cache, by how long it is kept. */
  cache_creation?: CacheCreation | null
  /** Where the model ran, where the API says so. */
  inference_geo?: string | null
  /** What each round took, where the API made several. */
  iterations?: object[] | null
  /** How fast the answer was asked for. */
  speed?: 'standard' | 'fast' | null
}

// Spelled out instead of mapped, so that editors and the schema show it plainly.
/** `Usage` with nothing missing: what a `result` carries. */
export type NonNullableUsage = {
  /** Tokens that were read and came from no cache. */
  input_tokens: number
  /** Tokens that were written. */
  output_tokens: number
  /** Tokens that were written to the cache. */
  cache_creation_input_tokens: number
  /** Tokens that were read from the cache. */
  cache_read_input_tokens: number
  /** How often tools of the API itself were used. */
  server_tool_use: ServerToolUsage
  /** The service tier that answered. */
  service_tier: 'standard' | 'priority' | 'batch'
  /** What was written to the cache, by how long it is kept. */
  cache_creation: CacheCreation
  /** Where the model ran, where the API says so. */
  inference_geo: string
  /** What each round took, where the API made several. */
  iterations: object[]
  /** How fast the answer was asked for. */
  speed: 'standard' | 'fast'
}

/** An answer of the model, as the Messages API gives it. */
export type AssistantMessage = {
  /** The id of the answer; all lines of one answer share it. */
  id: string
  type: 'message'
  role: 'assistant'
  /** The model that answered. */
  model: string
  /** What it said and which tools it called, in order. */
  content: ContentBlock[]
  /** Why it stopped; null while it is still coming in. */
  stop_reason: StopReason | null
  /** The text that stopped it, if one did. */
  stop_sequence: string | null
  /** The tokens it took. */
  usage: Usage
  /** The container of the API's code execution, where it was used. */
  container?: object | null
  /** What the API itself left out of the context. */
  context_management?: object | null
}

// ── streams ──────────────────────────────────────────────────────────────────

/** The next piece of a content block that is coming in. */
export type ContentDelta =
  | {
      type: 'text_delta'
      /** More text. */
      text: string
    }
  | {
      type: 'input_json_delta'
      /** More of the JSON of a tool's input; whole only at the end of the block. */
      partial_json: string
    }
  | {
      type: 'thinking_delta'
      /** More thinking. */
      thinking: string
    }
  | {
      type: 'signature_delta'
      /** The signature that ends a thinking block. */
      signature: string
    }
  | {
      type: 'citations_delta'
      /** A source of the text before it. */
      citation: TextCitation
    }
  | {
      type: 'compaction_delta'
      /** The summary, of a compaction that the API itself makes. */
      content: string | null
    }

/** An event of a streamed answer, as the Messages API sends it. */
export type RawStreamEvent =
  | {
      type: 'message_start'
      /** The answer so far: with no content yet. */
      message: AssistantMessage
    }
  | {
      type: 'content_block_start'
      /** Which content block it is about, from 0. */
      index: number
      /** The block as it begins. */
      content_block: ContentBlock
    }
  | {
      type: 'content_block_delta'
      /** Which content block it is about, from 0. */
      index: number
      /** What is new. */
      delta: ContentDelta
    }
  | {
      type: 'content_block_stop'
      /** Which content block it is about, from 0. */
      index: number
    }
  | {
      type: 'message_delta'
      /** What is new. */
      delta: { stop_reason: StopReason | null; stop_sequence: string | null }
      /** The tokens so far; `null` means that `message_start` had the number. */
      usage: Partial<Omit<Usage, 'input_tokens'>> & { input_tokens?: number | null }
    }
  | { type: 'message_stop' }
