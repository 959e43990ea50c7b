/** MCP vocabulary: server configurations, their status, and the few MCP types our public functions mention. */

/** What every server of a process or an address may have. */
type McpServerExtras = {
  /** Milliseconds one call of a tool may take; otherwise `MCP_TOOL_TIMEOUT` says. Below 1,000 it is ignored. */
  timeout?: number
  /** The first turn waits for this server, and its tools are always in the request. */
  alwaysLoad?: boolean
  /** The server may put questions to the session's model (MCP sampling); permission is asked for each. */
  sampling?: boolean
  /** No turn begins without it: the first one waits, and ends with an error if the server can't be reached. */
  required?: boolean
}
export type McpStdioServerConfig = {
  type?: 'stdio'
  command: string
  args?: string[]
  env?: Record<string, string>
} & McpServerExtras
type McpRemoteServer = {
  url: string
  headers?: Record<string, string>
  /** A command that prints further headers, as a JSON object; run at every connection. */
  headersHelper?: string
  /** The name in `url` may lead to an address that is not of the public internet. */
  allowPrivateAddress?: boolean
} & McpServerExtras
export type McpSSEServerConfig = { type: 'sse' } & McpRemoteServer
export type McpHttpServerConfig = { type: 'http' } & McpRemoteServer
export type McpSdkServerConfig = {
  type: 'sdk'
  name: string
  /** Milliseconds one call of a tool may take; otherwise `MCP_TOOL_TIMEOUT` says. Below 1,000 it is ignored. */
  timeout?: number
  /** The server may put questions to the session's model (MCP sampling); permission is asked for each. */
  sampling?: boolean
}
export type McpClaudeAIProxyServerConfig = { type: 'claudeai-proxy'; url: string; id: string }

/** What of an MCP server object we rely on; servers of the MCP library v1 and v2 both fit. */
export interface McpServerInstance {
  connect(transport: unknown): Promise<void>
  close(): Promise<void>
}

/** An in-process server; `instance` is a live object and never crosses a process boundary. */
export type McpSdkServerConfigWithInstance = McpSdkServerConfig & { instance: McpServerInstance }

export type McpServerConfigForProcessTransport =
  | McpStdioServerConfig
  | McpSSEServerConfig
  | McpHttpServerConfig
  | McpSdkServerConfig

export type McpServerConfig =
  | McpStdioServerConfig
  | McpSSEServerConfig
  | McpHttpServerConfig
  | McpSdkServerConfigWithInstance

export type McpServerStatusConfig = McpServerConfigForProcessTransport | McpClaudeAIProxyServerConfig

/** How an MCP server of the session is doing. */
export type McpServerStatus = {
  /** Its name in the configuration. */
  name: string
  /** `connected` servers offer tools; `failed` says why in `error`; `needs-auth` waits for a login. */
  status: 'connected' | 'failed' | 'needs-auth' | 'pending' | 'disabled'
  /** What the server says it is. */
  serverInfo?: { name: string; version: string }
  /** Why it failed. */
  error?: string
  /** With `needs-auth`: what a host needs to sign in. */
  auth?: McpAuthDetails
  /** How it is reached, without its secrets. */
  config?: McpServerStatusConfig
  /** Where it was configured: `user`, `project`, `local`, `dynamic` and others. */
  scope?: string
  /** The tools it offers. */
  tools?: {
    name: string
    description?: string
    annotations?: { readOnly?: boolean; destructive?: boolean; openWorld?: boolean }
  }[]
}

/** A question of an MCP server to the user. */
export type ElicitationRequest = {
  serverName: string
  message: string
  /** `form`: values for `requestedSchema`. `url`: a page the user is to visit. */
  mode?: 'form' | 'url'
  url?: string
  elicitationId?: string
  requestedSchema?: Record<string, unknown>
  title?: string
  displayName?: string
  description?: string
}
export type ElicitationResult = {
  action: 'accept' | 'decline' | 'cancel'
  /** Accepted without it: the form as it was offered, with the values it has by default. */
  content?: Record<string, string | number | boolean | string[]>
  _meta?: Record<string, unknown>
}
/** `null` means that the answer went to the agent by another way; nothing is sent then. */
export type OnElicitation = (
  request: ElicitationRequest,
  options: { signal: AbortSignal; requestId: string },
) => Promise<ElicitationResult | null>

/** What a server that wants a sign-in said about it. */
export type McpAuthDetails = {
  /** Where it describes itself (RFC 9728). */
  resourceMetadataUrl?: string
  authorizationServers?: string[]
  scopes?: string[]
}

export type McpSetServersResult = { added: string[]; removed: string[]; errors: Record<string, string> }

export type JSONRPCMessage = {
  jsonrpc: '2.0'
  id?: string | number
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: unknown }
}

export type ToolAnnotations = {
  title?: string
  readOnlyHint?: boolean
  destructiveHint?: boolean
  idempotentHint?: boolean
  openWorldHint?: boolean
}

export type CallToolContent =
  | { type: 'text'; text: string; annotations?: object; _meta?: Record<string, unknown> }
  | { type: 'image' | 'audio'; data: string; mimeType: string; annotations?: object; _meta?: Record<string, unknown> }
  | { type: 'resource_link'; uri: string; name: string; description?: string; mimeType?: string }
  | {
      type: 'resource'
      resource: { uri: string; mimeType?: string; text: string } | { uri: string; mimeType?: string; blob: string }
    }

export type CallToolResult = {
  content: CallToolContent[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
  _meta?: Record<string, unknown>
  [key: string]: unknown
}
