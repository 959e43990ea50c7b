/** What waits for a person, and what a person can say to it. */

import type { ElicitationRequest, ElicitationResult } from '../protocol/mcp-servers.js'
import type { AskPreview, AskReason, PermissionMode, PermissionUpdate } from '../protocol/permission-types.js'

/** The person who did something, as the interface knows them: the name of an editor, a token, or a user. */
export type Person = { name: string; interface?: string }

export type AskKind = 'permission' | 'question' | 'plan' | 'elicitation'

export type Ask = {
  id: string
  session: string
  kind: AskKind
  /** The asking agent: [] is the main thread, else the ids of the sub-agents that lead to it. */
  agent: string[]
  /** The sub-agent in words, where the log has them. */
  asker?: AskingAgent
  /** `hash` is of the input: an answer that names another one was about something else, and is refused. */
  tool?: { name: string; input: Record<string, unknown>; hash: string; useId: string }
  /** The MCP server's request, if the ask is one. */
  elicitation?: ElicitationRequest
  preview?: AskPreview
  why: AskReason
  suggestions: RuleSuggestion[]
  since: string
}

/** Selects open requests: of one session, among several (`undefined`: all), after the `next` of a page. */
export type InboxFilter = { session?: string; among?: readonly string[]; limit?: number; cursor?: string }

/** `next` is missing on the last page. */
export type InboxPage = { asks: Ask[]; next?: string }

/** A sub-agent: its kind, the name a teammate has, and what it was started for. */
export type AskingAgent = { type: string; name?: string; job: string }

/** An update that would keep this from being asked again: `rule` is how it reads, `scope` how far it goes. */
export type RuleSuggestion = { update: PermissionUpdate; rule: string; scope: 'session' | 'project' | 'local' | 'user' }

/** An answer may name the hash of the input it is about. */
export type AskAnswer = { hash?: string } & (
  | { kind: 'allow'; input?: Record<string, unknown>; updates?: PermissionUpdate[] }
  /** `stop` ends the turn. */
  | { kind: 'deny'; message?: string; stop?: boolean }
  /** By the text of the question; several choices as a list; free text is as good as a choice. */
  | { kind: 'answers'; answers: Record<string, string | string[]>; notes?: Record<string, string> }
  /** The plan is approved, possibly edited. `mode` is the permission mode to continue in. */
  | { kind: 'approve'; mode?: PermissionMode; plan?: string }
  /** The plan goes back. */
  | { kind: 'revise'; comments: string }
  | { kind: 'elicitation'; action: ElicitationResult['action']; content?: ElicitationResult['content'] }
)

/** `already`: another person answered first, or the ask was withdrawn. */
export type AnswerOutcome = 'accepted' | { already: Person | 'withdrawn' }

/** A further look at an open ask before an answer to it counts; throws if the answer can't be given. */
export type CheckAnswer = (ask: Ask) => void
