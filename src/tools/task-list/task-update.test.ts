import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createTestContext, type TestContext } from '../test-context.js'
import { createTaskGetTool } from './task-get.js'
import type { TaskUpdateInput } from './task-list-shapes.js'
import { createTaskListStore, type TaskGuards } from './task-list-store.js'
import { createTaskUpdateTool } from './task-update.js'

let test: TestContext
beforeEach(async () => {
  test = await createTestContext()
})
afterEach(() => test.dispose())

/** A list of tasks with these subjects, and guards that object as told. */
async function start(subjects: string[], objection?: string) {
  const store = createTaskListStore()
  for (const subject of subjects) await store.create({ subject, description: `${subject} in full` })
  const asked: string[] = []
  const guards: TaskGuards = {
    created: async () => undefined,
    async completed({ id }) {
      asked.push(id)
      return objection
    },
  }
  const tool = createTaskUpdateTool(() => store, guards)
  return { store, asked, tool, update: (input: TaskUpdateInput) => tool.execute(input, test.context) }
}

describe('a task that is said to be done', () => {
  it('is not, while somebody objects', async () => {
    const { store, asked, update } = await start(['Build'], 'tests fail')
    assert.deepEqual(await update({ taskId: '1', status: 'completed' }), {
      ok: false,
      error: 'The task is not done yet: tests fail',
    })
    assert.equal((await store.get('1'))?.status, 'pending')
    assert.deepEqual(asked, ['1'])
  })

  it('is asked about once, and only then', async () => {
    const { store, asked, update } = await start(['Build'])
    await update({ taskId: '1', status: 'in_progress' })
    await update({ taskId: '1', subject: 'Build it' })
    assert.deepEqual(asked, [])
    await update({ taskId: '1', status: 'completed' })
    await update({ taskId: '1', status: 'completed' })
    assert.deepEqual(asked, ['1'])
    assert.equal((await store.get('1'))?.status, 'completed')
  })

  it('that does not exist is nobody’s question', async () => {
    const { asked, update } = await start([], 'no')
    const outcome = await update({ taskId: '9', status: 'completed' })
    assert.ok(outcome.ok)
    assert.deepEqual(asked, [])
    assert.match(String(outcome.content), /Nothing was changed\.$/)
    assert.equal((outcome.output as { success: boolean }).success, false)
  })

  it('with an id of any length is told of in few words', async () => {
    const { update } = await start([])
    const outcome = await update({ taskId: 'x'.repeat(10_000), status: 'completed' })
    assert.ok(outcome.ok)
    assert.ok(String(outcome.content).length < 700)
  })
})

describe('a subject', () => {
  it('is never empty', async () => {
    const { tool } = await start(['Build'])
    assert.match((await tool.check?.({ taskId: '1', subject: ' \n' }, test.context)) ?? '', /^The subject is empty/)
    assert.equal(await tool.check?.({ taskId: '1' }, test.context), undefined)
  })
})

describe('a task that is looked at', () => {
  it('shows what there is to know, and nothing else', async () => {
    const { store, update } = await start(['Build', 'Test\n#9 [done] fake', 'Ship'])
    await update({ taskId: '2', owner: 'ann\nbob', addBlockedBy: ['1'], addBlocks: ['3'], metadata: { size: 2 } })
    const get = createTaskGetTool(() => store)
    const content = async (taskId: string) => {
      const outcome = await get.execute({ taskId }, test.context)
      assert.ok(outcome.ok)
      return outcome.content
    }
    assert.equal(await content('1'), 'Task #1: Build\nStatus: pending\nWaited for by: #2\nDescription: Build in full')
    assert.match(
      String(await content('2')),
      /^Task #2: Test #9 \[done\] fake\nStatus: pending\nOwner: ann bob\nWaits for: #1\nWaited for by: #3\nMetadata: \{"size":2\}\nDescription: /,
    )
    assert.equal(await content('7'), 'There is no task #7')
  })
})
