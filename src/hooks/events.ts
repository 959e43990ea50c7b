/** What is particular about each event: what a matcher is compared with, what the hook is told, what exit code 2 does. */
import type { HookEvent, HookInput, SyncHookJSONOutput } from '../protocol/hooks.js'

export type InputOf<E extends HookEvent> = Extract<HookInput, { hook_event_name: E }>

export type EventTraits<I = HookInput> = {
  /** What matchers are compared with; without it every hook of the event is run. */
  subject?: (input: I) => string
  /** The input names the permission mode. */
  mode?: true
  /** Exit code 2, as an answer in JSON. Absent: there is nothing to block, people read why. */
  block?: (reason: string) => SyncHookJSONOutput
}

const block = (reason: string): SyncHookJSONOutput => ({ decision: 'block', reason })
const denyRequest = (message: string): SyncHookJSONOutput => ({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message } },
})
const tool = { subject: (input: { tool_name: string }) => input.tool_name, mode: true } as const
const server = { subject: (input: { mcp_server_name: string }) => input.mcp_server_name } as const
const agent = (input: { agent_type: string }) => input.agent_type
const trigger = (input: { trigger: string }) => input.trigger

const TRAITS: { [E in HookEvent]: EventTraits<InputOf<E>> } = {
  PreToolUse: { ...tool, block },
  PostToolUse: { ...tool, block },
  PostToolUseFailure: { ...tool, block },
  PostToolBatch: { mode: true, block },
  PermissionRequest: { ...tool, block: denyRequest },
  PermissionDenied: tool,
  Notification: { subject: (input) => input.notification_type },
  UserPromptSubmit: { mode: true, block },
  SessionStart: { subject: (input) => input.source },
  SessionEnd: { subject: (input) => input.reason },
  Setup: { subject: trigger },
  Stop: { mode: true, block },
  StopFailure: { subject: (input) => input.error, mode: true },
  SubagentStart: { subject: agent },
  SubagentStop: { subject: agent, mode: true, block },
  PreCompact: { subject: trigger, block },
  PostCompact: { subject: trigger },
  TeammateIdle: { block },
  TaskCreated: { block },
  TaskCompleted: { block },
  Elicitation: { ...server, block },
  ElicitationResult: { ...server, block },
  ConfigChange: { subject: (input) => input.source, block },
  InstructionsLoaded: { subject: (input) => input.load_reason },
  CwdChanged: {},
  FileChanged: { subject: ({ file_path }) => file_path.slice(file_path.search(/[^/\\]*$/)) },
  WorktreeCreate: { block },
  WorktreeRemove: {},
}

/** Other names of a tool: a matcher for either covers it. */
const ALIASES: Readonly<Record<string, string>> = { Task: 'Agent', Agent: 'Task' }

export function traitsOf<E extends HookEvent>(event: E): EventTraits<InputOf<E>> {
  return TRAITS[event]
}

/** Undefined: every hook of the event is meant. */
export function subjectsOf(input: HookInput): string[] | undefined {
  // The entry for an event reads the input of just that event.
  const { subject } = TRAITS[input.hook_event_name] as EventTraits
  if (!subject) return undefined
  const name = subject(input)
  const alias = 'tool_name' in input && Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined
  return alias === undefined ? [name] : [name, alias]
}
