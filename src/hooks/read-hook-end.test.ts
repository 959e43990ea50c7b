import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { HookInput } from '../protocol/hooks.js'
import { createOccurrence } from './occurrence.js'
import {
  createUnstartedHookResult,
  type HookCommandEnd,
  readHookEnd,
  type SettingsHookResult,
} from './read-hook-end.js'
import type { SettingsHook } from './settings-hook.js'

type CommandHook = Extract<SettingsHook, { type: 'command' }>

const base = { session_id: 's', transcript_path: '/t', cwd: '/' }
const INPUTS = {
  PreToolUse: {
    ...base,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: {},
    tool_use_id: 't',
  },
  UserPromptSubmit: { ...base, hook_event_name: 'UserPromptSubmit', prompt: 'p' },
  SessionEnd: { ...base, hook_event_name: 'SessionEnd', reason: 'other' },
  Stop: { ...base, hook_event_name: 'Stop', stop_hook_active: false },
} as const satisfies Record<string, HookInput>

function read(
  event: keyof typeof INPUTS,
  end: Partial<HookCommandEnd>,
  more: Partial<CommandHook> = {},
): SettingsHookResult {
  const hook: SettingsHook = { event, type: 'command', command: 'guard', source: 'f', ...more }
  const occurrence = createOccurrence({ input: INPUTS[event], toolUseId: 't', isLast: false, onAbort: () => () => {} })
  const whole: HookCommandEnd = { exitCode: 0, signal: null, stdout: '', stderr: '', ...end }
  return readHookEnd(hook, occurrence, whole)
}

const failure = (text: string) => ({ outcome: { name: '[guard]', failure: text }, note: text })

describe('what a command hook says', () => {
  test('nothing, and text that is no JSON', () => {
    assert.deepEqual(read('PreToolUse', {}), { outcome: { name: '[guard]', output: {} } })
    assert.deepEqual(read('PreToolUse', { stdout: ' \n' }), { outcome: { name: '[guard]', output: {} } })
    for (const stdout of ['all is well\n', '["a"]', 'null', '"{}"', 'note\n{ "no": "answer" }', '[log]\n{broken']) {
      assert.deepEqual(read('PreToolUse', { stdout }), {
        outcome: { name: '[guard]', output: {}, printed: stdout.trim() },
      })
    }
  })

  test('an answer in JSON, with blanks or a byte order mark around it', () => {
    for (const stdout of ['{"decision":"block"}', '\n  {"decision":"block"}\n\n', '\ufeff{"decision":"block"}']) {
      assert.deepEqual(read('PreToolUse', { stdout }), {
        outcome: { name: '[guard]', output: { decision: 'block' }, ignored: [] },
      })
    }
  })

  test('JSON that is none, or means nothing', () => {
    const broken = 'it printed something that begins like JSON but is none'
    for (const stdout of ['{', '{"decision": deny}', '{"decision":"block"} done', '{}{}']) {
      assert.deepEqual(read('PreToolUse', { stdout }), failure(broken))
    }
    assert.deepEqual(read('PreToolUse', { stdout: '{', isCut: true }), failure('its answer is too long'))
    const { note } = read('PreToolUse', { stdout: '{"decision":"blok"}' })
    assert.match(note ?? '', /^its answer means nothing: decision must be/)
  })

  test('a decision behind other text is not overheard', () => {
    const text = 'it printed other text before its JSON answer'
    for (const stdout of [
      'checking…\n{"decision":"block","reason":"no"}',
      'a\nb\n  {\n "hookSpecificOutput": {}\n}\n',
      'x\n{"continue":false}',
      'x\n{"permissionDecision":"deny"}',
    ]) {
      assert.deepEqual(read('PreToolUse', { stdout }), failure(text))
    }
  })

  test('exit code 2 blocks, with a reason also where there is none; what it printed does not count', () => {
    const blocked = (reason: string) => ({
      outcome: {
        name: '[guard]',
        output: { decision: 'block', reason: `PreToolUse:Bash hook error: [guard]: ${reason}` },
        byExitCode: true,
      },
    })
    assert.deepEqual(read('PreToolUse', { exitCode: 2, stderr: 'not here\n' }), blocked('not here\n'))
    assert.deepEqual(read('PreToolUse', { exitCode: 2, stdout: '{"decision":"approve"}' }), blocked('No stderr output'))
    assert.deepEqual(read('UserPromptSubmit', { exitCode: 2, stderr: 'no' }), {
      outcome: { name: '[guard]', output: { decision: 'block', reason: '[guard]: no' }, byExitCode: true },
    })
  })

  test('exit code 2 where nothing can be blocked is for people', () => {
    assert.deepEqual(read('SessionEnd', { exitCode: 2, stderr: 'too late' }), {
      outcome: { name: '[guard]', output: {} },
      note: 'too late',
    })
  })

  test('other exit codes: a failure, which is open only for the small ones', () => {
    for (const exitCode of [1, 3, 64, 125]) {
      const text = `exit code ${exitCode}: oops`
      assert.deepEqual(read('PreToolUse', { exitCode, stderr: 'oops\n', stdout: '{"decision":"approve"}' }), {
        outcome: { name: '[guard]', failure: text, open: true },
        note: text,
      })
    }
    for (const exitCode of [128, 137, 255]) {
      assert.deepEqual(read('PreToolUse', { exitCode }), failure(`exit code ${exitCode}`))
    }
  })

  test('a command that is not there can not be run later either', () => {
    assert.deepEqual(read('PreToolUse', { exitCode: 127, stderr: 'bash: line 1: guard: command not found\n' }), {
      ...failure('command not found (exit code 127): bash: line 1: guard: command not found'),
      missing: true,
    })
    assert.deepEqual(read('PreToolUse', { exitCode: 126 }), {
      ...failure("command can't be executed (exit code 126)"),
      missing: true,
    })
    assert.deepEqual(
      createUnstartedHookResult({ event: 'Stop', type: 'command', command: 'guard', source: 'f' }, 'spawn bash ENOENT'),
      {
        ...failure('it could not be started: spawn bash ENOENT'),
        missing: true,
      },
    )
  })

  test('signals and time', () => {
    assert.deepEqual(read('PreToolUse', { exitCode: null, signal: 'SIGKILL' }), failure('it was ended by SIGKILL'))
    assert.deepEqual(
      read('PreToolUse', { exitCode: 0, stdout: '{"decision":"approve"}', timedOutAfter: 5 }),
      failure('it took longer than 5 s'),
    )
  })

  test('onFailure block turns every failure into a block, where there is something to block', () => {
    for (const end of [{ exitCode: 1 }, { exitCode: 127 }, { exitCode: null }, { stdout: '{' }, { timedOutAfter: 1 }]) {
      const { outcome, note } = read('PreToolUse', end, { onFailure: 'block' })
      assert.deepEqual(outcome, { name: '[guard]', output: { decision: 'block', reason: `[guard]: ${note}` } })
    }
    for (const event of ['SessionEnd', 'Stop'] as const) {
      assert.deepEqual(read(event, { exitCode: 1 }, { onFailure: 'block' }), {
        outcome: { name: '[guard]', failure: 'exit code 1', open: true },
        note: 'exit code 1',
      })
    }
  })

  test('long texts are cut, and say so', () => {
    const long = 'x'.repeat(200_000)
    for (const end of [{ stdout: long }, { exitCode: 2, stderr: long }, { exitCode: 1, stderr: long }]) {
      const text = JSON.stringify(read('PreToolUse', end))
      assert.ok(text.length < 210_000 && text.includes('[cut: the hook sent 200000 characters]'))
    }
  })
})
