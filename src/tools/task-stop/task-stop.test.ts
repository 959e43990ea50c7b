import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { BackgroundEnd } from '../../engine/background-port.js'
import { createTestContext, type TestContext } from '../test-context.js'
import { type TaskStopInput, taskStopTool } from './task-stop.js'

describe('TaskStop', () => {
  let test: TestContext
  beforeEach(async () => {
    test = await createTestContext()
  })
  afterEach(() => test.dispose())

  /** A task that ends when it is stopped as `onStop` says; not at all without it. */
  const start = async (onStop: BackgroundEnd | undefined, command?: string) => {
    let end = (_: BackgroundEnd) => {}
    const ended = new Promise<BackgroundEnd>((resolve) => {
      end = resolve
    })
    const task = test.tasks.adopt(await test.tasks.prepare('local_bash'), {
      type: 'local_bash',
      description: 'Build it',
      toolUseId: 'toolu_1',
      ...(command === undefined ? {} : { command }),
      output: async () => '',
      ended,
      stop: () => onStop && end(onStop),
    })
    return { task, end }
  }
  const stop = (input: TaskStopInput) => taskStopTool.execute(input, test.context)
  const check = async (input: TaskStopInput) => taskStopTool.check?.(input, test.context)

  it('ends a task and says which', async () => {
    const command = 'make "all" </x> \ud800'
    const { task } = await start({ status: 'stopped', exitCode: null }, command)
    assert.equal(await check({ task_id: task.id }), undefined)
    const output = {
      message: `Successfully stopped task: ${task.id} (${command})`,
      task_id: task.id,
      task_type: 'local_bash',
      command,
    }
    assert.deepEqual(await stop({ task_id: task.id }), {
      ok: true,
      content: `${output.message}. What it printed can still be read with TaskOutput.`,
      output,
    })
    assert.equal(task.status, 'stopped')
  })

  it('takes the old name of the id, and the description where there is no command', async () => {
    const { task } = await start({ status: 'stopped', exitCode: null })
    const outcome = await stop({ shell_id: task.id })
    assert.ok(outcome.ok)
    assert.equal(Object.assign({ command: '' }, outcome.output).command, 'Build it')
  })

  it('refuses what is not there, and a call without an id', async () => {
    const cases: [TaskStopInput, string][] = [
      [{ task_id: 'nope' }, 'No task found with ID: nope'],
      [{ shell_id: 'nope' }, 'No task found with ID: nope'],
      [{ task_id: '__proto__' }, 'No task found with ID: __proto__'],
      [{}, 'The required parameter `task_id` is missing'],
    ]
    for (const [input, error] of cases) {
      assert.equal(await check(input), error)
      assert.deepEqual(await stop(input), { ok: false, error, refused: true })
    }
    assert.ok(((await check({ task_id: 'x'.repeat(1024 * 1024) })) ?? '').length < 500)
  })

  it('refuses a task that is over, with its status', async () => {
    const { task, end } = await start(undefined)
    end({ status: 'failed', exitCode: 1 })
    await task.ended
    const error = `Task ${task.id} has already ended: it is failed.`
    assert.equal(await check({ task_id: task.id }), error)
    assert.deepEqual(await stop({ task_id: task.id }), { ok: false, error, refused: true })
  })

  it('does not claim to have stopped what ended by itself meanwhile', async () => {
    const { task } = await start({ status: 'completed', exitCode: 0 })
    const error = `Task ${task.id} has already ended: it is completed.`
    assert.deepEqual(await stop({ task_id: task.id }), { ok: false, error, refused: true })
  })

  it('does not wait on when interrupted', async () => {
    const { task, end } = await start(undefined)
    const controller = new AbortController()
    const stopping = taskStopTool.execute({ task_id: task.id }, { ...test.context, signal: controller.signal })
    controller.abort()
    assert.deepEqual(await stopping, { ok: false, error: `Interrupted while task ${task.id} was being stopped.` })
    end({ status: 'stopped', exitCode: null })
  })

  it('is not asked about', () => {
    assert.deepEqual(taskStopTool.facts({}, test.context), { kind: 'none' })
    assert.equal(taskStopTool.isReadOnly({}), false)
  })
})
