/** Permission vocabulary: modes, rules, updates, and the answer of a permission callback. */
import { isObject } from './json.js'

/**
 * How calls are decided that no rule covers. `default` asks for what can do harm, `acceptEdits` also runs edits inside
 * the working directories, `plan` runs reads only, `dontAsk` denies what would ask, `bypassPermissions` runs everything
 * (not for root). In `delegate` the main thread only reads, asks and hands work to agents.
 */
export type PermissionMode = 'default' | 'acceptEdits' | 'bypassPermissions' | 'plan' | 'dontAsk' | 'delegate'

/** Run it, refuse it, or ask. */
export type PermissionBehavior = 'allow' | 'deny' | 'ask'

/** `Bash(git log:*)` is `{toolName: 'Bash', ruleContent: 'git log:*'}`. */
export type PermissionRuleValue = {
  /** The tool the rule is for. */
  toolName: string
  /** Which calls of it; all of them if not said. */
  ruleContent?: string
}

/** A settings file, or only this session. */
export type PermissionUpdateDestination = 'userSettings' | 'projectSettings' | 'localSettings' | 'session' | 'cliArg'

/** A change to rules, mode or folders, and where it is kept. */
export type PermissionUpdate =
  | ({ type: 'addRules' } & RuleChange)
  | ({ type: 'replaceRules' } & RuleChange)
  | ({ type: 'removeRules' } & RuleChange)
  | {
      type: 'setMode'
      /** The mode from now on. */
      mode: PermissionMode
      /** Where the change is kept. */
      destination: PermissionUpdateDestination
    }
  | {
      type: 'addDirectories'
      /** The folders it is about. */
      directories: string[]
      /** Where the change is kept. */
      destination: PermissionUpdateDestination
    }
  | {
      type: 'removeDirectories'
      /** The folders it is about. */
      directories: string[]
      /** Where the change is kept. */
      destination: PermissionUpdateDestination
    }

type RuleChange = {
  /** The rules it is about. */
  rules: PermissionRuleValue[]
  /** What those rules say. */
  behavior: PermissionBehavior
  /** Where the change is kept. */
  destination: PermissionUpdateDestination
}

/** How the user meant it. Taken for compatibility: what counts is what the answer says. */
export type PermissionDecisionClassification = 'user_temporary' | 'user_permanent' | 'user_reject'

/** The answer of `canUseTool`: allow, or deny with a message for the model. */
export type PermissionResult =
  | {
      behavior: 'allow'
      /** Runs the tool with this input instead of the model's. */
      updatedInput?: Record<string, unknown>
      /** Often the suggestions of the request, handed back: "always allow". */
      updatedPermissions?: PermissionUpdate[]
      /** The call it is about; taken for compatibility. */
      toolUseID?: string
      /** How the user meant it; taken for compatibility. */
      decisionClassification?: PermissionDecisionClassification
    }
  | {
      behavior: 'deny'
      /** What the model reads as the result of its call. */
      message: string
      /** Ends the turn instead of letting the model react. */
      interrupt?: boolean
      /** The call it is about; taken for compatibility. */
      toolUseID?: string
      /** How the user meant it; taken for compatibility. */
      decisionClassification?: PermissionDecisionClassification
    }

/** Parks the request, with `parkAsks` and if `canPark` was set. The turn ends, and the call stays open. */
export type PermissionParked = { behavior: 'park' }

/**
 * Returns why an answer is neither an approval nor a denial, as a message for its sender. An answer that is clear can
 * be incomplete.
 */
export function findPermissionResultProblem(answer: Record<string, unknown>): string | undefined {
  const { behavior, updatedInput, updatedPermissions } = answer
  // Runs nothing, so what else it carries or lacks does not matter.
  if (behavior === 'deny') return undefined
  if (behavior === 'park') return "`behavior` may be 'park' only where `canPark` was told (option parkAsks)"
  if (behavior !== 'allow') return "`behavior` must be 'allow' or 'deny'"
  if (updatedInput !== undefined && updatedInput !== null && !isObject(updatedInput))
    return '`updatedInput` must be an object'
  // Each update is checked by the permission engine before it changes anything.
  const isList = updatedPermissions === undefined || updatedPermissions === null || Array.isArray(updatedPermissions)
  return isList ? undefined : '`updatedPermissions` must be an array'
}

/** A call that was denied. */
export type SDKPermissionDenial = {
  /** The tool that was called. */
  tool_name: string
  /** The id of the call. */
  tool_use_id: string
  /** What it was called with. */
  tool_input: Record<string, unknown>
}

/** Asked before a tool runs that is neither allowed nor denied by rules and mode. */
export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options: {
    /** Aborts when the request is closed: by an interrupt, another answer, or the end of the query. */
    signal: AbortSignal
    /** Updates that would keep this question from coming again. */
    suggestions?: PermissionUpdate[]
    /** The path that made the call need approval, if it was a path. */
    blockedPath?: string
    /** Why it is asked, in words. */
    decisionReason?: string
    /** The id of the call. */
    toolUseID: string
    /** Set when a sub-agent asks. */
    agentID?: string
    /** With `parkAsks`: the answer may be `park`. Not so for what a sub-agent asks, which is in the middle of its work. */
    canPark?: true
    /** What should be known of the tool: that it may destroy data, or is not what it was when it was last used. */
    description?: string
    /** With `askDetails`. */
    why?: AskReason
    /** With `askDetails`, where there is something to show. */
    preview?: AskPreview
  },
) => Promise<PermissionResult | PermissionParked>

// ── what a question is about, with `askDetails` ──────────────────────────────

/** What would happen, computed before anybody is asked. */
export type AskPreview =
  | {
      type: 'diff'
      /** The file that would change. */
      path: string
      /** Null if the file does not exist yet. */
      oldText: string | null
      /** What it would hold. */
      newText: string
      /** Lines. */
      added: number
      /** Lines that would go. */
      removed: number
      /** The texts were too long to show whole: they end early. */
      cut?: true
    }
  | {
      type: 'command'
      /** The command line. */
      command: string
      /** Its commands, one by one. */
      parts: AskCommandPart[]
    }
  | {
      type: 'address'
      /** The address that would be asked. */
      url: string
      /** The host of it. */
      host: string
    }
  | {
      type: 'document'
      /** The document, such as a plan. */
      text: string
      /** The texts were too long to show whole: they end early. */
      cut?: true
    }
  /** It could not be computed. */
  | {
      type: 'none'
      /** Why there is nothing to show. */
      reason: string
    }

/** One command of a command line, with what it would get by itself. */
export type AskCommandPart = {
  /** The command. */
  command: string
  /** What it would get by itself. */
  behavior: 'allow' | 'ask' | 'deny'
  /** Why, in words. */
  reason: string
}

/** Why Kedge asks. `tool`: nothing allows the call. */
export type AskReason = {
  /** What kind of thing asks. */
  layer: 'rule' | 'mode' | 'path' | 'hook' | 'sandbox' | 'tool'
  /** Why, in words. */
  text: string
  /** As the user wrote it. */
  rule?: string
  /** Where that rule came from. */
  source?: string
}

// ── explaining without asking ────────────────────────────────────────────────

/** Where rules or a mode came from: `local-tracked` is a local settings file that is checked in. */
export type PermissionOrigin = 'session' | 'user' | 'project' | 'local' | 'local-tracked'

/** A call, and the session it would be made in. */
export type ExplainPermissionOptions = {
  /** The tool that would be called. */
  tool: string
  /** What it would be called with. */
  input: Record<string, unknown>
  /** `default` if not said. */
  mode?: PermissionMode
  /** The rules there are, as settings have them. */
  rules?: {
    /** Rules for what runs without a question. */
    allow?: string[]
    /** Rules for what is always asked. */
    ask?: string[]
    /** Rules for what never runs. */
    deny?: string[]
  }
  /** That of the process if not said. */
  cwd?: string
  /** Where `~` is; the user's if not said. */
  home?: string
  /** Folders beside `cwd` the tools may work in. */
  additionalDirectories?: string[]
  /** As `process.platform` says it; this computer's if not said. Some file systems take `A` and `a` for one name. */
  platform?: string
  /** The source of the rules and additional directories; `session` if not given. */
  source?: PermissionOrigin
  /** The source of the mode; `session` if not given. */
  modeSource?: PermissionOrigin
  /** Whether the user trusts the folder; true if not said. */
  trusted?: boolean
  /** What a PreToolUse hook would answer. */
  hook?: 'allow' | 'deny' | 'ask' | 'crash'
  /** `available: false`: it is turned on but can't start here. */
  sandbox?: {
    /** Whether commands run in it. */
    enabled: boolean
    /** Whether commands in it run without a question. */
    autoAllow?: boolean
    /** Whether it can start here. */
    available?: boolean
    /** Commands that run outside of it. */
    excludedCommands?: string[]
  }
  /** Names of the MCP servers there are. */
  servers?: string[]
  /** What the MCP server says of the tool: its `_meta`. */
  toolMeta?: Record<string, unknown>
}

/** What decided: in this order, the first with an answer. `safety`: only a person may say yes. `default`: nothing else spoke. */
export type PermissionLayer = 'hook' | 'deny' | 'ask' | 'safety' | 'mode' | 'allow' | 'sandbox' | 'default'

/** What would happen to a call. `ask` means: `canUseTool` is called, and without one the call is denied. */
export type PermissionExplanation = {
  /** What would happen. */
  behavior: PermissionBehavior
  /** What decided. */
  layer: PermissionLayer
  /** The rule that decided, as the user would write it. */
  rule?: string
  /** Where that rule came from. */
  source?: PermissionUpdateDestination | 'flagSettings' | 'managedSettings'
  /** In plain words. */
  reason: string
  /** For a command line with several commands: what each of them would get on its own, in order. */
  parts?: PermissionPart[]
}

/** One command of a command line, and what was decided about it. */
export type PermissionPart = {
  /** The command. */
  command: string
  /** What it would get by itself. */
  behavior: PermissionBehavior
  /** What decided. */
  layer: PermissionLayer
  /** The rule that decided, as the user would write it. */
  rule?: string
  /** Why, in words. */
  reason: string
}
