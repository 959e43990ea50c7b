/**
 * One line of talk with a model, and what all lines of a session have in common. The main thread is a conversation, and so is
 * every sub-agent: another `Conversation` over the same `SharedSessionState`. Types only; `session.ts` and `agents/sub-agent.ts` make them.
 */
import type { History } from '../engine/history.js'
import type { EnginePorts, EngineRequest, ToolDefinition } from '../engine/ports.js'
import type { TurnBeginning } from '../engine/turn-beginning.js'
import type { SessionHooks } from '../hooks/session-hooks.js'
import type { Ledger } from '../model/ledger.js'
import type { ListedPermissions } from '../permissions/permission-engine.js'
import type { Platform } from '../platform/platform.js'
import type { ContentBlockParam, MessageParam } from '../protocol/content.js'
import type { SDKMessage } from '../protocol/messages.js'
import type { AgentDefinition, SummaryRequest } from '../protocol/options.js'
import type { SDKPermissionDenial } from '../protocol/permission-types.js'
import type { TranscriptLog } from '../sessions/transcript-log.js'
import type { TranscriptWriter } from '../sessions/write-transcript.js'
import type { BoundTools } from '../tools/registry.js'
import type { ToolContext, ToolSession } from '../tools/tool.js'
import type { AgentEnd } from './agents/agent-end.js'
import type { Configuration } from './configuration.js'
import type { LiveSettings } from './live-settings.js'
import type { SessionMcp } from './mcp/session-servers.js'
import type { RecordingEmitter } from './messages/emitter.js'
import type { ModelSetup } from './model-setup.js'
import type { PlanMode } from './permission/session-plan-mode.js'
import type { ChangeableProject } from './reload/changeable-project.js'
import type { StructuredOutputTracker } from './tools/required-output.js'
import type { SessionCheckpoints } from './tools/session-checkpoints.js'
import type { SessionBackground } from './turn/background.js'

/** What belongs to one line of talk. */
export type Conversation = {
  readonly shared: SharedSessionState
  readonly history: History
  readonly transcript: TranscriptWriter
  readonly emitter: RecordingEmitter
  readonly ports: Omit<EnginePorts, 'emit'>
  readonly hooks: SessionHooks
  readonly permissions: ListedPermissions
  readonly model: ModelSetup
  readonly structured: StructuredOutputTracker
  readonly offer: ToolOffer
  /** `system` and `append` as the host gave them; `own` is ours, made when there is no `system`. */
  readonly prompt: { system: string | undefined; append: string | undefined; own?: string }
  readonly toTell: PendingTexts
  readonly context: ContextWindowState
  /** State that tools keep between calls: files read (by real path, latest last), the todo list, and the shell's folder. */
  readonly tools: ToolSession
  /** Replaced when a turn is over. */
  turn: TurnState
}

/** What the conversations of a session have in common. */
export type SharedSessionState = {
  readonly sessionId: string
  readonly settings: Configuration
  /** The few settings that change while the session runs. */
  readonly live: LiveSettings
  readonly platform: Platform
  readonly ledger: Ledger
  /** What the user, the project and plugins bring. */
  readonly project: ChangeableProject
  readonly mcp: SessionMcp
  readonly background: SessionBackground
  readonly plan: PlanMode
  readonly checkpoints: SessionCheckpoints
  readonly agents: AgentRegistry
  readonly forAgents: SubAgentConversationParts
  readonly host: SessionHostPort
  /** Where the turn continues that was left before the session was resumed. */
  readonly beginning: TurnBeginning | undefined
  /** What the host was told so far. */
  readonly results: { count: number; lastIsError: boolean }
  /** Ends the running turn of the main thread. */
  interrupt(): void
}

/** What holds for the running turn only. */
export type TurnState = {
  model?: string
  takeBack: (() => void)[]
  denials: SDKPermissionDenial[]
  /** What the user said. */
  asked?: string
  /** The line that its prompt follows, and what stands on the line of the prompt before it. */
  prompt?: { parent: string | null; context: readonly ContentBlockParam[] }
  /** The model is at work: what interrupts it must let it continue. */
  inLoop?: boolean
  /** It is to stop where another can continue. */
  yields?: boolean
}

export function newTurnState(): TurnState {
  return { takeBack: [], denials: [] }
}

/** The tools a conversation has. */
export interface ToolOffer {
  readonly offered: readonly ToolDefinition[]
  /** Tools whose definitions are left out of requests until ToolSearch finds them. */
  readonly deferred: readonly ToolDefinition[]
  /** What the next request offers: everything on offer, and a search only where there is something to find. */
  definitions(): readonly ToolDefinition[]
  /** What the model is told of servers and of tools to search for, before a prompt; the same things only once. */
  reminders(): string[]
  /** A search makes sense: there is something to find, or to wait for. */
  hasMore(): boolean
}

/** The main thread's own offer can change: servers come and go, and the host may want an agent or a shape of answers. */
export interface MainToolOffer extends ToolOffer {
  /** Brings what servers have up to date. */
  update(): void
  change(edit: (offered: readonly ToolDefinition[]) => readonly ToolDefinition[]): void
  /** From now on only what this lets pass. */
  narrow(mayOffer: (name: string) => boolean): void
  /** A tool that is there may be called, offered or not. */
  isAllowed(name: string): boolean
  /** For ToolSearch: what is left out, and what came after the model was last told. */
  searchable(): readonly ToolDefinition[]
  activate(names: readonly string[]): void
}

/** The conversation with the user. */
export type MainThread = Conversation & { readonly offer: MainToolOffer }

/** Texts that wait for the next prompt. */
export type PendingTexts = {
  /** Notices of tasks that have ended. */
  ended: string[]
  /** What hooks have to say. */
  pending: string[]
  /** The skills there are. */
  listing: string[]
  /** What CLAUDE.md files say. */
  instructions: string[]
}

export type ContextWindowState = {
  /** Tokens of the conversation as the API counted them last. */
  tokens: number
  /** When that was, by a clock that never goes back. */
  answeredAt?: number
  /** Tokens below which no compaction is tried again, after one failed or freed too little. */
  failedAt: number
  /** Whether the model hasn't responded since the last compaction. */
  compacted?: boolean
  /** Tool calls from before a compaction whose background tasks still run. */
  started?: ReadonlySet<string>
  sent?: SentRequest | undefined
}

/** The last request, as far as the cache goes by it. */
export type SentRequest = Pick<EngineRequest, 'model' | 'system' | 'tools'> & {
  /** The list itself, which may have grown since. */
  messages: readonly MessageParam[]
  /** How many there were, and the last of them: it is another one when more was added to it. */
  count: number
  last: MessageParam | undefined
  /** How much the model may think, as JSON. */
  thinking: string
  fast: boolean
  /** The API had something of it in its cache. */
  cached: boolean
}

/** The agents a session knows, and those it has started. */
export type AgentRegistry = {
  /** Those built in, and those that files define and the host describes. */
  readonly known: Map<string, AgentDefinition>
  readonly running: Map<string, RunningAgent>
  /** What each was that has ended, and, where that is not written down, what it knew. */
  readonly past: Map<string, { type: string; earlier?: EarlierMessages | undefined }>
  /** The main thread has become the agent of the settings. */
  adopted: boolean
}

export type EarlierMessages = { messages: MessageParam[]; leaf: string | null }

/** A sub-agent at work. */
export interface RunningAgent {
  readonly id: string
  readonly type: string
  /** How far from the main thread; its own agents have 1. */
  readonly depth: number
  readonly toolUseId: string
  readonly conversation: Conversation
  /** Works on a prompt until the loop ends; one at a time. Never rejects. */
  run(prompt: string, signal: AbortSignal): Promise<AgentEnd>
  /** No more lines are written. */
  close(): void
}

/** What a new conversation beside the main thread is made of. */
export type SubAgentConversationParts = {
  /** The tools on offer, bound for a conversation of its own. */
  bindTools(own: Pick<ToolContext, 'session' | 'agentId' | 'offers'>): BoundTools
  openLog(agentId: string): TranscriptLog
}

/** The host, as far as turns know it. */
export type SessionHostPort = {
  /** Past what belongs to the main thread's own messages. */
  send(message: SDKMessage): void | Promise<void>
  /** The host's own way of summing up; rejects when there is no summary to be had. */
  readonly summarize: Summarize | undefined
  /** What it asked for in `initialize`. */
  readonly wishes: { suggestions: boolean; agentText: boolean; toolAliases: ReadonlyMap<string, string>; sync: boolean }
}

export type Summarize = (request: SummaryRequest, signal: AbortSignal) => Promise<string>
