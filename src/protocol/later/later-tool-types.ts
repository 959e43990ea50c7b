/**
 * Inputs and outputs of the tools whose folders do not exist here yet, so that code written against their types compiles.
 * When such a tool is built, its `input.ts` and `output.ts` take the types over and `src/sdk-tools.ts` points there.
 */

// ── worktrees ────────────────────────────────────────────────────────────────

/** What `EnterWorktree` takes. */
export type EnterWorktreeInput = {
  /** A name for the working tree. */
  name?: string
}
/** Where the session works from now on. */
export type EnterWorktreeOutput = {
  /** The folder. */
  worktreePath: string
  /** Its branch. */
  worktreeBranch?: string
  /** The same as a sentence. */
  message: string
}

// ── MCP ──────────────────────────────────────────────────────────────────────

/** Arguments of an MCP tool, as its server's schema defines them. */
export type McpInput = { [key: string]: unknown }
/** What the model reads of the result. */
export type McpOutput = string

/** Subscribes to changes of a resource. */
export type SubscribeMcpResourceInput = {
  /** The MCP server, by its name. */
  server: string
  /** The address of the resource. */
  uri: string
  /** What it is wanted for. */
  reason?: string
}
/** Whether the subscription was made. */
export type SubscribeMcpResourceOutput = {
  /** True if notices of changes will follow. */
  subscribed: boolean
  /** The id of the subscription. */
  subscriptionId: string
}
/** Ends a subscription, by its id or by what it is about. */
export type UnsubscribeMcpResourceInput = {
  /** The MCP server, by its name. */
  server?: string
  /** The address of the resource. */
  uri?: string
  /** The id of the subscription. */
  subscriptionId?: string
}
/** Whether a subscription was ended. */
export type UnsubscribeMcpResourceOutput = {
  /** True if no more notices will follow. */
  unsubscribed: boolean
}

/** Repeats calls, and subscribes to changes of their results. */
export type SubscribePollingInput = {
  /** What to call again and again: a tool, or the reading of a resource. */
  type: 'tool' | 'resource'
  /** The MCP server, by its name. */
  server: string
  /** The tool to call. */
  toolName?: string
  /** What to call it with. */
  arguments?: { [key: string]: unknown }
  /** The resource to read. */
  uri?: string
  /** How long to wait between two calls. */
  intervalMs: number
  /** What it is wanted for. */
  reason?: string
}
/** Whether the subscription was made. */
export type SubscribePollingOutput = {
  /** True if notices of changes will follow. */
  subscribed: boolean
  /** The id of the subscription. */
  subscriptionId: string
}
/** Ends repeated calls, by their id or by what they are about. */
export type UnsubscribePollingInput = {
  /** The id of the subscription. */
  subscriptionId?: string
  /** The MCP server, by its name. */
  server?: string
  /** The tool or resource. */
  target?: string
}
/** Whether repeated calls were ended. */
export type UnsubscribePollingOutput = {
  /** True if no more notices will follow. */
  unsubscribed: boolean
}
