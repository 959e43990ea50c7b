/**
 * Inputs and outputs of the tools whose folders do not exist here yet, so that code written against their types compiles.
 * When such a tool is built, its `input.ts` and `output.ts` take the types over and `src/sdk-tools.ts` points there.
 */

// ── worktrees ────────────────────────────────────────────────────────────────

export type EnterWorktreeInput = { name?: string }
export type EnterWorktreeOutput = { worktreePath: string; worktreeBranch?: string; message: string }

// ── MCP ──────────────────────────────────────────────────────────────────────

/** Arguments of an MCP tool: whatever its server's schema says. */
export type McpInput = { [key: string]: unknown }
export type McpOutput = string

export type SubscribeMcpResourceInput = { server: string; uri: string; reason?: string }
export type SubscribeMcpResourceOutput = { subscribed: boolean; subscriptionId: string }
export type UnsubscribeMcpResourceInput = { server?: string; uri?: string; subscriptionId?: string }
export type UnsubscribeMcpResourceOutput = { unsubscribed: boolean }

export type SubscribePollingInput = {
  /** What to call again and again: a tool, or the reading of a resource. */
  type: 'tool' | 'resource'
  server: string
  toolName?: string
  arguments?: { [key: string]: unknown }
  uri?: string
  intervalMs: number
  reason?: string
}
export type SubscribePollingOutput = { subscribed: boolean; subscriptionId: string }
export type UnsubscribePollingInput = { subscriptionId?: string; server?: string; target?: string }
export type UnsubscribePollingOutput = { unsubscribed: boolean }
