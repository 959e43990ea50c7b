import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ListedTask, TaskChange } from './change-task.js'
import { planTaskChangeBy } from './plan-task-change.js'
import { createListedTask } from './task-list-store.js'

const ann = { name: 'ann', leads: false }
const lead = { name: 'team-lead', leads: true }
const listed = (...tasks: (Partial<ListedTask> & { id: string })[]) =>
  new Map(tasks.map((task) => [task.id, { ...createListedTask(task.id, { subject: 's', description: 'd' }), ...task }]))

describe('a change of a shared task', () => {
  const cases: [string, Partial<ListedTask>, TaskChange, typeof ann, TaskChange | { problem: string }][] = [
    ['takes one that nobody has', {}, { status: 'in_progress' }, ann, { status: 'in_progress', owner: 'ann' }],
    ['by the lead takes nothing', {}, { status: 'in_progress' }, lead, { status: 'in_progress' }],
    [
      'may hand it to somebody',
      {},
      { status: 'in_progress', owner: 'bob' },
      ann,
      { status: 'in_progress', owner: 'bob' },
    ],
    ['may name an owner only', {}, { owner: 'ann' }, ann, { owner: 'ann' }],
    ['completes one that nobody has', {}, { status: 'completed' }, ann, { status: 'completed' }],
    ['goes on with one’s own', { owner: 'ann' }, { status: 'completed' }, ann, { status: 'completed' }],
    [
      'does not take what is another’s',
      { owner: 'bob' },
      { status: 'in_progress' },
      ann,
      { problem: 'Task #1 belongs to bob. Take another one, or agree with bob by SendMessage' },
    ],
    [
      'does not take it by its owner either',
      { owner: 'bob' },
      { owner: 'ann' },
      ann,
      { problem: 'Task #1 belongs to bob. Take another one, or agree with bob by SendMessage' },
    ],
    ['by the lead may take it from anybody', { owner: 'bob' }, { owner: 'ann' }, lead, { owner: 'ann' }],
    ['may describe what is another’s', { owner: 'bob' }, { description: 'x' }, ann, { description: 'x' }],
    [
      'does not begin what is done',
      { status: 'completed', owner: 'bob' },
      { status: 'in_progress' },
      ann,
      { problem: 'Task #1 is done' },
    ],
    [
      'may take one’s own up again',
      { status: 'completed', owner: 'ann' },
      { status: 'pending' },
      ann,
      { status: 'pending' },
    ],
  ]
  for (const [name, task, change, actor, expected] of cases)
    it(name, () => assert.deepEqual(planTaskChangeBy(listed({ id: '1', ...task }), '1', change, actor), expected))

  it('waits for what comes before, also for the lead', () => {
    const tasks = listed(
      { id: '1', blockedBy: ['2', '3', '4'] },
      { id: '2', status: 'completed' },
      { id: '3', status: 'in_progress' },
    )
    const problem = { problem: 'Task #1 waits for #3, #4' }
    for (const actor of [ann, lead]) {
      assert.deepEqual(planTaskChangeBy(tasks, '1', { status: 'in_progress' }, actor), problem)
      assert.deepEqual(planTaskChangeBy(tasks, '1', { status: 'completed' }, actor), problem)
    }
    assert.deepEqual(planTaskChangeBy(tasks, '1', { status: 'pending' }, ann), { status: 'pending' })
    assert.deepEqual(planTaskChangeBy(tasks, '1', { owner: 'ann' }, ann), { owner: 'ann' })
  })

  it('of a task that is not there is for the list to refuse', () => {
    assert.deepEqual(planTaskChangeBy(listed(), '7', { status: 'completed' }, ann), { status: 'completed' })
  })
})
