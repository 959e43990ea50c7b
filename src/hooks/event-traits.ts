/** What is particular about each event: what a matcher is compared with, what the hook is told, what exit code 2 does. */
import type { HookEvent, HookInput } from '../protocol/hooks.js'
import { listMatchableToolNames } from '../protocol/tool-names.js'
import type { MatcherSubjects } from './match.js'

export type HookInputOf<E extends HookEvent> = Extract<HookInput, { hook_event_name: E }>

export type HookEventTraits<I = HookInput> = {
  /** What matchers are compared with; without it every hook of the event is run. */
  subject?: (input: I) => string
  /** Matchers are lists of names, not expressions. */
  literal?: true
  /** The input names the permission mode. */
  mode?: true
  /** There is something to block; otherwise exit code 2 is for people only. */
  blocks?: true
  /** `continue: false` has something to stop. */
  stops?: true
}

const tool = { subject: (input: { tool_name: string }) => input.tool_name, mode: true } as const
const server = { subject: (input: { mcp_server_name: string }) => input.mcp_server_name } as const
const agent = (input: { agent_type: string }) => input.agent_type
const trigger = (input: { trigger: string }) => input.trigger

const TRAITS: { [E in HookEvent]: HookEventTraits<HookInputOf<E>> } = {
  PreToolUse: { ...tool, blocks: true, stops: true },
  PostToolUse: { ...tool, blocks: true, stops: true },
  PostToolUseFailure: { ...tool, blocks: true, stops: true },
  PostToolBatch: { mode: true, blocks: true, stops: true },
  PermissionRequest: { ...tool, blocks: true, stops: true },
  PermissionDenied: tool,
  Notification: { subject: (input) => input.notification_type },
  UserPromptSubmit: { mode: true, blocks: true, stops: true },
  UserPromptExpansion: { subject: (input) => input.command_name, mode: true, blocks: true, stops: true },
  SessionStart: { subject: (input) => input.source },
  SessionEnd: { subject: (input) => input.reason },
  Setup: { subject: trigger },
  Stop: { mode: true, blocks: true, stops: true },
  StopFailure: { subject: (input) => input.error, mode: true },
  SubagentStart: { subject: agent },
  SubagentStop: { subject: agent, mode: true, blocks: true, stops: true },
  PreCompact: { subject: trigger, blocks: true, stops: true },
  PostCompact: { subject: trigger },
  PreModelSwitch: { blocks: true },
  PostModelSwitch: {},
  TeammateIdle: { blocks: true, stops: true },
  TaskCreated: { blocks: true, stops: true },
  TaskCompleted: { blocks: true, stops: true },
  Elicitation: { ...server, blocks: true },
  ElicitationResult: { ...server, blocks: true },
  ConfigChange: { subject: (input) => input.source, blocks: true },
  InstructionsLoaded: { subject: (input) => input.load_reason },
  CwdChanged: {},
  FileChanged: { subject: ({ file_path }) => file_path.slice(file_path.search(/[^/\\]*$/)), literal: true },
  DirectoryAdded: {},
  MessageDisplay: {},
  WorktreeCreate: { blocks: true },
  WorktreeRemove: {},
  ModelRequest: { subject: ({ model }) => model, blocks: true, stops: true },
  ModelRetry: { subject: ({ error }) => error, blocks: true, stops: true },
}

export function hookEventTraits<E extends HookEvent>(event: E): HookEventTraits<HookInputOf<E>> {
  return TRAITS[event]
}

/** Returns what matchers of an event are compared with. Undefined: every hook of the event is meant. */
export function matcherSubjects(input: HookInput): MatcherSubjects | undefined {
  // The entry for an event reads the input of just that event.
  const { subject, literal } = TRAITS[input.hook_event_name] as HookEventTraits
  if (!subject) return undefined
  const name = subject(input)
  // A matcher for either name of a tool covers it.
  return { names: 'tool_name' in input ? listMatchableToolNames(name) : [name], ...(literal ? { literal } : {}) }
}

/** At these events a block makes the model continue, which a hook that failed must not do. */
const KEEPS_WORKING: readonly HookEvent[] = ['Stop', 'SubagentStop', 'TaskCompleted', 'TeammateIdle']

/** Whether a failure of a hook blocks what the event is about. */
export function blocksOnFailure(onFailure: 'continue' | 'block' | undefined, event: HookEvent): boolean {
  return onFailure === 'block' && hookEventTraits(event).blocks === true && !KEEPS_WORKING.includes(event)
}
