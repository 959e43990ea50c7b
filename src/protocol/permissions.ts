/** Permission vocabulary: modes, rules, updates, and the answer of a permission callback. */

/**
 * How calls are decided that no rule covers. `default` asks for what can do harm, `acceptEdits` also runs edits inside
 * the working directories, `plan` runs reads only, `dontAsk` denies what would ask, `bypassPermissions` runs everything
 * (needs `allowDangerouslySkipPermissions`).
 */
export type PermissionMode = 'default' | 'acceptEdits' | 'bypassPermissions' | 'plan' | 'dontAsk'

export type PermissionBehavior = 'allow' | 'deny' | 'ask'

/** `Bash(git log:*)` is `{toolName: 'Bash', ruleContent: 'git log:*'}`. */
export type PermissionRuleValue = { toolName: string; ruleContent?: string }

export type PermissionUpdateDestination = 'userSettings' | 'projectSettings' | 'localSettings' | 'session' | 'cliArg'

export type PermissionUpdate =
  | ({ type: 'addRules' } & RuleChange)
  | ({ type: 'replaceRules' } & RuleChange)
  | ({ type: 'removeRules' } & RuleChange)
  | { type: 'setMode'; mode: PermissionMode; destination: PermissionUpdateDestination }
  | { type: 'addDirectories'; directories: string[]; destination: PermissionUpdateDestination }
  | { type: 'removeDirectories'; directories: string[]; destination: PermissionUpdateDestination }

type RuleChange = {
  rules: PermissionRuleValue[]
  behavior: PermissionBehavior
  destination: PermissionUpdateDestination
}

export type PermissionResult =
  | {
      behavior: 'allow'
      /** Runs the tool with this input instead of the model's. */
      updatedInput?: Record<string, unknown>
      /** Often the suggestions of the request, handed back: "always allow". */
      updatedPermissions?: PermissionUpdate[]
      toolUseID?: string
    }
  | {
      behavior: 'deny'
      /** What the model reads as the result of its call. */
      message: string
      /** Ends the turn instead of letting the model react. */
      interrupt?: boolean
      toolUseID?: string
    }

export type SDKPermissionDenial = { tool_name: string; tool_use_id: string; tool_input: Record<string, unknown> }

/** Asked before a tool runs that is neither allowed nor denied by rules and mode. */
export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options: {
    /** Aborted when the question is no longer open: interrupt, another answer, the end of the query. */
    signal: AbortSignal
    /** Updates that would keep this question from coming again. */
    suggestions?: PermissionUpdate[]
    /** The path that made the call need approval, if it was a path. */
    blockedPath?: string
    decisionReason?: string
    toolUseID: string
    /** Set when a sub-agent asks. */
    agentID?: string
  },
) => Promise<PermissionResult>
