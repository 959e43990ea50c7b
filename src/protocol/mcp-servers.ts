/** MCP vocabulary: server configurations, their status, and the few MCP types our public functions mention. */

import type { JsonObject } from './json.js'

/** A server's tool, and whether its calls are allowed, asked for, or denied. Deny rules of the session come first. */
export type McpServerToolPolicy = {
  /** The tool, as its server calls it. */
  name: string
  /** `always_allow` counts for servers at an address only, and not where a project or plugin says so. */
  permission_policy?: 'always_allow' | 'always_ask' | 'always_deny'
  /** The most that an administrator leaves open. */
  org_max_permission?: 'allow' | 'ask' | 'blocked'
}

/** What every server of a process or an address may have. */
type McpServerExtras = {
  /** Milliseconds one call of a tool may take; otherwise `MCP_TOOL_TIMEOUT` says. Below 1,000 it is ignored. */
  timeout?: number
  /** The first turn waits for this server, and its tools are always in the request. */
  alwaysLoad?: boolean
  /** The server may put questions to the session's model (MCP sampling); permission is asked for each. */
  sampling?: boolean
  /** What is to be done about calls of single tools, whatever the permission mode. */
  tools?: McpServerToolPolicy[]
  /** No turn begins without it: the first one waits, and ends with an error if the server can't be reached. */
  required?: boolean
}
/** A server that is a program, spoken to over its stdin and stdout. */
export type McpStdioServerConfig = {
  /** May be left out. */
  type?: 'stdio'
  /** The program to start. */
  command: string
  /** Its arguments; no shell reads them. */
  args?: string[]
  /** Variables it gets in addition. */
  env?: Record<string, string>
} & McpServerExtras
/** Ours: how `kedge mcp login` signs in to a server. Texts can name environment variables, as in `${NAME}`. */
export type McpSignInConfig = {
  /** The id of a client that was registered by hand. */
  clientId?: string
  /** Its secret. Name an environment variable here. */
  clientSecret?: string
  /** The https address of a document that describes this client. */
  clientMetadataUrl?: string
  /** The only authorization server that may sign in. With a secret, always set it. */
  issuer?: string
  /** What to ask for, in place of what the server asks for. */
  scopes?: string[]
  /** The port of `http://localhost` that the browser comes back to. Default: a free one. */
  callbackPort?: number
}
type McpRemoteServer = {
  /** The address of the server. */
  url: string
  /** Headers for every request, such as `Authorization`. */
  headers?: Record<string, string>
  /** A command that prints further headers, as a JSON object; run at every connection. */
  headersHelper?: string
  /** The name in `url` may lead to an address that is not of the public internet. */
  allowPrivateAddress?: boolean
  /** How to sign in, where what the server says about it is not enough. */
  oauth?: McpSignInConfig
} & McpServerExtras
/** A server over server-sent events, as older ones have it. */
export type McpSSEServerConfig = { type: 'sse' } & McpRemoteServer
/** A server over streamable HTTP. */
export type McpHttpServerConfig = { type: 'http' } & McpRemoteServer
/** A server that runs in the caller's own process. */
export type McpSdkServerConfig = {
  type: 'sdk'
  /** The server's name. */
  name: string
  /** Milliseconds one call of a tool may take; otherwise `MCP_TOOL_TIMEOUT` says. Below 1,000 it is ignored. */
  timeout?: number
  /** The server may put questions to the session's model (MCP sampling); permission is asked for each. */
  sampling?: boolean
}
/** A server the original reaches through its own account; only ever seen in a status. */
export type McpClaudeAIProxyServerConfig = {
  type: 'claudeai-proxy'
  /** Its address. */
  url: string
  /** Its id there. */
  id: string
}

/** What of an MCP server object we rely on; servers of the MCP library v1 and v2 both fit. */
export interface McpServerInstance {
  /** Begins to serve over this connection. */
  connect(transport: unknown): Promise<void>
  /** Ends the server. */
  close(): Promise<void>
}

/** An in-process server; `instance` is a live object and never crosses a process boundary. */
export type McpSdkServerConfigWithInstance = McpSdkServerConfig & {
  /** The server itself, as `createSdkMcpServer()` makes it. */
  instance: McpServerInstance
}

/** The same as plain data, which can be sent to another process. */
export type McpServerConfigForProcessTransport =
  | McpStdioServerConfig
  | McpSSEServerConfig
  | McpHttpServerConfig
  | McpSdkServerConfig

/** How to reach an MCP server. */
export type McpServerConfig =
  | McpStdioServerConfig
  | McpSSEServerConfig
  | McpHttpServerConfig
  | McpSdkServerConfigWithInstance

/** How a server is reached, as its status tells it. */
export type McpServerStatusConfig = McpServerConfigForProcessTransport | McpClaudeAIProxyServerConfig

/** How an MCP server of the session is doing. */
export type McpServerStatus = {
  /** Its name in the configuration. */
  name: string
  /** `connected` servers offer tools; `failed` says why in `error`; `needs-auth` waits for a login. */
  status: 'connected' | 'failed' | 'needs-auth' | 'pending' | 'disabled'
  /** What the server says it is. */
  serverInfo?: {
    /** What the server calls itself. */
    name: string
    /** Its version. */
    version: string
  }
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
    /** The tool, without the server's name. */
    name: string
    /** What the server says it does. */
    description?: string
    /** Hints of the server about it. */
    annotations?: {
      /** It changes nothing. */
      readOnly?: boolean
      /** It may destroy something. */
      destructive?: boolean
      /** It deals with things outside. */
      openWorld?: boolean
    }
    /** The address of its user interface (MCP Apps): `ui://…`. */
    ui?: string
  }[]
}

/** A question of an MCP server to the user. */
export type ElicitationRequest = {
  /** The server that asks. */
  serverName: string
  /** What it asks, in its words. */
  message: string
  /** `form`: values for `requestedSchema`. `url`: a page the user is to visit. */
  mode?: 'form' | 'url'
  /** The page to open. */
  url?: string
  /** Ties the question to the notice that it is done. */
  elicitationId?: string
  /** JSON Schema of the fields to fill in. */
  requestedSchema?: Record<string, unknown>
  /** A heading for the question. */
  title?: string
  /** The server's name for people. */
  displayName?: string
  /** More about the question. */
  description?: string
}
/** The answer to a server's question. */
export type ElicitationResult = {
  /** Accept with `content`, decline, or cancel without an answer. */
  action: 'accept' | 'decline' | 'cancel'
  /** Accepted without it: the form as it was offered, with the values it has by default. */
  content?: Record<string, string | number | boolean | string[]>
  /** What the server adds for clients; the model does not see it. */
  _meta?: Record<string, unknown>
}
/**
 * `null` means that the answer went to the agent by another way; nothing is sent then. `park`, where `canPark` is set,
 * ends the turn with the call open, and `continueTurn` asks again.
 */
export type OnElicitation = (
  request: ElicitationRequest,
  options: {
    /** Aborts when the answer is not needed any more. */
    signal: AbortSignal
    /** The id of the question. */
    requestId: string
    /** Kedge only: the tool call that the server asks for, if it's known. */
    toolUseID?: string
    /** Kedge only: tells the questions of a call apart. If another process asks again, the key is the same. */
    questionKey?: string
    /** Kedge only, with `parkAsks`: `{ action: 'park' }` leaves the question open. */
    canPark?: true
  },
) => Promise<ElicitationResult | { action: 'park' } | null>

/** What a server that wants a sign-in said about it. */
export type McpAuthDetails = {
  /** Where it describes itself (RFC 9728). */
  resourceMetadataUrl?: string
  /** Where one can sign in. */
  authorizationServers?: string[]
  /** What the token has to allow. */
  scopes?: string[]
}

/** Ours: a server for which the host is asked to give a token. */
export type McpTokenRequest = {
  /** The server, by its name in the configuration. */
  server: string
  /** Its address. */
  url: string
  /**
   * Why: `connect` before the first request, `rejected` after HTTP 401, `insufficient_scope` if the server wants more
   * rights than the last token has.
   */
  reason: 'connect' | 'rejected' | 'insufficient_scope'
  /** What the token has to allow. */
  scopes?: string[]
  /** Where the server describes itself (RFC 9728). */
  resourceMetadataUrl?: string
}

/** Ours: returns an access token for an MCP server; nothing if there is none. */
export type GetMcpToken = (
  request: McpTokenRequest,
  options: {
    /** Aborted when the token is not needed any more. */
    signal: AbortSignal
  },
) => Promise<string | null | undefined>

/** Ours: an MCP server wants a sign-in, and its user can do that now. */
export type McpSignInRequest = {
  /** The server, by its name in the configuration. */
  server: string
  /** Its address, without a query. */
  url: string
  /** `offer`: nothing has begun. `visit`: the user is to visit the page at `address`. */
  step: 'offer' | 'visit'
  /** In step `visit`: the page of the authorization server. */
  address?: string
  /** In step `visit`: the code that the page asks for, or shows. */
  code?: string
  /** In step `visit`: if the page leads to an address that the browser can't open, the user can paste that address. */
  canPaste?: boolean
  /** Why the last attempt failed. */
  problem?: string
}

/** Ours: what the user wants. */
export type McpSignInAnswer =
  | {
      /** Answers step `offer`: the sign-in begins. */
      action: 'start'
      /** `device`: with a code, on any device. Default: in a browser on the agent's machine. */
      method?: 'browser' | 'device'
    }
  | {
      /** Answers step `visit`. */
      action: 'finish'
      /** The address that the browser ended at. */
      callback: string
    }
  | {
      /** Answers either step: the server stays without a sign-in. */
      action: 'cancel'
    }

/**
 * Ours: leads the user through a sign-in. Kedge calls it with step `offer`, and after `start` with step `visit`. The
 * signal of step `visit` is aborted when the user is back, so there is nothing to answer.
 */
export type OnMcpSignIn = (
  request: McpSignInRequest,
  options: {
    /** Aborted when no answer is needed any more. */
    signal: AbortSignal
  },
) => Promise<McpSignInAnswer>

/** What `setMcpServers()` did. */
export type McpSetServersResult = {
  /** Names of the servers that were added. */
  added: string[]
  /** Names of those that are gone. */
  removed: string[]
  /** Those that could not be added, and why. */
  errors: Record<string, string>
}

/** A message of MCP: a request, a notification, or an answer. */
export type JSONRPCMessage = {
  /** The version of JSON-RPC. */
  jsonrpc: '2.0'
  /** Ties an answer to its request; a notification has none. */
  id?: string | number
  /** What is asked for. */
  method?: string
  /** What it is asked with. */
  params?: Record<string, unknown>
  /** The answer. */
  result?: Record<string, unknown>
  /** Why there is none. */
  error?: {
    /** A number, as JSON-RPC has them. */
    code: number
    /** What is wrong, in words. */
    message: string
    /** More about it. */
    data?: unknown
  }
}

/** What a server says of its tool: hints, not promises. */
export type ToolAnnotations = {
  /** A name for people. */
  title?: string
  /** It changes nothing. */
  readOnlyHint?: boolean
  /** It may destroy something. */
  destructiveHint?: boolean
  /** Calling it again with the same input changes nothing more. */
  idempotentHint?: boolean
  /** It deals with things outside, such as the web. */
  openWorldHint?: boolean
}

/** A part of what an MCP tool gave back. */
export type CallToolContent =
  | {
      type: 'text'
      /** Text, for the model to read. */
      text: string
      /** Hints of the server: the intended audience, and the priority. */
      annotations?: object
      /** What the server adds for clients; the model does not see it. */
      _meta?: Record<string, unknown>
    }
  | {
      /** Which of the two it is. */
      type: 'image' | 'audio'
      /** The picture or sound, as base64. */
      data: string
      /** What kind of data it is. */
      mimeType: string
      /** Hints of the server: the intended audience, and the priority. */
      annotations?: object
      /** What the server adds for clients; the model does not see it. */
      _meta?: Record<string, unknown>
    }
  | {
      type: 'resource_link'
      /** The address of a resource. */
      uri: string
      /** The name of the resource. */
      name: string
      /** What the resource is. */
      description?: string
      /** What kind of data it is. */
      mimeType?: string
    }
  | {
      type: 'resource'
      /** A resource with what is in it. */
      resource:
        | {
            /** The address of the resource. */
            uri: string
            /** What kind of data it is. */
            mimeType?: string
            /** What is in it, as text. */
            text: string
          }
        | {
            /** The address of the resource. */
            uri: string
            /** What kind of data it is. */
            mimeType?: string
            /** What is in it, as base64. */
            blob: string
          }
    }

/** What the handler of an MCP tool returns. */
export type CallToolResult = {
  /** What the model reads. */
  content: CallToolContent[]
  /** The same as data, where the tool has an output schema. */
  structuredContent?: Record<string, unknown>
  /** True: the call failed, and the content says why. */
  isError?: boolean
  /** What the server adds for clients; the model does not see it. */
  _meta?: Record<string, unknown>
  [key: string]: unknown
}
