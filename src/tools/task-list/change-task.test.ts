import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import type { ListedTask, TaskChange } from './change-task.js'
import { createTaskListStore, type TaskListStore } from './task-list-store.js'

async function listOf(count: number): Promise<TaskListStore> {
  const store = createTaskListStore()
  for (let i = 1; i <= count; i++) await store.create({ subject: `T${i}`, description: `Do ${i}` })
  return store
}

const links = async (store: TaskListStore) =>
  (await store.list()).map(({ id, blocks, blockedBy }) => [id, blocks.join(), blockedBy.join()])

describe('changes to the task list', () => {
  it('makes pending tasks with ids from 1 that never come back', async () => {
    const store = await listOf(1)
    assert.deepEqual(await store.list(), [
      { id: '1', subject: 'T1', description: 'Do 1', status: 'pending', blocks: [], blockedBy: [], metadata: {} },
    ])
    await store.update('1', { status: 'deleted' })
    const draft = { subject: 'A', description: 'B', activeForm: 'C', metadata: { a: 1 } }
    assert.deepEqual(await store.create(draft), { id: '2', status: 'pending', blocks: [], blockedBy: [], ...draft })
  })

  it('changes what is given and tells what is different', async () => {
    const store = await listOf(2)
    const change: TaskChange = {
      subject: 'T1',
      description: 'New',
      activeForm: 'Doing',
      owner: 'ann',
      metadata: { a: 1, b: 2 },
      status: 'in_progress',
      addBlocks: ['2'],
    }
    assert.deepEqual(await store.update('1', change), {
      ok: true,
      updatedFields: ['description', 'activeForm', 'owner', 'metadata', 'status', 'blocks'],
      statusChange: { from: 'pending', to: 'in_progress' },
    })
    assert.deepEqual(await store.get('1'), {
      id: '1',
      subject: 'T1',
      description: 'New',
      activeForm: 'Doing',
      owner: 'ann',
      metadata: { a: 1, b: 2 },
      status: 'in_progress',
      blocks: ['2'],
      blockedBy: [],
    })
    const again: TaskChange = { owner: 'ann', status: 'in_progress', addBlocks: ['2', '2'], metadata: {} }
    assert.deepEqual(await store.update('1', again), { ok: true, updatedFields: [] })
  })

  it('takes away an owner and keys of the metadata', async () => {
    const store = await listOf(1)
    await store.update('1', { owner: 'ann', metadata: { a: 1, b: 2 } })
    await store.update('1', { owner: '', metadata: { a: null, c: 3 } })
    const task = await store.get('1')
    assert.deepEqual([task && 'owner' in task, task?.metadata], [false, { b: 2, c: 3 }])
  })

  it('keeps keys that objects have anyway', async () => {
    const store = await listOf(1)
    const metadata: Record<string, unknown> = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}')
    await store.update('1', { metadata })
    const kept = (await store.get('1'))?.metadata ?? {}
    assert.deepEqual(Object.entries(kept), Object.entries(metadata))
    assert.equal(Object.getPrototypeOf(kept), Object.prototype)
  })

  it('links both ways, and a task that is deleted leaves no trace', async () => {
    const store = await listOf(3)
    await store.update('2', { addBlockedBy: ['1'], addBlocks: ['3'] })
    assert.deepEqual(await links(store), [
      ['1', '2', ''],
      ['2', '3', '1'],
      ['3', '', '2'],
    ])
    assert.deepEqual(await store.update('2', { status: 'deleted', subject: 'gone' }), {
      ok: true,
      updatedFields: ['deleted'],
      statusChange: { from: 'pending', to: 'deleted' },
    })
    assert.deepEqual(await links(store), [
      ['1', '', ''],
      ['3', '', ''],
    ])
  })

  it('refuses what cannot be, and then changes nothing at all', async () => {
    const store = await listOf(3)
    await store.update('1', { addBlocks: ['2'] })
    await store.update('2', { addBlocks: ['3'] })
    const before = await store.list()
    const cases: [string, TaskChange, string][] = [
      ['9', { status: 'completed' }, 'There is no task #9'],
      ['__proto__', {}, 'There is no task #__proto__'],
      ['1', { subject: 'x', addBlocks: ['3', '9'] }, 'There is no task #9'],
      ['1', { subject: 'x', addBlockedBy: ['9'] }, 'There is no task #9'],
      ['1', { status: 'completed', addBlocks: ['1'] }, 'Task #1 would wait for #1, which waits for #1 already'],
      ['3', { owner: 'x', addBlocks: ['1'] }, 'Task #1 would wait for #3, which waits for #1 already'],
      ['1', { addBlockedBy: ['3'] }, 'Task #1 would wait for #3, which waits for #1 already'],
    ]
    for (const [id, change, problem] of cases) {
      assert.deepEqual(await store.update(id, change), { ok: false, problem })
      assert.deepEqual(await store.list(), before)
    }
  })

  it('never holds a circle, a loose end or a one-sided link', async () => {
    const id = fc.integer({ min: 1, max: 8 }).map(String)
    const some = fc.array(id, { maxLength: 3 })
    const status = fc.constantFrom('pending' as const, 'in_progress' as const, 'completed' as const, 'deleted' as const)
    const change = fc.record({ addBlocks: some, addBlockedBy: some, status, owner: fc.string() }, { requiredKeys: [] })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(id, change), { maxLength: 30 }), async (steps) => {
        const store = await listOf(6)
        for (const [target, step] of steps) {
          const before = await store.list()
          const result = await store.update(target, step)
          if (!result.ok) assert.deepEqual(await store.list(), before)
          else if (result.updatedFields.length === 0) assert.deepEqual(await store.list(), before)
          assertWhole(await store.list())
        }
      }),
      { numRuns: byTier({ quick: 50, all: 200, long: 5000 }) },
    )
  })
})

function assertWhole(tasks: readonly ListedTask[]): void {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  for (const task of tasks) {
    assert.equal(new Set(task.blocks).size, task.blocks.length)
    for (const other of task.blocks) assert.ok(byId.get(other)?.blockedBy.includes(task.id))
    for (const other of task.blockedBy) assert.ok(byId.get(other)?.blocks.includes(task.id))
  }
  // Taking away what waits for nothing, again and again, must leave nothing.
  const left = new Map(byId)
  const free = () => [...left.values()].find((task) => task.blockedBy.every((other) => !left.has(other)))
  for (let next = free(); next; next = free()) left.delete(next.id)
  assert.deepEqual([...left.keys()], [])
}
