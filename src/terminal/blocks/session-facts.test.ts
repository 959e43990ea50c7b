/** What the status line says of a session, added up from its log; and the line itself. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LogMaker } from '../../../test/support/log-maker.js'
import type { LogItem } from '../../hub/log/entries.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import { plainStyles } from '../screen/styles.js'
import { activityRow, statusRow } from '../status/status-row.js'
import { TerminalSessionFacts } from './session-facts.js'

const styles = plainStyles()

function factsAfter(items: readonly LogItem[], now = 1000): TerminalSessionFacts {
  const facts = new TerminalSessionFacts()
  for (const item of items) facts.take(item, now)
  return facts
}
const started = (log: LogMaker, id: string) =>
  log.system('task_started', { task_id: id, description: `Job ${id}`, task_type: 'local_bash' })

describe('facts', () => {
  test('context, cost and the window, as the last messages have them', () => {
    const log = new LogMaker()
    const facts = factsAfter([log.text('One.'), log.end(0.5, { cache_hit_rate: 0.25 })])
    assert.deepEqual([facts.context, facts.window, facts.costUsd, facts.cacheHitRate], [155, 200_000, 0.5, 0.25])
    // Of a sub-agent it is no part.
    facts.take(log.call('t', 'Read', {}, { parent: 'other' }), 0)
    assert.equal(facts.context, 155)
    facts.take(log.system('compact_boundary'), 0)
    assert.equal(facts.context, 0)
  })

  test('a turn begins, and what stood of the last one is gone', () => {
    const log = new LogMaker()
    const facts = factsAfter([log.state({ status: 'running' })], 5000)
    assert.deepEqual([facts.isBusy, facts.since], [true, 5000])
    facts.take(log.system('api_retry', { attempt: 2, max_retries: 10, error_status: 529, error: 'overloaded' }), 6000)
    assert.equal(facts.retry, 'no answer (529), try 2 of 10')
    facts.take(log.piece({ type: 'text_delta', text: 'x' }), 6000)
    assert.equal(facts.retry, undefined)
    facts.take(log.state({ status: 'needs-you' }), 7000)
    assert.equal(facts.since, 5000)
    facts.take(log.state({ status: 'idle' }), 8000)
    assert.equal(facts.isBusy, false)
  })

  test('mode, model, title and error; null takes the last two away', () => {
    const log = new LogMaker()
    const facts = factsAfter([log.state({ mode: 'plan', model: 'm', title: 'Ships', error: 'boom' })])
    assert.deepEqual([facts.mode, facts.model, facts.title, facts.error], ['plan', 'm', 'Ships', 'boom'])
    facts.take(log.state({ title: null, error: null }), 0)
    assert.deepEqual([facts.title, facts.error, facts.mode], [undefined, undefined, 'plan'])
  })

  test('work in the background: what it prints, where that goes, and when it is over', () => {
    const log = new LogMaker()
    const facts = factsAfter([started(log, 'b1'), started(log, 'b2')])
    const text = 'Command running in background with ID: b1. Output is being written to: /tmp/b1.out'
    facts.take(log.result('t1', text), 0)
    facts.take(log.delta({ type: 'tool_progress', tool_use_id: 't1', task_id: 'b1', output: 'hello' }), 0)
    const { file, output, kind } = facts.tasks.get('b1') ?? {}
    assert.deepEqual([file, output, kind], ['/tmp/b1.out', 'hello', 'local_bash'])
    facts.take(log.delta({ type: 'tool_progress', tool_use_id: 't1', task_id: 'b1', output: 'x'.repeat(20_000) }), 0)
    assert.equal(facts.tasks.get('b1')?.output.length, 8000)
    facts.take(log.system('task_notification', { task_id: 'b1', status: 'completed' }), 0)
    assert.deepEqual([...facts.tasks.keys()], ['b2'])
    const tasks = [{ task_id: 'b3', task_type: 'local_agent', description: 'Look' }]
    facts.take(log.system('background_tasks_changed', { tasks }), 0)
    assert.deepEqual([...facts.tasks.keys()], ['b3'])
  })
})

describe('the last row', () => {
  const look = { columns: 80, styles, branch: 'main', own: undefined, hint: '? for help' }

  test('mode, model, branch, how full, what it cost, and what can be done', () => {
    const facts = new TerminalSessionFacts()
    Object.assign(facts, { model: 'opus', context: 50_000, costUsd: 0.25 })
    const row = statusRow(facts, look)
    assert.match(row, /^ {2}Ask first · opus · main · 25% of 200k · \$0\.250 +\? for help$/)
    assert.ok(row.length < 80)
  })

  test('a hint that has no room is left out; what the user’s own command says comes instead', () => {
    const facts = new TerminalSessionFacts()
    assert.doesNotMatch(statusRow(facts, { ...look, columns: 30 }), /help/)
    assert.match(statusRow(facts, { ...look, own: 'my line' }), /Ask first · my line/)
  })

  test('work in the background is counted', () => {
    const log = new LogMaker()
    assert.match(statusRow(factsAfter([started(log, 'a')]), look), / 1 task \(ctrl-t\)/)
    assert.match(statusRow(factsAfter([started(log, 'a'), started(log, 'b')]), look), / 2 tasks /)
  })

  test('a mode is called what every interface calls it', () => {
    const shown = (mode: PermissionMode) => statusRow(Object.assign(new TerminalSessionFacts(), { mode }), look)
    assert.match(shown('dontAsk'), /Deny instead of asking/)
    assert.match(shown('bypassPermissions'), /Bypass permissions/)
  })

  test('while it works: for how long, how much was written, what it waits for', () => {
    const facts = new TerminalSessionFacts()
    Object.assign(facts, { since: 1000, written: 1500, retry: 'no answer (529), try 1 of 10' })
    assert.equal(
      activityRow(facts, 13_900, 80, styles),
      '* Working 12 s · 1.5k tokens · no answer (529), try 1 of 10 · esc stops',
    )
    facts.isCompacting = true
    assert.match(activityRow(facts, 0, 80, styles), /^\* Summarizing 0 s/)
  })
})
