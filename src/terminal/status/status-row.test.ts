/** The last row, and the row of what is being done, as the view of a session has it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LogMaker } from '../../../test/support/log-maker.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import type { LogItem } from '../../protocol/session-log/entries.js'
import { applyToView } from '../../view/session-view.js'
import type { ViewFacts } from '../../view/view-items.js'
import { createSessionView, type SessionView } from '../../view/view-state.js'
import { backgroundTasks } from '../blocks/background-tasks.js'
import { findTaskOutputFile, taskOutputTail } from '../commands/tasks-command.js'
import { plainStyles } from '../screen/styles.js'
import { activityRows, statusRow } from './status-row.js'

const styles = plainStyles()

function viewAfter(items: readonly LogItem[]): SessionView {
  const view = createSessionView('open')
  for (const item of items) applyToView(view, item)
  return view
}
function viewWith(facts: Partial<ViewFacts>): SessionView {
  const view = createSessionView('open')
  view.facts = { ...view.facts, ...facts }
  return view
}
const started = (log: LogMaker, id: string, more: object = {}) =>
  log.system('task_started', { task_id: id, description: `Job ${id}`, task_type: 'local_bash', ...more })

describe('work in the background', () => {
  test('what it prints, where that goes, and when it is over', () => {
    const log = new LogMaker()
    const text = 'Command running in background with ID: b1. Output is being written to: /tmp/b1.out'
    const view = viewAfter([
      log.call('t1', 'Bash', { command: 'make' }),
      started(log, 'b1', { tool_use_id: 't1' }),
      started(log, 'b2'),
      log.result('t1', text, { detail: { backgroundTaskId: 'b1' } }),
    ])
    const printed = (output: string) =>
      applyToView(view, log.delta({ type: 'tool_progress', tool_use_id: 't1', task_id: 'b1', output }))
    printed('hello')
    assert.deepEqual([findTaskOutputFile(view, 'b1'), taskOutputTail(view, 'b1')], ['/tmp/b1.out', 'hello'])
    assert.equal(backgroundTasks(view)[0]?.type, 'local_bash')
    printed('x'.repeat(20_000))
    assert.equal(taskOutputTail(view, 'b1').length, 8000)
    // The turn is over; what runs in the background is still known.
    applyToView(view, log.end(0))
    assert.equal(findTaskOutputFile(view, 'b1'), '/tmp/b1.out')
    applyToView(view, log.system('task_notification', { task_id: 'b1', status: 'completed', summary: 'made' }))
    const ids = () => backgroundTasks(view).map(({ id }) => id)
    assert.deepEqual(ids(), ['b2'])
    const tasks = [{ task_id: 'b3', task_type: 'local_agent', description: 'Look' }]
    applyToView(view, log.system('background_tasks_changed', { tasks }))
    assert.deepEqual(ids(), ['b3'])
  })
})

describe('the last row', () => {
  const look = { columns: 80, styles, branch: 'main', own: undefined, hint: '? for help' }

  test('mode, model, branch, how full, what it cost, and what can be done', () => {
    const row = statusRow(viewWith({ model: 'opus', contextUsed: 50_000, costUsd: 0.25 }), look)
    assert.match(row, /^ {2}Ask first · opus · main · 25% of 200k · \$0\.250 +\? for help$/)
    assert.ok(row.length < 80)
  })

  test('a hint that has no room is left out; what the user’s own command says comes instead', () => {
    const view = createSessionView('open')
    assert.doesNotMatch(statusRow(view, { ...look, columns: 30 }), /help/)
    assert.match(statusRow(view, { ...look, own: 'my line' }), /Ask first · my line/)
  })

  test('work in the background is counted', () => {
    const log = new LogMaker()
    assert.match(statusRow(viewAfter([started(log, 'a')]), look), / 1 task \(ctrl-t\)/)
    assert.match(statusRow(viewAfter([started(log, 'a'), started(log, 'b')]), look), / 2 tasks /)
  })

  test('a mode is called what every interface calls it', () => {
    const shown = (mode: PermissionMode) => statusRow(viewWith({ mode }), look)
    assert.match(shown('dontAsk'), /Deny instead of asking/)
    assert.match(shown('bypassPermissions'), /Bypass permissions/)
  })

  test('while it works: for how long, how much was written, what it waits for', () => {
    const log = new LogMaker()
    const retry = { attempt: 1, max_retries: 10, retry_delay_ms: 500, error_status: 529, error: 'overloaded' }
    const view = viewAfter([
      log.state({ status: 'running' }),
      log.delta({
        type: 'stream_event',
        parent_tool_use_id: null,
        event: { type: 'message_delta', delta: {}, usage: { output_tokens: 1500 } },
      }),
      log.system('api_retry', retry),
    ])
    const rows = (now: number) => activityRows(view, { columns: 80, styles, now, since: 1000 })
    assert.deepEqual(rows(13_900), [
      '* Working 12 s · 1.5k tokens · esc stops',
      '! The model did not respond: attempt 1 of 10 failed: overloaded',
    ])
    applyToView(view, log.piece({ type: 'text_delta', text: 'x' }))
    assert.equal(rows(13_900).length, 1)
    const hook = { hook_id: 'h1', hook_name: 'PreToolUse:Bash', hook_event: 'PreToolUse' }
    applyToView(view, log.system('hook_started', { ...hook, status_message: 'Checking the policy…' }))
    assert.match(rows(0)[0] ?? '', /^\* Checking the policy… 0 s/)
    const ended = { ...hook, output: '', stdout: '', stderr: '', outcome: 'success' }
    applyToView(view, log.system('hook_response', { ...ended, hook_id: 'another' }))
    assert.match(rows(0)[0] ?? '', /Checking/)
    applyToView(view, log.system('hook_response', ended))
    assert.match(rows(0)[0] ?? '', /^\* Working/)
    applyToView(view, log.system('status', { status: 'compacting' }))
    assert.match(rows(0)[0] ?? '', /^\* Summarizing the conversation… 0 s/)
  })
})
