import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HookInput } from '../protocol/hooks.js'
import { checkOutput } from './check-output.js'

const base = { session_id: 's', transcript_path: '/t', cwd: '/' }
const call = { tool_input: {}, tool_use_id: 't' }
const pre: HookInput = { ...base, hook_event_name: 'PreToolUse', tool_name: 'Bash', ...call }
const post = (tool_name: string): HookInput => ({
  ...base,
  hook_event_name: 'PostToolUse',
  tool_name,
  ...call,
  tool_response: '',
})

test('what is no answer is a problem, and says why', () => {
  const rows: [unknown, RegExp][] = [
    [undefined, /expected an object/],
    [null, /expected an object/],
    ['block', /expected an object/],
    [[], /expected an object/],
    [{ continue: 'no' }, /continue must be/],
    [{ decision: 'deny' }, /decision must be/],
    [{ systemMessage: 5 }, /systemMessage must be/],
    [{ permissionDecision: 'deny' }, /permissionDecision belongs into hookSpecificOutput/],
    [{ async: true, decision: 'block' }, /it is async and objects/],
    [{ async: true, continue: false }, /it is async and objects/],
    [
      { async: true, hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' } },
      /it is async and objects/,
    ],
    [{ hookSpecificOutput: {} }, /hookEventName/],
    [{ hookSpecificOutput: { hookEventName: 'PostToolUse' } }, /hookEventName is 'PostToolUse', not 'PreToolUse'/],
    [
      { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'later' } },
      /permissionDecision must be/,
    ],
    [{ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: 'x' } }, /updatedInput must be/],
  ]
  for (const [output, problem] of rows) {
    const checked = checkOutput(output, pre)
    assert.ok(!checked.ok, JSON.stringify(output))
    assert.match(checked.problem, problem)
  }
})

test('null stands for an absent field', () => {
  const output = { decision: null, continue: null, hookSpecificOutput: null, madeUp: null }
  assert.deepEqual(checkOutput(output, pre), { ok: true, output, ignored: [] })
})

test('an async answer that approves is just async', () => {
  assert.equal(checkOutput({ async: true, decision: 'approve' }, pre).ok, true)
})

test('fields without an effect are named', () => {
  const output = {
    terminalSequence: 'x',
    systemMessage: 'm',
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      additionalContext: 'c',
      worktreePath: '/w',
      updatedToolOutput: 1,
    },
  }
  const checked = checkOutput(output, pre)
  assert.deepEqual(checked.ok && checked.ignored, ['terminalSequence', 'worktreePath', 'updatedToolOutput'])
})

test('updatedMCPToolOutput is for tools of MCP servers, updatedToolOutput for all', () => {
  const output = {
    hookSpecificOutput: { hookEventName: 'PostToolUse', updatedMCPToolOutput: 'x', updatedToolOutput: 'y' },
  }
  const ignored = (tool: string) => {
    const checked = checkOutput(output, post(tool))
    return checked.ok && checked.ignored
  }
  assert.deepEqual(ignored('mcp__files__read'), [])
  assert.deepEqual(ignored('Bash'), ['updatedMCPToolOutput'])
})
