/** What the agent wants to know, as people are asked. Pure. */
import type { ElicitationRequest } from '../../protocol/mcp-servers.js'
import type { CanUseTool, PermissionUpdate } from '../../protocol/permission-types.js'
import type { Ask, AskingAgent, AskKind, RuleSuggestion } from '../ask-types.js'

export type AskFields = Omit<Ask, 'id' | 'session' | 'since'>
export type CanUseToolOptions = Parameters<CanUseTool>[2]

/**
 * Returns the request for a tool call that needs a decision. `asker`: the sub-agent that makes the call, if it is
 * one.
 */
export function createAskOfToolCall(
  name: string,
  input: Record<string, unknown>,
  options: CanUseToolOptions,
  { hash, asker }: { hash: string; asker: AskingAgent | undefined },
): AskFields {
  return {
    kind: kindOf(name),
    agent: options.agentID === undefined ? [] : [options.agentID],
    ...(asker ? { asker } : {}),
    tool: { name, input, hash, useId: options.toolUseID },
    ...(options.preview ? { preview: options.preview } : {}),
    why: options.why ?? { layer: options.blockedPath ? 'path' : 'tool', text: options.decisionReason ?? '' },
    suggestions: (options.suggestions ?? []).map(toSuggestion),
  }
}

export function createElicitationAsk(request: ElicitationRequest): AskFields {
  const why = { layer: 'tool' as const, text: `The MCP server ${request.serverName} asks.` }
  return { kind: 'elicitation', agent: [], elicitation: request, why, suggestions: [] }
}

function kindOf(tool: string): AskKind {
  if (tool === 'AskUserQuestion') return 'question'
  return tool === 'ExitPlanMode' ? 'plan' : 'permission'
}

const SCOPES = {
  session: 'session',
  cliArg: 'session',
  localSettings: 'local',
  projectSettings: 'project',
  userSettings: 'user',
} as const

function toSuggestion(update: PermissionUpdate): RuleSuggestion {
  return { update, rule: describe(update), scope: SCOPES[update.destination] }
}

function describe(update: PermissionUpdate): string {
  if (update.type === 'setMode') return `mode ${update.mode}`
  if ('directories' in update) return update.directories.map((folder) => `folder ${folder}`).join(', ')
  return update.rules
    .map(({ toolName, ruleContent }) => (ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`))
    .join(', ')
}
