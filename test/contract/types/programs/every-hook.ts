// An audit log on every event, with the fields each event has.
import {
  HOOK_EVENTS,
  type HookCallback,
  type HookCallbackMatcher,
  type HookEvent,
  type HookInput,
  type HookJSONOutput,
  type Options,
  type PostToolUseHookInput,
  type PreToolUseHookInput,
  type SyncHookJSONOutput,
} from '@anthropic-ai/claude-agent-sdk'

export function line(input: HookInput): string {
  const head = `${input.session_id} ${input.cwd} ${input.permission_mode ?? '-'} ${input.transcript_path}`
  switch (input.hook_event_name) {
    case 'PreToolUse':
      return `${head} ${input.tool_name} ${input.tool_use_id} ${JSON.stringify(input.tool_input)}`
    case 'PostToolUse':
      return `${head} ${input.tool_name} ${JSON.stringify(input.tool_response)}`
    case 'PostToolUseFailure':
      return `${head} ${input.tool_name} ${input.error.toUpperCase()} ${input.is_interrupt === true}`
    case 'Notification':
      return `${head} ${input.notification_type} ${input.title ?? ''} ${input.message}`
    case 'UserPromptSubmit':
      return `${head} ${input.prompt.length}`
    case 'SessionStart':
      return `${head} ${input.source === 'compact' ? 'again' : input.source} ${input.agent_type} ${input.model}`
    case 'SessionEnd':
      return `${head} ${input.reason === 'clear' ? 'cleared' : input.reason}`
    case 'Stop':
      return `${head} ${input.stop_hook_active} ${input.last_assistant_message?.slice(0, 10)}`
    case 'SubagentStart':
      return `${head} ${input.agent_id} ${input.agent_type}`
    case 'SubagentStop':
      return `${head} ${input.agent_id} ${input.agent_transcript_path} ${input.agent_type}`
    case 'PreCompact':
      return `${head} ${input.trigger} ${input.custom_instructions?.trim() ?? ''}`
    case 'PermissionRequest':
      return `${head} ${input.tool_name} ${input.permission_suggestions?.length ?? 0}`
    case 'Setup':
      return `${head} ${input.trigger === 'init'}`
    case 'TeammateIdle':
      return `${head} ${input.teammate_name}@${input.team_name}`
    case 'TaskCompleted':
      return `${head} ${input.task_id} ${input.task_subject} ${input.task_description ?? ''}`
    case 'ConfigChange':
      return `${head} ${input.source} ${input.file_path ?? ''}`
    case 'WorktreeCreate':
      return `${head} ${input.name}`
    case 'WorktreeRemove':
      return `${head} ${input.worktree_path}`
    default:
      return head
  }
}

const log: HookCallback = async (input, toolUseID, { signal }) => {
  if (!signal.aborted) console.log(toolUseID, line(input))
  return { continue: true }
}

const guard: HookCallback = async (input): Promise<HookJSONOutput> => {
  if (input.hook_event_name !== 'PreToolUse') return {}
  const { tool_input: toolInput } = input as PreToolUseHookInput
  const command = (toolInput as { command?: string }).command ?? ''
  if (command.includes('rm -rf')) {
    return {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'not here',
      },
    }
  }
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: command.trim() } } }
}

function after(input: PostToolUseHookInput): SyncHookJSONOutput {
  return {
    hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: `${input.tool_name} is done` },
    systemMessage: 'noted',
    suppressOutput: true,
  }
}

export function auditHooks(): NonNullable<Options['hooks']> {
  const all: Partial<Record<HookEvent, HookCallbackMatcher[]>> = {}
  for (const event of HOOK_EVENTS) all[event] = [{ hooks: [log] }]
  return {
    ...all,
    PreToolUse: [{ matcher: 'Bash|Write', hooks: [guard], timeout: 10 }],
    PostToolUse: [{ hooks: [async (input) => (input.hook_event_name === 'PostToolUse' ? after(input) : {})] }],
    Stop: [{ hooks: [async () => ({ decision: 'block', reason: 'one more thing' })] }],
    UserPromptSubmit: [
      {
        hooks: [
          async () => ({
            hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'today is Monday' },
          }),
        ],
      },
    ],
    PermissionRequest: [
      {
        hooks: [
          async () => ({
            hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message: 'no' } },
          }),
        ],
      },
    ],
    Notification: [{ hooks: [async () => ({ async: true, asyncTimeout: 5 })] }],
  }
}
