import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HOOK_EVENTS, type HookEvent } from '../protocol/hooks.js'
import { MODEL_SWITCH_FIELDS, RAISE_EACH_EVENT } from './test-events.js'
import { createTestHooks, hookBashCall, neverAbortedSignal, type TestCallback } from './test-hooks.js'

const base = (cwd: string) => ({ session_id: 's', transcript_path: '/t.jsonl', cwd })
const call = { tool_name: 'Bash', tool_input: { command: 'echo hi' }, tool_use_id: 'toolu_1' }
const specific = (fields: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } })
const agent = { agent_id: 'a1', agent_type: 'reviewer' }

const beside = { background_tasks: [], session_crons: [] }

/** What a hook of each event is told beside session, transcript and folder; `mode` where it is told the mode. */
const TOLD: Record<HookEvent, { mode: boolean; fields: object }> = {
  PreToolUse: { mode: true, fields: call },
  PostToolUse: { mode: true, fields: { ...call, tool_response: { stdout: 'hi' } } },
  PostToolUseFailure: { mode: true, fields: { ...call, error: 'Exit code 1', is_interrupt: false } },
  PostToolBatch: { mode: true, fields: { tool_calls: [{ ...call, tool_response: { stdout: 'hi' } }] } },
  PermissionRequest: {
    mode: true,
    fields: { tool_name: 'Bash', tool_input: { command: 'echo hi' }, permission_suggestions: [] },
  },
  PermissionDenied: { mode: true, fields: { ...call, reason: 'no' } },
  Notification: { mode: false, fields: { message: 'm', title: 't', notification_type: 'idle_prompt' } },
  UserPromptSubmit: { mode: true, fields: { prompt: 'p' } },
  SessionStart: { mode: false, fields: { source: 'startup', model: 'claude' } },
  SessionEnd: { mode: false, fields: { reason: 'other' } },
  Setup: { mode: false, fields: { trigger: 'init' } },
  UserPromptExpansion: {
    mode: true,
    fields: {
      expansion_type: 'slash_command',
      command_name: 'fix',
      command_args: 'it',
      command_source: 'project',
      prompt: '/fix it',
    },
  },
  Stop: { mode: true, fields: { stop_hook_active: false, last_assistant_message: 'Done.', ...beside } },
  StopFailure: { mode: true, fields: { error: 'rate_limit', error_details: 'd', last_assistant_message: 'Done.' } },
  SubagentStart: { mode: false, fields: agent },
  SubagentStop: {
    mode: true,
    fields: {
      stop_hook_active: true,
      ...agent,
      agent_transcript_path: '/a.jsonl',
      last_assistant_message: 'Done.',
      ...beside,
    },
  },
  PreCompact: { mode: false, fields: { trigger: 'auto', custom_instructions: null } },
  PostCompact: { mode: false, fields: { trigger: 'manual', compact_summary: 's' } },
  PreModelSwitch: { mode: false, fields: MODEL_SWITCH_FIELDS },
  PostModelSwitch: { mode: false, fields: MODEL_SWITCH_FIELDS },
  TeammateIdle: { mode: false, fields: { teammate_name: 'n', team_name: 't' } },
  TaskCreated: { mode: false, fields: { task_id: '1', task_subject: 's' } },
  TaskCompleted: { mode: false, fields: { task_id: '1', task_subject: 's' } },
  Elicitation: { mode: false, fields: { mcp_server_name: 'srv', message: 'm' } },
  ElicitationResult: { mode: false, fields: { mcp_server_name: 'srv', action: 'accept', content: { a: 1 } } },
  ConfigChange: { mode: false, fields: { source: 'user_settings', file_path: '/f' } },
  InstructionsLoaded: {
    mode: false,
    fields: { file_path: '/CLAUDE.md', memory_type: 'Project', load_reason: 'session_start' },
  },
  CwdChanged: { mode: false, fields: { old_cwd: '/a', new_cwd: '/b' } },
  FileChanged: { mode: false, fields: { file_path: '/x/.env', event: 'change' } },
  DirectoryAdded: { mode: false, fields: { directory: '/other', source: 'slash_command' } },
  MessageDisplay: {
    mode: false,
    fields: { turn_id: 't', message_id: 'm', index: 0, final: true, delta: 'Hi' },
  },
  WorktreeCreate: { mode: false, fields: { name: 'w' } },
  WorktreeRemove: { mode: false, fields: { worktree_path: '/w' } },
  ModelRequest: { mode: false, fields: { model: 'claude', url: 'https://x/v1', headers: {}, body: '{}', attempt: 1 } },
  ModelRetry: {
    mode: false,
    fields: {
      model: 'claude',
      error: 'overloaded',
      error_status: 529,
      attempt: 1,
      max_retries: 2,
      delay_ms: 500,
      will_retry: true,
    },
  },
}

/** What a matcher of each event is compared with. */
const SUBJECTS: Partial<Record<HookEvent, string>> = {
  PreToolUse: 'Bash',
  PostToolUse: 'Bash',
  PostToolUseFailure: 'Bash',
  PermissionRequest: 'Bash',
  PermissionDenied: 'Bash',
  Notification: 'idle_prompt',
  UserPromptExpansion: 'fix',
  SessionStart: 'startup',
  SessionEnd: 'other',
  Setup: 'init',
  StopFailure: 'rate_limit',
  SubagentStart: 'reviewer',
  SubagentStop: 'reviewer',
  PreCompact: 'auto',
  PostCompact: 'manual',
  Elicitation: 'srv',
  ElicitationResult: 'srv',
  ConfigChange: 'user_settings',
  InstructionsLoaded: 'session_start',
  FileChanged: '.env',
  ModelRequest: 'claude',
  ModelRetry: 'overloaded',
}

describe('every event', () => {
  for (const event of HOOK_EVENTS) {
    test(`${event}: what it tells`, async () => {
      await using at = createTestHooks()
      const seen: unknown[] = []
      at.callbacks(event, [
        (input, _, toolUseId) => {
          seen.push(input, toolUseId)
          return {}
        },
      ])
      await RAISE_EACH_EVENT[event](at.hooks, neverAbortedSignal)
      const { mode, fields } = TOLD[event]
      const told = {
        ...base(at.cwd),
        ...(mode ? { permission_mode: 'default' } : {}),
        hook_event_name: event,
        ...fields,
      }
      assert.deepEqual(seen[0], told)
      if (SUBJECTS[event] === 'Bash') assert.equal(seen[1], 'toolu_1')
      else assert.match(String(seen[1]), /^[0-9a-f-]{36}$/)
    })

    test(`${event}: what a matcher is compared with`, async () => {
      await using at = createTestHooks()
      const seen: string[] = []
      const subject = SUBJECTS[event]
      for (const matcher of ['other-thing', ...(subject === undefined ? [] : [subject])]) {
        const watch = () => {
          seen.push(matcher)
          return {}
        }
        at.callbacks(event, [watch], { matcher })
      }
      await RAISE_EACH_EVENT[event](at.hooks, neverAbortedSignal)
      // Without a subject all hooks of the event are meant.
      assert.deepEqual(seen, [subject ?? 'other-thing'])
    })

    test(`${event}: nothing happens without hooks`, async () => {
      await using at = createTestHooks({ base: () => assert.fail('nobody has to be told anything') })
      await RAISE_EACH_EVENT[event](at.hooks, neverAbortedSignal)
    })
  }

  test('a hook can not change what others are told, or what is run', async () => {
    await using at = createTestHooks()
    const seen: unknown[] = []
    const meddle: TestCallback = (input) => {
      seen.push('tool_input' in input && structuredClone(input.tool_input))
      if ('tool_input' in input) Object(input.tool_input).command = 'rm'
      if ('tool_response' in input) Object(input.tool_response).stdout = 'changed'
      return {}
    }
    const output = { stdout: 'hi' }
    at.callbacks('PreToolUse', [meddle, meddle])
    at.callbacks('PostToolUse', [meddle])
    await at.hooks.preTool(hookBashCall, neverAbortedSignal)
    await at.hooks.postTool(hookBashCall, { ok: true, content: 'hi', output }, false, neverAbortedSignal)
    assert.deepEqual(seen, Array(3).fill({ command: 'echo hi' }))
    assert.deepEqual([hookBashCall.input, output], [{ command: 'echo hi' }, { stdout: 'hi' }])
  })

  test('many hooks at once do not pile up listeners', async () => {
    await using at = createTestHooks()
    const warnings: string[] = []
    const note = (warning: Error) => warnings.push(warning.message)
    process.on('warning', note)
    at.callbacks(
      'Stop',
      Array(30).fill(() => ({})),
    )
    for (let i = 0; i < 15; i += 1) at.command('Stop', `true ${i}`)
    for (let i = 0; i < 15; i += 1) at.command('Stop', `sleep 0.1; true ${i}`, { async: true })
    await at.hooks.stop(false, '', new AbortController().signal)
    await new Promise(setImmediate)
    process.off('warning', note)
    assert.deepEqual(warnings, [])
  })

  test('an answer that holds what JSON can not say', async () => {
    await using at = createTestHooks()
    at.callbacks('PreToolUse', [() => specific({ updatedInput: { a: 5n } })])
    assert.deepEqual(await at.hooks.preTool(hookBashCall, neverAbortedSignal), { context: [], input: { a: 5n } })
  })

  test('either kind of hook alone: commands first, callbacks when there is a host', async () => {
    await using at = createTestHooks()
    at.callbacks('SessionStart', [
      () => ({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'callback' } }),
    ])
    at.command('SessionStart', 'echo command')
    const start = async (only?: 'settings' | 'callbacks') =>
      (await at.hooks.sessionStart('startup', 'm', neverAbortedSignal, only)).context
    assert.deepEqual(await start('settings'), ['command'])
    assert.deepEqual(await start('callbacks'), ['callback'])
    assert.deepEqual(await start(), ['command', 'callback'])
  })

  test('has: callbacks and commands', async () => {
    await using at = createTestHooks()
    at.callbacks('Stop', [() => ({})])
    at.command('Setup', 'true')
    assert.deepEqual(HOOK_EVENTS.filter(at.hooks.has), ['Stop', 'Setup'])
  })
})

describe('what hooks say beside their decision', () => {
  test('systemMessage is for the user', async () => {
    await using at = createTestHooks()
    at.callbacks('Stop', [() => ({ systemMessage: 'one' }), () => ({ systemMessage: '' })])
    at.command('Stop', `echo '{"systemMessage":"two","suppressOutput":true}'`)
    await at.hooks.stop(false, '', neverAbortedSignal)
    assert.deepEqual(at.informed.sort(), ['one', 'two'])
  })

  test('a field that does nothing is named once', async () => {
    await using at = createTestHooks()
    at.callbacks('PermissionDenied', [
      () => ({ hookSpecificOutput: { hookEventName: 'PermissionDenied', retry: true } }),
    ])
    for (let i = 0; i < 3; i += 1) await at.hooks.permissionDenied(hookBashCall, 'no', neverAbortedSignal)
    assert.deepEqual(at.reports, ['Hook hook_0 answered with retry, which has no effect here.'])
  })

  test('a callback that throws, takes too long or answers garbage is reported', async () => {
    await using at = createTestHooks()
    at.callbacks('Stop', [
      () => Promise.reject(new Error('boom')),
      () => 'x',
      // What hosts throw is up to them.
      () => Promise.reject('text'),
    ])
    at.callbacks('Stop', [() => new Promise(() => {})], { timeout: 0.05 })
    assert.deepEqual(await at.hooks.stop(false, '', neverAbortedSignal), {})
    assert.deepEqual(at.reports.sort(), [
      'Error in hook callback hook_0: Error: boom',
      'Error in hook callback hook_1: its answer means nothing: expected an object, got a string',
      'Error in hook callback hook_2: Error: text',
      'Error in hook callback hook_3: it took longer than 0.05 s',
    ])
  })
})

test('a callback is canceled with its turn, which is no fault of its own; the tool does not run', async () => {
  await using at = createTestHooks()
  const turn = new AbortController()
  let aborted = false
  at.callbacks('PreToolUse', [
    (_, signal) => {
      signal.addEventListener('abort', () => {
        aborted = true
      })
      turn.abort()
      return new Promise(() => {})
    },
  ])
  assert.equal((await at.hooks.preTool(hookBashCall, turn.signal)).decision, 'deny')
  assert.deepEqual([aborted, at.reports], [true, []])
  assert.deepEqual(at.observed.at(-1)?.message, {
    subtype: 'hook_response',
    hook_id: at.observed[0]?.message.hook_id,
    hook_name: 'PreToolUse:Bash',
    hook_event: 'PreToolUse',
    output: '',
    stdout: '',
    stderr: '',
    outcome: 'cancelled',
  })
})

describe('a stop hook that always blocks', () => {
  const block = () => ({ decision: 'block', reason: 'again' })

  test('sends the model back 20 times in a row, then the turn ends and the user is told', async () => {
    await using at = createTestHooks()
    at.callbacks('Stop', [block])
    for (let i = 0; i < 20; i += 1)
      assert.deepEqual(await at.hooks.stop(i > 0, '', neverAbortedSignal), { block: 'again' })
    assert.deepEqual(at.informed, [])
    assert.deepEqual(await at.hooks.stop(true, '', neverAbortedSignal), {})
    assert.match(at.informed.join(), /sent the model back 20 times without a tool call.*stop_hook_active/)
    // The next turn starts anew.
    assert.deepEqual(await at.hooks.stop(false, '', neverAbortedSignal), { block: 'again' })
  })

  test('goes on longer while the model works, but not for ever', async () => {
    await using at = createTestHooks()
    at.callbacks('Stop', [block])
    for (let i = 0; i < 500; i += 1) {
      assert.deepEqual(await at.hooks.stop(i > 0, '', neverAbortedSignal), { block: 'again' })
      await at.hooks.preTool(hookBashCall, neverAbortedSignal)
    }
    assert.deepEqual(await at.hooks.stop(true, '', neverAbortedSignal), {})
    assert.match(at.informed.join(), /sent the model back 500 times/)
  })

  test('each sub-agent is counted for itself', async () => {
    await using at = createTestHooks()
    at.callbacks('SubagentStop', [block])
    const [one, two] = ['a', 'b'].map((id) => at.hooks.forAgent({ id, type: 't', transcriptPath: '/a' }))
    for (let i = 0; i < 21; i += 1) await one?.stop(i > 0, '', neverAbortedSignal)
    assert.equal(at.informed.length, 1)
    assert.deepEqual(await two?.stop(true, '', neverAbortedSignal), { block: 'again' })
  })

  test('continue:false still counts beside it', async () => {
    await using at = createTestHooks()
    at.callbacks('Stop', [block, () => ({ continue: false })])
    for (let i = 0; i < 21; i += 1) assert.equal((await at.hooks.stop(i > 0, '', neverAbortedSignal)).prevent, true)
  })
})
