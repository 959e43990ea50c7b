/** Everything one turn works with, as `session.ts` puts it together. */
import type { History } from '../engine/history.js'
import type { EnginePorts, ToolDefinition } from '../engine/ports.js'
import type { SessionHooks } from '../hooks/session-hooks.js'
import type { Ledger } from '../model/ledger.js'
import type { Permissions } from '../permissions/permission-engine.js'
import type { Platform } from '../platform/platform.js'
import type { SDKMessage } from '../protocol/messages.js'
import type { SummaryRequest } from '../protocol/options.js'
import type { SDKPermissionDenial } from '../protocol/permission-types.js'
import type { SessionLog } from '../sessions/log.js'
import type { Transcript } from '../sessions/write-transcript.js'
import type { ToolRegistry } from '../tools/registry.js'
import type { ToolContext } from '../tools/tool.js'
import { type AgentBook, createAgentBook } from './agents/agent-book.js'
import type { Agents } from './agents/known-agents.js'
import type { SessionMcp } from './mcp/session-servers.js'
import type { McpOffer } from './mcp/tool-offer.js'
import type { SentRequest } from './messages/answer-notices.js'
import type { Emitter } from './messages/emitter.js'
import type { ModelSetup } from './model-setup.js'
import type { PlanMode } from './permission/session-plan.js'
import type { SessionProject } from './session-project.js'
import type { SessionSettings } from './settings.js'
import type { StructuredOutput } from './tools/required-output.js'
import { type SessionCheckpoints, sessionCheckpoints } from './tools/session-checkpoints.js'
import type { Background } from './turn/background.js'

/** Rejects when there is no summary to be had. */
export type Summarize = (request: SummaryRequest, signal: AbortSignal) => Promise<string>

export type SessionParts = {
  settings: SessionSettings
  platform: Platform
  sessionId: string
  history: History
  transcript: Transcript
  ledger: Ledger
  permissions: Permissions
  hooks: SessionHooks
  ports: Omit<EnginePorts, 'emit'>
  model: ModelSetup
  structured: StructuredOutput
  /** The tools on offer; replaced as a whole when that changes. */
  offered: readonly ToolDefinition[]
  /** Tools whose definitions are left out of requests until ToolSearch finds them. */
  deferred: readonly ToolDefinition[]
  mcp: SessionMcp
  mcpOffer: McpOffer
  /** Whether the agent in use may have a tool of this name. */
  mayOffer(name: string): boolean
  /** What the next request offers. */
  definitions(): readonly ToolDefinition[]
  /** `system` and `append` as the host gave them; `own` is ours, made when there is no `system`. */
  prompt: { system: string | undefined; append: string | undefined; own?: string }
  /** Texts hooks want the model to read with the next prompt. */
  pendingContext: string[]
  emitter: Emitter
  background: Background
  plan: PlanMode
  checkpoints: SessionCheckpoints
  results: { count: number; lastIsError: boolean }
  /** What the user, the project and plugins bring. */
  project: SessionProject
  /** What the model reads before the first prompt: the skills there are, and instructions of CLAUDE.md files. */
  opening: { listing: string[]; instructions: string[] }
  /** Tokens of the conversation as the API counted them last, and at how many a compaction failed. */
  context: { tokens: number; failedAt: number; sent?: SentRequest }
  /** By real path, the last one read last; shared with the tools. */
  readFiles: Map<string, unknown>
  /** The host's own way of summing up. */
  summarize: Summarize | undefined
  /** The model is at work: what interrupts it must let it go on. */
  inLoop: boolean
  /** What holds for the running turn only. */
  turn: {
    model?: string
    takeBack: (() => void)[]
    denials: SDKPermissionDenial[]
    /** What the user said. */
    asked?: string
    /** The line that its prompt follows. */
    promptParent?: string | null
  }
  /** Those built in, and those that files define and the host describes. */
  agents: Agents
  /** The agent of the settings was found and applied. */
  agentInUse: boolean
  /** The sub-agents at work, and those of before. */
  agentBook: AgentBook
  /** The tools on offer, bound for a conversation of its own. */
  bindTools(own: Pick<ToolContext, 'session' | 'agentId'>): ToolRegistry
  openAgentLog(agentId: string): SessionLog
  /** Past what belongs to the main thread's own messages. */
  sendToHost(message: SDKMessage): void | Promise<void>
  /** Ends the running turn of the main thread. */
  interrupt(): void
  /** Whether the host wants the next prompt suggested. */
  suggestions: { wanted: boolean }
  /** Whether it wants what sub-agents say, beside what they do. */
  agentText: { wanted: boolean }
}

/** What every session begins with. */
export function freshState(parts: () => SessionParts) {
  return {
    checkpoints: sessionCheckpoints(parts),
    deferred: [],
    mayOffer: () => true,
    pendingContext: [],
    results: { count: 0, lastIsError: false },
    context: { tokens: 0, failedAt: 0 },
    inLoop: false,
    turn: { takeBack: [], denials: [] },
    agentInUse: false,
    agentBook: createAgentBook(),
    suggestions: { wanted: false },
    agentText: { wanted: false },
  } satisfies Partial<SessionParts>
}
