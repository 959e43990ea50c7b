/** Checks what a hook answered before anything is made of it: a field of the wrong kind must not count as "no objection". */
import type { HookEvent, HookInput, HookJSONOutput, SyncHookJSONOutput } from '../protocol/hooks.js'
import { describeSchemaProblem, type ValueSchema, validate } from '../protocol/validate.js'
import { hookEventTraits } from './event-traits.js'

export type CheckedOutput =
  | {
      ok: true
      output: HookJSONOutput
      /** Fields that have no effect here. */
      ignored: string[]
    }
  | { ok: false; problem: string }

export function checkOutput(output: unknown, input: HookInput): CheckedOutput {
  const event = input.hook_event_name
  const [problem] = validate(output, OUTPUT)
  if (problem) return { ok: false, problem: `its answer means nothing: ${describeSchemaProblem(problem)}` }
  const misplaced = findMisplaced(output, event)
  if (misplaced) return { ok: false, problem: `its answer means nothing: ${misplaced}` }
  // The schema has what the type says; `null` stands for an absent field.
  return { ok: true, output: output as HookJSONOutput, ignored: findIgnored(output, input) }
}

/** A decision that stands in the wrong place would be read as no objection. */
function findMisplaced(output: unknown, event: HookEvent): string | undefined {
  if (typeof output !== 'object' || output === null) return undefined
  if ('permissionDecision' in output) return 'permissionDecision belongs into hookSpecificOutput'
  if ('async' in output && output.async === true && isHookObjection(output))
    return 'it is async and objects: it can not do both'
  const specific = 'hookSpecificOutput' in output ? output.hookSpecificOutput : undefined
  if (typeof specific !== 'object' || specific === null || !('hookEventName' in specific)) return undefined
  const name = specific.hookEventName
  return name === event ? undefined : `hookEventName is '${String(name).slice(0, 40)}', not '${event}'`
}

/** Does an answer, whatever it is, object to something? */
export function isHookObjection(output: object): boolean {
  // Looked at field by field, as anything may be in it.
  const { decision, continue: continues, hookSpecificOutput } = output as Record<string, unknown>
  const specific = { ...Object(hookSpecificOutput) }
  return (
    decision === 'block' ||
    continues === false ||
    ['deny', 'ask', 'defer'].includes(specific.permissionDecision) ||
    Object(specific.decision).behavior === 'deny'
  )
}

function findIgnored(output: unknown, input: HookInput): string[] {
  const event = input.hook_event_name
  const isMcpTool = 'tool_name' in input && input.tool_name.startsWith('mcp__')
  const effective = (SPECIFIC[event] ?? []).filter((key) => isMcpTool || key !== 'updatedMCPToolOutput')
  // Known to be an object by now.
  const { decision, continue: continues, hookSpecificOutput: specific } = output as SyncHookJSONOutput
  const { blocks, stops } = hookEventTraits(event)
  return [
    ...(continues === false && !stops ? ['continue'] : []),
    // An approval says no more than nothing does, except where there is something to approve.
    ...((decision === 'block' && !blocks) || (decision === 'approve' && event === 'PermissionRequest')
      ? ['decision']
      : []),
    ...setKeys(output).filter((key) => !TOP_LEVEL.includes(key)),
    ...setKeys(specific).filter((key) => key !== 'hookEventName' && !effective.includes(key)),
  ]
}

function setKeys(value: unknown): string[] {
  return Object.entries(Object(value)).flatMap(([key, set]) => (set === null || set === undefined ? [] : [key]))
}

const CONTEXT = ['additionalContext']
const ANSWER = ['action', 'content']

/** Fields of `hookSpecificOutput` that do something, by event. */
const SPECIFIC: Partial<Record<HookEvent, readonly string[]>> = {
  PreToolUse: [...CONTEXT, 'permissionDecision', 'permissionDecisionReason', 'updatedInput'],
  PostToolUse: [...CONTEXT, 'updatedToolOutput', 'updatedMCPToolOutput'],
  PostToolUseFailure: CONTEXT,
  PostToolBatch: CONTEXT,
  PermissionRequest: ['decision'],
  Notification: CONTEXT,
  UserPromptSubmit: [...CONTEXT, 'sessionTitle', 'suppressOriginalPrompt'],
  UserPromptExpansion: [...CONTEXT, 'suppressOriginalPrompt'],
  SessionStart: [...CONTEXT, 'initialUserMessage', 'sessionTitle', 'watchPaths'],
  Setup: CONTEXT,
  Stop: CONTEXT,
  SubagentStart: CONTEXT,
  PreModelSwitch: ['permissionDecision', 'permissionDecisionReason'],
  PostModelSwitch: CONTEXT,
  CwdChanged: ['watchPaths'],
  FileChanged: ['watchPaths'],
  SubagentStop: CONTEXT,
  Elicitation: ANSWER,
  ElicitationResult: ANSWER,
  WorktreeCreate: ['worktreePath'],
  ModelRequest: ['headers'],
  ModelRetry: ['retry', 'delayMs'],
}

const text: ValueSchema = { type: ['string', 'null'] }
const flag: ValueSchema = { type: ['boolean', 'null'] }
const object: ValueSchema = { type: ['object', 'null'] }

const properties: Record<string, ValueSchema> = {
  async: flag,
  asyncTimeout: { type: ['number', 'null'] },
  continue: flag,
  suppressOutput: flag,
  stopReason: text,
  systemMessage: text,
  reason: text,
  decision: { enum: ['approve', 'block', null] },
  hookSpecificOutput: {
    ...object,
    required: ['hookEventName'],
    properties: {
      hookEventName: { type: 'string' },
      permissionDecision: { enum: ['allow', 'deny', 'ask', 'defer', null] },
      permissionDecisionReason: text,
      additionalContext: text,
      updatedInput: object,
      action: { enum: ['accept', 'decline', 'cancel', null] },
      content: object,
      worktreePath: text,
      displayContent: text,
      initialUserMessage: text,
      sessionTitle: text,
      suppressOriginalPrompt: flag,
      watchPaths: { type: ['array', 'null'], items: { type: 'string' } },
      headers: object,
      retry: flag,
      delayMs: { type: ['number', 'null'] },
      decision: {
        ...object,
        required: ['behavior'],
        properties: {
          behavior: { enum: ['allow', 'deny'] },
          message: text,
          interrupt: flag,
          updatedInput: object,
          updatedPermissions: { type: ['array', 'null'] },
        },
      },
    },
  },
}
const OUTPUT: ValueSchema = { type: 'object', properties }
const TOP_LEVEL = Object.keys(properties)
