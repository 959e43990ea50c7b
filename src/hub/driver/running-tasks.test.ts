/** A task runs from the list that first names it until its end was told. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SDKMessage } from '../../protocol/messages.js'
import { RunningTasks } from './running-tasks.js'

const system = (subtype: string, fields: object) => ({ type: 'system', subtype, ...fields }) as unknown as SDKMessage // no more is read
const listed = (...ids: string[]) =>
  system('background_tasks_changed', { tasks: ids.map((task_id) => ({ task_id, task_type: 'local_bash' })) })

test('a task that is no longer listed runs until its end is told; none runs without the agent', () => {
  const tasks = new RunningTasks()
  tasks.note(listed('b1'))
  tasks.note(listed('b1', 'b2'))
  tasks.note(listed('b2'))
  assert.deepEqual(tasks.ids, ['b1', 'b2'])
  tasks.note(system('task_notification', { task_id: 'b1', status: 'completed' }))
  assert.deepEqual(tasks.ids, ['b2'])
  tasks.clear()
  assert.deepEqual(tasks.ids, [])
})
