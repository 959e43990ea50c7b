/** Permission as the loop sees it: rules judge a call, somebody is asked, and what they grant for good is kept. */
import type { AskPreview, AskReason, PermissionMode, PermissionUpdate } from '../protocol/permission-types.js'
import type { EngineCall, EngineTool, PermissionFacts } from './tool-port.js'

export type PermissionRequest = {
  call: EngineCall
  suggestions?: PermissionUpdate[]
  blockedPath?: string
  decisionReason?: string
  /** A warning from the tool itself. */
  warning?: string | undefined
  /** No hook may say yes in the user's place. */
  onlyAPerson?: true
  /** The sub-agent whose call it is. */
  agentId?: string
  details?: AskDetails | undefined
}

/** For whoever shows the question to a person. */
export type AskDetails = { why: AskReason; preview?: AskPreview }

export type PermissionDecision =
  | { behavior: 'allow' }
  | { behavior: 'deny'; message: string; reasonType: string; reason?: string }
  | {
      behavior: 'ask'
      /** The denial text when nobody can be asked. */
      message: string
      reasonType: string
      suggestions?: PermissionUpdate[]
      blockedPath?: string
      decisionReason?: string
      onlyAPerson?: true
    }

/** What is known of a call beside its facts. */
export type DecideContext = {
  /** A PreToolUse hook said yes: lifts questions, but no rule and nothing only a person may approve. */
  approvedByHook?: boolean
  /** A PreToolUse hook wants the user to be asked: outdoes every allow. */
  askedByHook?: boolean
  /** The permission mode of the sub-agent that makes the call, instead of the session's. */
  mode?: PermissionMode
}

export type PermissionAnswer =
  | { behavior: 'allow'; input: Record<string, unknown>; updates: PermissionUpdate[] }
  | { behavior: 'deny'; message: string; interrupt: boolean }

/** Nobody answers now: the turn ends with the call left open, and a later turn asks again. */
export type ParkAnswer = { behavior: 'park' }

export interface PermissionPort {
  /** A question that nobody answers ends the turn. */
  readonly failOnAsk?: boolean
  /** Judges by rules and mode alone; asks nobody. A hook's yes lifts questions, but no rule; its `ask` makes one. */
  decide(call: EngineCall, facts: PermissionFacts, context?: DecideContext): Promise<PermissionDecision>
  /** What a question about the call should say of it. Absent: nobody wants to know. */
  describe?(call: EngineCall, facts: PermissionFacts, tool: EngineTool, context: DecideContext): Promise<AskDetails>
  /** What the model reads behind the text of a refusal that no person gave: sentences, or empty. */
  explainRefusal?(call: EngineCall, facts: PermissionFacts, context?: DecideContext): Promise<string>
  /** Asks the host. `undefined`: there is nobody to ask. */
  ask(question: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer | ParkAnswer | undefined>
  /** Applies "always allow" updates; what can't be applied comes back as reasons. */
  apply(updates: PermissionUpdate[]): Promise<string[]>
}
