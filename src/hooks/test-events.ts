/** For tests of hooks: each event raised once, through the function the runtime uses for it. */
import type { HookEvent } from '../protocol/hooks.js'
import { mergeModelRequest, mergeModelRetry } from './merge-model-answers.js'
import type { EventFields } from './raise.js'
import type { SessionHooks } from './session-hooks.js'
import { hookBashCall } from './test-hooks.js'

const done = { ok: true, content: 'hi', output: { stdout: 'hi' } } as const
const failed = { ok: false, error: 'Exit code 1' } as const
const agent = { id: 'a1', type: 'reviewer', transcriptPath: '/a.jsonl' }

export const MODEL_SWITCH_FIELDS: EventFields<'PostModelSwitch'> = {
  from_model: 'claude',
  to_model: 'other',
  requested_model: null,
  source: 'sdk',
  context_tokens: 5,
  prompt_cache_warm: false,
  cache_ttl: '5m',
  estimated_cache_write_usd: 0.1,
  pricing: 'catalog',
}

const EXPANDED: EventFields<'UserPromptExpansion'> = {
  expansion_type: 'slash_command',
  command_name: 'fix',
  command_args: 'it',
  command_source: 'project',
  prompt: '/fix it',
}
const ADDED: EventFields<'DirectoryAdded'> = { directory: '/other', source: 'slash_command' }
const DISPLAYED: EventFields<'MessageDisplay'> = { turn_id: 't', message_id: 'm', index: 0, final: true, delta: 'Hi' }

export const RAISE_EACH_EVENT: Record<HookEvent, (hooks: SessionHooks, signal: AbortSignal) => Promise<unknown>> = {
  PreToolUse: (hooks, signal) => hooks.preTool(hookBashCall, signal),
  PostToolUse: (hooks, signal) => hooks.postTool(hookBashCall, done, false, signal),
  PostToolUseFailure: (hooks, signal) => hooks.postTool(hookBashCall, failed, false, signal),
  PostToolBatch: (hooks, signal) => hooks.postBatch([{ call: hookBashCall, output: done.output }], signal),
  PermissionRequest: (hooks, signal) => hooks.permissionRequest(hookBashCall, [], signal),
  PermissionDenied: (hooks, signal) => hooks.permissionDenied(hookBashCall, 'no', signal),
  Notification: (hooks, signal) => hooks.notification('m', 'idle_prompt', signal, 't'),
  UserPromptSubmit: (hooks, signal) => hooks.promptSubmit('p', signal),
  UserPromptExpansion: (hooks, signal) => hooks.promptExpansion(EXPANDED, signal),
  SessionStart: async (hooks, signal) => (await hooks.sessionStart('startup', 'claude', signal)).context,
  SessionEnd: (hooks, signal) => hooks.sessionEnd('other', signal),
  Setup: (hooks, signal) => hooks.setup('init', signal),
  Stop: (hooks, signal) => hooks.stop(false, 'Done.', signal),
  StopFailure: (hooks, signal) => hooks.stopFailure('rate_limit', 'd', 'Done.', signal),
  SubagentStart: (hooks, signal) => hooks.forAgent(agent).start(signal),
  SubagentStop: (hooks, signal) => hooks.forAgent(agent).stop(true, 'Done.', signal),
  PreCompact: (hooks, signal) => hooks.preCompact({ trigger: 'auto', custom_instructions: null }, signal),
  PostCompact: (hooks, signal) => hooks.postCompact({ trigger: 'manual', compact_summary: 's' }, signal),
  PreModelSwitch: async (hooks, signal) => {
    const block = await hooks.preModelSwitch({ ...MODEL_SWITCH_FIELDS, source: 'sdk' }, signal)
    return block === undefined ? {} : { block }
  },
  PostModelSwitch: (hooks, signal) => hooks.postModelSwitch(MODEL_SWITCH_FIELDS, signal),
  TeammateIdle: (hooks, signal) => hooks.teammateIdle({ teammate_name: 'n', team_name: 't' }, signal),
  TaskCreated: (hooks, signal) => hooks.taskCreated({ task_id: '1', task_subject: 's' }, signal),
  TaskCompleted: (hooks, signal) => hooks.taskCompleted({ task_id: '1', task_subject: 's' }, signal),
  Elicitation: (hooks, signal) => hooks.elicitation({ mcp_server_name: 'srv', message: 'm' }, signal),
  ElicitationResult: (hooks, signal) =>
    hooks.elicitationResult({ mcp_server_name: 'srv', action: 'accept', content: { a: 1 } }, signal),
  ConfigChange: (hooks, signal) => hooks.configChange({ source: 'user_settings', file_path: '/f' }, signal),
  InstructionsLoaded: (hooks, signal) =>
    hooks.instructionsLoaded({ file_path: '/CLAUDE.md', memory_type: 'Project', load_reason: 'session_start' }, signal),
  DirectoryAdded: (hooks, signal) => hooks.directoryAdded(ADDED, signal),
  MessageDisplay: (hooks, signal) => hooks.messageDisplay(DISPLAYED, signal),
  CwdChanged: (hooks, signal) => hooks.cwdChanged({ old_cwd: '/a', new_cwd: '/b' }, signal),
  FileChanged: (hooks, signal) => hooks.fileChanged({ file_path: '/x/.env', event: 'change' }, signal),
  WorktreeCreate: (hooks, signal) => hooks.worktreeCreate('w', signal),
  WorktreeRemove: (hooks, signal) => hooks.worktreeRemove('/w', signal),
  ModelRequest: async (hooks, signal) => {
    const fields = { model: 'claude', url: 'https://x/v1', headers: {}, body: '{}', attempt: 1 }
    return mergeModelRequest(await hooks.said('ModelRequest', () => fields, signal))
  },
  ModelRetry: async (hooks, signal) => {
    const failed = { model: 'claude', error: 'overloaded', error_status: 529 }
    const planned = { attempt: 1, max_retries: 2, delay_ms: 500, will_retry: true }
    return mergeModelRetry(await hooks.said('ModelRetry', () => ({ ...failed, ...planned }), signal))
  },
}
