/** What waits for a person, and what a person can say to it. */

import type { ElicitationRequest, ElicitationResult, McpSignInAnswer, McpSignInRequest } from '../mcp-servers.js'
import type { AskPreview, AskReason, PermissionMode, PermissionUpdate } from '../permission-types.js'

/** The person who did something, as the interface knows them: the name of an editor, a token, or a user. */
export type Person = {
  /** The name that interfaces show. */
  name: string
  /** Where this person is: `web`, `terminal`, the name of an editor. */
  interface?: string
}

/**
 * What a request is about: may a tool run, a question of the model, a plan to approve, a form or link of an MCP server, or
 * a sign-in to one, for which no turn waits.
 */
export type AskKind = 'permission' | 'question' | 'plan' | 'elicitation' | 'sign-in'

/** A request: what waits for a person. */
export type Ask = {
  /** The id to answer it by. */
  id: string
  /** The session that waits. */
  session: string
  /** What it is about. */
  kind: AskKind
  /** The asking agent: [] is the main thread, else the ids of the sub-agents that lead to it. */
  agent: string[]
  /** The sub-agent in words, where the log has them. */
  asker?: AskingAgent
  /** The call that waits. */
  tool?: {
    /** The tool's name. */
    name: string
    /** What it's to be called with. */
    input: Record<string, unknown>
    /** Hash of the input: an answer that names another one was about something else, and is refused. */
    hash: string
    /** The id that the model gave the call. */
    useId: string
  }
  /** The MCP server's request, if the ask is one. */
  elicitation?: ElicitationRequest
  /** The tool call that an MCP server asks for. The answer continues the call, even in another process. */
  origin?: {
    /** The id that the model gave the call. */
    useId: string
    /** The same if the server asks again. */
    key: string
  }
  /** The sign-in, if the ask is one. */
  signIn?: McpSignInRequest
  /** What the call would do: the diff of an edit, what a command reads and writes. */
  preview?: AskPreview
  /** Why a person is asked. */
  why: AskReason
  /** Rules that would keep this from being asked again. */
  suggestions: RuleSuggestion[]
  /** When it was asked, in ISO 8601. */
  since: string
}

/** Selects open requests: of one session, among several (`undefined`: all), after the `next` of a page. */
export type InboxFilter = { session?: string; among?: readonly string[]; limit?: number; cursor?: string }

/** A page of open requests. */
export type InboxPage = {
  /** The oldest first. */
  asks: Ask[]
  /** The `cursor` of the following page; missing on the last one. */
  next?: string
}

/** The sub-agent or teammate that asks. */
export type AskingAgent = {
  /** Its kind, such as `Explore`. */
  type: string
  /** The name that a teammate has. */
  name?: string
  /** What it was started for. */
  job: string
}

/** A rule that would keep this from being asked again. */
export type RuleSuggestion = {
  /** What an answer sends back in `updates` to set the rule. */
  update: PermissionUpdate
  /** How the rule reads, such as `Bash(npm test:*)`. */
  rule: string
  /** How far it goes: this session, the folder for everyone, the folder for you, or all your folders. */
  scope: 'session' | 'project' | 'local' | 'user'
}

/** An answer to a request. */
export type AskAnswer = {
  /** Hash of the input that the answer is about: if the request has another one, the answer is refused. */
  hash?: string
} & (
  | {
      kind: 'allow'
      /** What the call runs with instead. */
      input?: Record<string, unknown>
      /** Rules and modes to set, of those that the request suggests. */
      updates?: PermissionUpdate[]
    }
  | {
      kind: 'deny'
      /** What the model receives as the reason. */
      message?: string
      /** Ends the turn, too. */
      stop?: boolean
    }
  | {
      kind: 'answers'
      /** By the text of the question; several choices as a list; free text is as good as a choice. */
      answers: Record<string, string | string[]>
      /** What a person adds to a choice, by the text of the question. */
      notes?: Record<string, string>
    }
  | {
      /** The plan is approved, possibly edited. */
      kind: 'approve'
      /** The permission mode to continue in. */
      mode?: PermissionMode
      /** The plan as it was edited. */
      plan?: string
    }
  | {
      /** The plan goes back. */
      kind: 'revise'
      /** What should be different. */
      comments: string
    }
  | {
      kind: 'elicitation'
      /** `accept`, `decline`, or `cancel`. */
      action: ElicitationResult['action']
      /** The fields of the form, if it's accepted. */
      content?: ElicitationResult['content']
    }
  | {
      kind: 'sign-in'
      /** `start` begins a sign-in, `finish` gives the address that the browser ended at, `cancel` ends it. */
      action: McpSignInAnswer['action']
      /** How a sign-in begins; by default in a browser. */
      method?: 'browser' | 'device'
      /** The address that the browser ended at, for `finish`. No log has it. */
      callback?: string
    }
)

/** What became of an answer. */
export type AnswerOutcome =
  | 'accepted'
  | {
      /** The person who answered first, or `withdrawn`. */
      already: Person | 'withdrawn'
    }

/** A further look at an open ask before an answer to it counts; throws if the answer can't be given. */
export type CheckOpenAsk = (ask: Ask) => void
