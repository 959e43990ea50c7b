import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HOOK_EVENTS, type HookEvent, type HookInput } from '../protocol/hooks.js'
import { hookEventTraits, matcherSubjects } from './event-traits.js'

/** An input with just the fields that a matcher could be compared with. */
function input(event: HookEvent, fields: Record<string, unknown> = {}): HookInput {
  const base = { session_id: 's', transcript_path: '/t.jsonl', cwd: '/repo' }
  return { ...base, hook_event_name: event, ...fields } as unknown as HookInput
}

function eventsWith(trait: 'mode' | 'blocks' | 'stops' | 'literal'): HookEvent[] {
  return HOOK_EVENTS.filter((event) => hookEventTraits(event)[trait])
}

describe('what a matcher is compared with', () => {
  const rows: [event: HookEvent, fields: Record<string, unknown>, names: string[]][] = [
    ['PreToolUse', { tool_name: 'Bash' }, ['Bash']],
    ['PostToolUse', { tool_name: 'mcp__files__write' }, ['mcp__files__write']],
    ['PostToolUseFailure', { tool_name: 'Edit' }, ['Edit']],
    ['PermissionRequest', { tool_name: 'Write' }, ['Write']],
    ['PermissionDenied', { tool_name: 'Write' }, ['Write']],
    ['Notification', { notification_type: 'idle_prompt' }, ['idle_prompt']],
    ['UserPromptExpansion', { command_name: 'fix' }, ['fix']],
    ['SessionStart', { source: 'resume' }, ['resume']],
    ['SessionEnd', { reason: 'clear' }, ['clear']],
    ['Setup', { trigger: 'init' }, ['init']],
    ['StopFailure', { error: 'rate_limit' }, ['rate_limit']],
    ['SubagentStart', { agent_type: 'reviewer' }, ['reviewer']],
    ['SubagentStop', { agent_type: 'reviewer' }, ['reviewer']],
    ['PreCompact', { trigger: 'auto' }, ['auto']],
    ['PostCompact', { trigger: 'manual' }, ['manual']],
    ['Elicitation', { mcp_server_name: 'files' }, ['files']],
    ['ElicitationResult', { mcp_server_name: 'files' }, ['files']],
    ['ConfigChange', { source: 'user_settings', file_path: '/home/ada/.claude/settings.json' }, ['user_settings']],
    ['InstructionsLoaded', { load_reason: 'session_start', file_path: '/repo/CLAUDE.md' }, ['session_start']],
    ['ModelRequest', { model: 'claude-sonnet-4-5' }, ['claude-sonnet-4-5']],
    ['ModelRetry', { model: 'claude-sonnet-4-5', error: 'overloaded' }, ['overloaded']],
  ]
  for (const [event, fields, names] of rows) {
    test(event, () => assert.deepEqual(matcherSubjects(input(event, fields)), { names }))
  }

  test('every other event has no subject: all of its hooks are meant', () => {
    const named = new Set<HookEvent>([...rows.map(([event]) => event), 'FileChanged'])
    const rest = HOOK_EVENTS.filter((event) => !named.has(event))
    assert.deepEqual(
      rest.filter(
        (event) => matcherSubjects(input(event, { tool_name: 'Bash', source: 'x', trigger: 'x' })) !== undefined,
      ),
      [],
    )
    assert.ok(rest.includes('Stop') && rest.includes('UserPromptSubmit'))
  })

  test('a tool goes by either of its names, its present one first', () => {
    const names = (tool_name: string) => matcherSubjects(input('PreToolUse', { tool_name }))?.names
    assert.deepEqual(new Set(names('Task')), new Set(names('Agent')))
    assert.equal(names('Task')?.length, 2)
    assert.equal(names('Task')?.[0], 'Task')
    assert.equal(names('Agent')?.[0], 'Agent')
  })

  test('a word that is the old name of a tool is just a word elsewhere', () => {
    assert.deepEqual(matcherSubjects(input('SubagentStart', { agent_type: 'Task' })), { names: ['Task'] })
  })

  test('a changed file is known by its last part, word by word', () => {
    const of = (file_path: string) => matcherSubjects(input('FileChanged', { file_path }))
    assert.deepEqual(of('/repo/.env'), { names: ['.env'], literal: true })
    assert.deepEqual(of('C:\\repo\\.envrc'), { names: ['.envrc'], literal: true })
    assert.deepEqual(of('plain'), { names: ['plain'], literal: true })
    assert.deepEqual(of('/repo/folder/'), { names: [''], literal: true })
  })
})

describe('what an event is good for', () => {
  test('there is something to stop only where a turn or a task goes on', () => {
    assert.deepEqual(eventsWith('stops').sort(), [
      ...['ModelRequest', 'ModelRetry'],
      ...['PermissionRequest', 'PostToolBatch', 'PostToolUse', 'PostToolUseFailure', 'PreCompact', 'PreToolUse'],
      ...['Stop', 'SubagentStop', 'TaskCompleted', 'TaskCreated', 'TeammateIdle'],
      ...['UserPromptExpansion', 'UserPromptSubmit'],
    ])
  })

  test('what can be stopped can be blocked; a few more can only be blocked', () => {
    const blocks = eventsWith('blocks')
    const stops = eventsWith('stops')
    assert.deepEqual(
      stops.filter((event) => !blocks.includes(event)),
      [],
    )
    assert.deepEqual(blocks.filter((event) => !stops.includes(event)).sort(), [
      ...['ConfigChange', 'Elicitation', 'ElicitationResult', 'PreModelSwitch', 'WorktreeCreate'],
    ])
  })

  test('what is over can not be blocked', () => {
    for (const event of ['SessionEnd', 'PostCompact', 'PermissionDenied', 'StopFailure', 'WorktreeRemove'] as const) {
      assert.equal(hookEventTraits(event).blocks, undefined, event)
    }
  })

  test('the permission mode is told where calls and turns are decided', () => {
    const modes = eventsWith('mode')
    for (const event of ['PreToolUse', 'PostToolBatch', 'UserPromptSubmit', 'Stop', 'SubagentStop'] as const) {
      assert.ok(modes.includes(event), event)
    }
    for (const event of ['SessionStart', 'SessionEnd', 'Notification', 'PreCompact', 'SubagentStart'] as const) {
      assert.ok(!modes.includes(event), event)
    }
  })

  test('only names of files are compared literally', () => assert.deepEqual(eventsWith('literal'), ['FileChanged']))
})
