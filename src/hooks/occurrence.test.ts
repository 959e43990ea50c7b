import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { HookInput } from '../protocol/hooks.js'
import { createOccurrence, timeoutSeconds } from './occurrence.js'

function occurrence(fields: Record<string, unknown>, isLast = false) {
  const base = { session_id: 's', transcript_path: '/t.jsonl', cwd: '/repo' }
  const input = { ...base, ...fields } as unknown as HookInput
  return createOccurrence({ input, toolUseId: 'toolu_1', isLast, onAbort: () => () => {} })
}

describe('an occurrence', () => {
  const rows: [fields: Record<string, unknown>, name: string][] = [
    [{ hook_event_name: 'PreToolUse', tool_name: 'Bash' }, 'PreToolUse:Bash'],
    [{ hook_event_name: 'PreToolUse', tool_name: 'Task' }, 'PreToolUse:Task'],
    [{ hook_event_name: 'SessionStart', source: 'startup' }, 'SessionStart:startup'],
    [{ hook_event_name: 'FileChanged', file_path: '/repo/.env' }, 'FileChanged:.env'],
    [{ hook_event_name: 'SubagentStop', agent_type: 'reviewer' }, 'SubagentStop:reviewer'],
    [{ hook_event_name: 'Stop' }, 'Stop'],
    [{ hook_event_name: 'UserPromptSubmit', prompt: 'x' }, 'UserPromptSubmit'],
    [{ hook_event_name: 'CwdChanged', old_cwd: '/a', new_cwd: '/b' }, 'CwdChanged'],
  ]
  for (const [fields, name] of rows) test(`is called ${name}`, () => assert.equal(occurrence(fields).name, name))

  test('keeps what it was made of', () => {
    const made = occurrence({ hook_event_name: 'Stop' }, true)
    assert.equal(made.input.hook_event_name, 'Stop')
    assert.equal(made.toolUseId, 'toolu_1')
    assert.equal(made.isLast, true)
    assert.equal(made.subjects, undefined)
  })
})

describe('the time a hook has', () => {
  const running = occurrence({ hook_event_name: 'Stop' })
  const over = occurrence({ hook_event_name: 'Stop' }, true)

  test('is its own limit, else ten minutes', () => {
    assert.equal(timeoutSeconds(3, running), 3)
    assert.equal(timeoutSeconds(3600, running), 3600)
    assert.equal(timeoutSeconds(undefined, running), 600)
    // As the original reads it: none, not an end at once.
    assert.equal(timeoutSeconds(0, running), 600)
  })

  test('is a second at most once all is over', () => {
    assert.equal(timeoutSeconds(undefined, over), 1)
    assert.equal(timeoutSeconds(30, over), 1)
    assert.equal(timeoutSeconds(0.2, over), 0.2)
  })
})
