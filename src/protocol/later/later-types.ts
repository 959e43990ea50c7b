/**
 * Types of features that Kedge doesn't have. Published adapters name them in their own declarations, which wouldn't
 * compile without them. Kedge raises none of these events, and rejects the options; docs/compatibility.md lists them.
 */

import type { UUID } from '../content.js'
import type { ModelUsage } from '../messages.js'

// ── options and settings ─────────────────────────────────────────────────────

/** The option `toolConfig`, which Kedge rejects unless it is empty. */
export type ToolConfig = {
  /** How AskUserQuestion works. */
  askUserQuestion?: {
    /** The format of previews that the model writes for its choices. */
    previewFormat?: 'markdown' | 'html'
  }
}
/** Credentials that a sandbox hides from commands. */
export type SandboxCredentialsConfig = {
  /** Files with credentials. */
  files?: {
    /** The file, absolute or from the home folder on. */
    path: string
    /** Whether commands can't open the file or see it with other content. */
    mode: 'deny' | 'mask'
    [key: string]: unknown
  }[]
  /** Environment variables with credentials. */
  envVars?: {
    /** The name of the variable. */
    name: string
    /** Whether commands don't have the variable or see another value. */
    mode: 'deny' | 'mask'
    [key: string]: unknown
  }[]
  [key: string]: unknown
}

// ── hooks ────────────────────────────────────────────────────────────────────

/** The answer to a `PermissionDenied` hook. */
export type PermissionDeniedHookSpecificOutput = {
  hookEventName: 'PermissionDenied'
  /** Whether the model can try again. */
  retry?: boolean
}

// ── messages and answers ─────────────────────────────────────────────────────

/** Whether answers come faster at a higher price. */
export type FastModeState = 'off' | 'cooldown' | 'on'
/** Why they don't. */
export type FastModeDisabledReason =
  | 'free'
  | 'preference'
  | 'extra_usage_disabled'
  | 'network_error'
  | 'unknown'
  | 'not_first_party'
  | 'disabled_by_env'
  | 'model_not_allowed'
  | 'sdk_opt_in_required'
  | 'pending'
/** The goal that a session works toward, or `null`. */
export type SDKActiveGoalMessage = {
  type: 'active_goal'
  /** The goal. */
  value: {
    /** What is true when it is reached. */
    condition: string
    /** How many times it was checked. */
    iterations: number
    /** When it was set, in milliseconds since 1970. */
    set_at: number
    /** The session's tokens at that moment. */
    tokens_at_start: number
    /** Why the last check failed. */
    last_reason?: string
  } | null
  /** The ID of this message. */
  uuid: UUID
  /** The session it belongs to. */
  session_id: string
}

/** How much of a limit is used, in percent, and when it starts over. */
type UsageWindow = { utilization: number | null; resets_at: string | null }
/** A name with its share, in percent. */
type UsageShare = { name: string; pct: number }
/** What usage consists of. */
type UsageBehaviors = {
  request_count: number
  session_count: number
  behaviors: { key: string; pct: number; count: number }[]
  recommendations?: { key: string; pct: number; title: string; detail?: string }[]
  fix?: { keys: string[]; messages: string[] }
  agents: UsageShare[]
  skills: UsageShare[]
  [key: string]: unknown
}
/** The answer to the control request `get_usage`, which Kedge rejects. */
export type SDKControlGetUsageResponse = {
  /** Cost and usage of the session. */
  session: {
    /** US dollars. */
    total_cost_usd: number
    /** Milliseconds spent in model requests. */
    total_api_duration_ms: number
    /** Milliseconds since the session began. */
    total_duration_ms: number
    /** Lines that edits added. */
    total_lines_added: number
    /** Lines that edits removed. */
    total_lines_removed: number
    /** Tokens and cost by model. */
    model_usage: Record<string, ModelUsage>
  }
  /** The plan of the account, or `null` with an API key. */
  subscription_type: string | null
  /** Whether the plan has limits. */
  rate_limits_available: boolean
  /** The limits of the plan. */
  rate_limits: {
    /** The window of five hours. */
    five_hour?: UsageWindow | null
    /** The window of seven days. */
    seven_day?: UsageWindow | null
    /** The window of seven days for apps that signed in. */
    seven_day_oauth_apps?: UsageWindow | null
    /** The window of seven days for Opus. */
    seven_day_opus?: UsageWindow | null
    /** The window of seven days for Sonnet. */
    seven_day_sonnet?: UsageWindow | null
    /** Windows of single models. */
    model_scoped?: (UsageWindow & { display_name: string })[]
    /** Usage beyond the plan, if the account pays for it. */
    extra_usage?: {
      /** Whether the account pays for usage beyond the plan. */
      is_enabled: boolean
      /** The limit of a month; `null` if there is none. */
      monthly_limit: number | null
      /** What this month used so far. */
      used_credits: number | null
      /** Percent of the limit that is used. */
      utilization: number | null
      /** The currency of the limit. */
      currency?: string | null
    } | null
  } | null
  /** What the usage of a day and a week consists of. */
  behaviors?: {
    /** The last day. */
    day: UsageBehaviors
    /** The last week. */
    week: UsageBehaviors
  } | null
}
