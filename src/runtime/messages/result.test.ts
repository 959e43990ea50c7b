import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnUsage } from '../../model/usage.js'
import type { TerminalReason } from '../../protocol/messages.js'
import { nthTestId } from '../test-conversation.js'
import { createResultMessage, type SessionTotals, type TurnResultFields } from './result.js'

const usage = turnUsage([])
const TOTALS: SessionTotals = { apiMs: 12.6, costUsd: 0.25, modelUsage: {}, unpriced: [] }
const facts = (more: Partial<TurnResultFields>): TurnResultFields => ({
  reason: 'completed',
  text: 'Done.',
  errors: [],
  numTurns: 2,
  durationMs: 99.5,
  usage,
  denials: [],
  ...more,
})
const make = (more: Partial<TurnResultFields> = {}, totals: Partial<SessionTotals> = {}) =>
  createResultMessage(facts(more), { ...TOTALS, ...totals }, 'session', nthTestId(1))

test('a turn that went well: its text, whole milliseconds, and nothing that it has not', () => {
  const denials = [{ tool_name: 'Bash', tool_use_id: 'toolu_1', tool_input: {} }]
  assert.deepEqual(make({ stopReason: 'end_turn', denials, errors: ['is not shown'] }), {
    type: 'result',
    subtype: 'success',
    is_error: false,
    duration_ms: 100,
    duration_api_ms: 13,
    num_turns: 2,
    result: 'Done.',
    stop_reason: 'end_turn',
    session_id: 'session',
    total_cost_usd: 0.25,
    usage,
    modelUsage: {},
    permission_denials: denials,
    uuid: nthTestId(1),
    terminal_reason: 'completed',
  })
  assert.equal(make().stop_reason, null)
})

test('a turn that failed has its errors in place of a text', () => {
  const made = make({
    reason: 'timeout',
    errors: ['Too late.'],
    errorCode: 'timeout',
    errorFix: 'Take longer.',
    stopReason: null,
    structured: { value: 1 },
  })
  assert.deepEqual(made, {
    type: 'result',
    subtype: 'error_during_execution',
    duration_ms: 100,
    duration_api_ms: 13,
    num_turns: 2,
    is_error: true,
    stop_reason: null,
    session_id: 'session',
    total_cost_usd: 0.25,
    usage,
    modelUsage: {},
    permission_denials: [],
    uuid: nthTestId(1),
    terminal_reason: 'timeout',
    error_code: 'timeout',
    error_fix: 'Take longer.',
    errors: ['Too late.'],
  })
})

test('every ending has one subtype, and says whether it is an error: killed or refused work is never a success', () => {
  const success: TerminalReason[] = ['completed', 'stop_hook_prevented', 'hook_stopped', 'prompt_blocked']
  const ourWords: TerminalReason[] = ['api_error', 'not_authenticated', 'max_output_tokens', 'refusal']
  const stopped: TerminalReason[] = [
    ...(['aborted_streaming', 'aborted_tools', 'interrupted_by_permission', 'empty_response'] as const),
  ]
  const failed: TerminalReason[] = [
    ...(['max_tokens', 'max_tool_calls', 'permission_required', 'mcp_required', 'timeout', 'internal_error'] as const),
    ...(['invalid_input', 'resume_failed', 'root_refused', 'background_cancelled'] as const),
  ]
  const shape = (reason: TerminalReason) => {
    const { subtype, is_error, stop_reason } = make({ reason, stopReason: 'tool_use' })
    return [subtype, is_error, stop_reason]
  }
  for (const reason of success) assert.deepEqual(shape(reason), ['success', false, 'tool_use'], reason)
  // The text is ours, so the answer it stands for was not stopped by the model.
  for (const reason of ourWords) assert.deepEqual(shape(reason), ['success', true, 'stop_sequence'], reason)
  for (const reason of stopped) assert.deepEqual(shape(reason), ['error_during_execution', false, 'tool_use'], reason)
  for (const reason of failed) assert.deepEqual(shape(reason), ['error_during_execution', true, 'tool_use'], reason)
  assert.deepEqual(shape('max_turns'), ['error_max_turns', false, 'tool_use'])
  assert.deepEqual(shape('budget_exhausted'), ['error_max_budget_usd', false, 'tool_use'])
  const gaveUp = ['error_max_structured_output_retries', true, 'tool_use']
  assert.deepEqual(shape('structured_output_retries_exhausted'), gaveUp)
})

test('an answer as data is part of a success, also when the data is nothing', () => {
  for (const value of [null, false, 0, '', { a: 1 }]) {
    const made = make({ structured: { value } })
    assert.ok('structured_output' in made)
    assert.deepEqual(made.structured_output, value)
  }
  assert.equal('structured_output' in make(), false)
})

test('work that goes on and models without a price are named where there are any', () => {
  const pending = [{ task_id: 'b1', task_type: 'local_bash', description: 'build' }] as const
  const made = make({ pending: [...pending] }, { unpriced: ['qwen3'] })
  assert.deepEqual([made.pending_tasks, made.unpriced_models], [[...pending], ['qwen3']])
  const none = make({ pending: [] })
  assert.deepEqual(['pending_tasks' in none, 'unpriced_models' in none], [false, false])
})
