import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createRegistry } from '../registry.js'
import { createTestContext, type TestContext } from '../test-context.js'
import type { Tool } from '../tool.js'
import { createTaskCreateTool } from './task-create.js'
import { createTaskGetTool } from './task-get.js'
import { createTaskListTool } from './task-list.js'
import type { TaskUpdateInput } from './task-list-shapes.js'
import { createTaskListStore } from './task-list-store.js'
import { createTaskUpdateTool } from './task-update.js'

describe('the tools of the task list', () => {
  let test: TestContext
  let tools: { create: Tool; get: Tool; list: Tool; update: Tool }
  beforeEach(async () => {
    test = await createTestContext()
    const store = createTaskListStore()
    tools = {
      create: createTaskCreateTool(() => store),
      get: createTaskGetTool(() => store),
      list: createTaskListTool(() => store),
      update: createTaskUpdateTool(() => store),
    }
  })
  afterEach(() => test.dispose())

  const run = async (tool: Tool, input: object) => {
    const outcome = await tool.execute(input, test.context)
    assert.ok(outcome.ok)
    return { content: outcome.content, output: outcome.output }
  }
  const create = (subject: string, more = {}) =>
    run(tools.create, { subject, description: `${subject} in full`, ...more })
  const update = (input: TaskUpdateInput) => run(tools.update, input)

  it('go through the life of a task', async () => {
    assert.deepEqual(await run(tools.list, {}), { content: 'The list has no tasks.', output: { tasks: [] } })
    assert.deepEqual(await create('First', { metadata: { a: 1 } }), {
      content: 'Task #1 is on the list: First',
      output: { task: { id: '1', subject: 'First' } },
    })
    await create('Second')
    assert.deepEqual(await update({ taskId: '2', addBlockedBy: ['1'] }), {
      content: 'Updated task #2: blockedBy',
      output: { success: true, taskId: '2', updatedFields: ['blockedBy'] },
    })
    assert.deepEqual(await update({ taskId: '1', status: 'in_progress', owner: 'ann' }), {
      content: 'Updated task #1: owner, status',
      output: {
        success: true,
        taskId: '1',
        updatedFields: ['owner', 'status'],
        statusChange: { from: 'pending', to: 'in_progress' },
      },
    })
    assert.deepEqual(await update({ taskId: '1' }), {
      content: 'Task #1 is as it was: nothing to change.',
      output: { success: true, taskId: '1', updatedFields: [] },
    })
    assert.deepEqual(await run(tools.get, { taskId: '1' }), {
      content:
        'Task #1: First\nStatus: in_progress\nOwner: ann\nWaited for by: #2\nMetadata: {"a":1}\nDescription: First in full',
      output: {
        task: {
          id: '1',
          subject: 'First',
          description: 'First in full',
          status: 'in_progress',
          blocks: ['2'],
          blockedBy: [],
        },
      },
    })
    assert.deepEqual(await run(tools.list, {}), {
      content: '#1 [in_progress] First (ann)\n#2 [pending] Second [waits for #1]',
      output: {
        tasks: [
          { id: '1', subject: 'First', status: 'in_progress', owner: 'ann', blockedBy: [] },
          { id: '2', subject: 'Second', status: 'pending', blockedBy: ['1'] },
        ],
      },
    })
    await update({ taskId: '1', status: 'completed' })
    assert.match(String((await run(tools.get, { taskId: '2' })).content), /\nWaits for: #1\n/)
    assert.equal((await run(tools.list, {})).content, '#1 [completed] First (ann)\n#2 [pending] Second')
    await update({ taskId: '2', status: 'deleted' })
    assert.equal((await run(tools.list, {})).content, '#1 [completed] First (ann)')
  })

  it('say what is not there or cannot be', async () => {
    await create('First')
    assert.deepEqual(await run(tools.get, { taskId: '7' }), { content: 'There is no task #7', output: { task: null } })
    const error = 'There is no task #7. Nothing was changed.'
    assert.deepEqual(await update({ taskId: '7', status: 'completed' }), {
      content: error,
      output: { success: false, taskId: '7', updatedFields: [], error },
    })
    assert.match(String((await update({ taskId: '1', addBlocks: ['1'] })).content), /^Task #1 would wait for #1/)
    for (const subject of ['', ' \n']) {
      assert.match((await tools.create.check?.({ subject, description: '' }, test.context)) ?? '', /subject is empty/)
      assert.match((await tools.update.check?.({ taskId: '1', subject }, test.context)) ?? '', /subject is empty/)
    }
    assert.equal(await tools.update.check?.({ taskId: '1' }, test.context), undefined)
  })

  it('touch nothing but the list', () => {
    for (const tool of Object.values(tools)) assert.deepEqual(tool.facts({}, test.context), { kind: 'none' })
    const readOnly = Object.values(tools).map((tool) => tool.isReadOnly({}))
    assert.deepEqual(readOnly, [false, true, true, false])
  })

  it('take odd texts as they are, and no subject for another line', async () => {
    await create('One\n#9 [completed] Two')
    for (const odd of ['a\0b', '\ud800', '__proto__', 'x'.repeat(1024 * 1024)]) {
      await create(odd, { description: odd, metadata: { [odd]: odd } })
      const { content } = await run(tools.get, { taskId: odd })
      assert.ok(typeof content === 'string' && content.startsWith('There is no task #') && content.length < 500)
      const { output } = await update({ taskId: '1', addBlocks: [odd] })
      assert.equal(Object.assign({ success: true }, output).success, false)
    }
    const { content } = await run(tools.list, {})
    assert.ok(typeof content === 'string')
    assert.equal(content.split('\n').length, 5)
    assert.ok(content.startsWith('#1 [pending] One #9 [completed] Two\n#2 [pending] a\0b\n'))
  })

  it('name the statuses there are', () => {
    const parse = createRegistry([tools.update], test.context).port.find('TaskUpdate')?.parse
    const parsed = parse?.({ taskId: '1', status: 'done' })
    assert.ok(parsed && !parsed.ok)
    assert.match(parsed.error, /must be one of `pending`, `in_progress`, `completed`, `deleted`/)
  })
})
