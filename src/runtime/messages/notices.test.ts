import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BackgroundTask } from '../../engine/background-port.js'
import type { SDKMessage } from '../../protocol/messages.js'
import { createCountingIdentity, nthTestId } from '../test-conversation.js'
import { createNotices } from './notices.js'

function start(reportsState = true, showsState = false) {
  const sent: SDKMessage[] = []
  const identity = createCountingIdentity()
  const states = { reportsState, showsState }
  const notices = createNotices({ sessionId: 'session', identity, states, send: (one) => void sent.push(one) })
  /** Without what all have, which is checked here. */
  const take = () =>
    sent.splice(0).map((message) => {
      const { type, uuid, session_id, ...rest } = message as { type: string; uuid?: string; session_id?: string }
      assert.deepEqual([type, typeof uuid, session_id], ['system', 'string', 'session'])
      return rest
    })
  return { notices, sent, take }
}

const task = (more: Partial<BackgroundTask>): BackgroundTask => ({
  id: 'b1',
  toolUseId: 'toolu_1',
  description: 'build',
  type: 'local_bash',
  status: 'completed',
  exitCode: 0,
  outputFile: '/out/b1.output',
  output: async () => '',
  ended: Promise.resolve(),
  ...more,
})

test('each notice has an id of its own', () => {
  const { notices, sent } = start()
  notices.compacting(true)
  notices.status('plan')
  assert.deepEqual(
    sent.map((message) => message.uuid),
    [nthTestId(1), nthTestId(2)],
  )
})

test('a task is told when it starts, changes and ends; of an agent no file is named', () => {
  const { notices, take } = start()
  const usage = { total_tokens: 5, tool_uses: 1, duration_ms: 9 }
  notices.taskStarted(task({}))
  notices.taskStarted({ ...task({ type: 'local_agent' }), tools: ['Read'] })
  notices.taskUpdated('b1', { is_backgrounded: true })
  notices.taskEnded(task({}), 'It is over.')
  notices.taskEnded(task({ type: 'local_agent', status: 'stopped', usage }), 'It was stopped.')
  const started = { subtype: 'task_started', task_id: 'b1', tool_use_id: 'toolu_1', description: 'build' }
  const ended = { subtype: 'task_notification', task_id: 'b1', tool_use_id: 'toolu_1' }
  assert.deepEqual(take(), [
    { ...started, task_type: 'local_bash' },
    { ...started, task_type: 'local_agent', tools: ['Read'] },
    { subtype: 'task_updated', task_id: 'b1', patch: { is_backgrounded: true } },
    { ...ended, status: 'completed', output_file: '/out/b1.output', summary: 'It is over.' },
    { ...ended, status: 'stopped', output_file: '', summary: 'It was stopped.', usage },
  ])
})

test('a task that still runs has not ended', () => {
  const { notices, take } = start()
  notices.taskEnded(task({ status: 'running' }), 'never')
  assert.deepEqual(take(), [])
})

test('the state is told when it changes; each rest is told, because the counts in it differ', () => {
  const { notices, take } = start()
  notices.state('running')
  notices.state('running')
  notices.state('requires_action')
  notices.state('idle', { received: 1, tasks: 0 })
  notices.state('idle', { received: 2, tasks: 3 })
  const changed = { subtype: 'session_state_changed', sdk_host_only: true }
  assert.deepEqual(take(), [
    { ...changed, state: 'running' },
    { ...changed, state: 'requires_action' },
    { ...changed, state: 'idle', user_messages: 1 },
    { ...changed, state: 'idle', user_messages: 2, background_tasks: 3 },
  ])
})

test('a caller is shown each change once, and the end of a turn though work goes on; the host hears of none of it', () => {
  const { notices, take } = start(true, true)
  const changed = { subtype: 'session_state_changed' }
  const host = { ...changed, sdk_host_only: true }
  notices.state('running')
  notices.turnOver(1)
  assert.deepEqual(take(), [
    { ...changed, state: 'running' },
    { ...host, state: 'running' },
    { ...changed, state: 'idle', user_messages: 1 },
  ])
  notices.state('idle', { received: 1, tasks: 0 })
  assert.deepEqual(take(), [{ ...host, state: 'idle', user_messages: 1 }])
})

test('who does not want to know of states hears of none', () => {
  const { notices, take } = start(false)
  notices.state('running')
  notices.state('idle', { received: 1, tasks: 0 })
  assert.deepEqual(take(), [])
})

test('the life of a message is told by its id; one without an id has none to tell', () => {
  const { notices, sent } = start()
  notices.lifecycle(undefined, 'queued')
  notices.lifecycle(nthTestId(9), 'dropped')
  const about = { type: 'command_lifecycle', command_uuid: nthTestId(9), state: 'dropped' }
  assert.deepEqual(sent, [{ ...about, uuid: nthTestId(1), session_id: 'session' }])
})

test('notes to people, what programs read of them, and how the session is doing', async () => {
  const { notices, take } = start()
  await notices.inform('Mind this.', 'warning', { code: 'odd', details: { why: null } })
  await notices.inform('Good to know.', 'notice')
  notices.compacting(true)
  notices.compacting(false)
  await notices.status('acceptEdits')
  assert.deepEqual(take(), [
    { subtype: 'informational', content: 'Mind this.', level: 'warning', code: 'odd', details: { why: null } },
    { subtype: 'informational', content: 'Good to know.', level: 'notice' },
    { subtype: 'status', status: 'compacting' },
    { subtype: 'status', status: null },
    { subtype: 'status', status: null, permissionMode: 'acceptEdits' },
  ])
})
