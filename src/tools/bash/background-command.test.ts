/** Commands that continue in the background: started there, moved there by the time limit, moved there on request. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { after, beforeEach, describe, it } from 'node:test'
import type { BackgroundTask } from '../../engine/background-port.js'
import { findLeftoverProcesses } from '../../platform/processes/test-leftovers.js'
import { createTestContext, type TestContext } from '../test-context.js'
import type { CallContext } from '../tool.js'
import { createBashTool } from './bash.js'
import type { BashInput } from './bash-shapes.js'

const tool = createBashTool({ isReadOnlyCommand: () => false })
const contexts: TestContext[] = []
let test: TestContext
let mark: string

beforeEach(async () => {
  test = await createTestContext()
  contexts.push(test)
  mark = `test-${randomUUID()}`
})
after(async () => {
  for (const context of contexts) await context.dispose()
})

function bash(input: BashInput, overrides: Partial<CallContext> = {}) {
  const env = { ...test.context.env, ...overrides.env, KEDGE_TASK: mark }
  return tool.execute(input, { ...test.context, ...overrides, env })
}

/** The one task there is. */
function onlyTask(): BackgroundTask {
  const [task, ...others] = test.tasks.running()
  assert.ok(task && others.length === 0)
  return task
}

function expected(
  { id, outputFile }: BackgroundTask,
  more: { remark?: string; soFar?: string; output?: Record<string, unknown> } = {},
) {
  const text = `Command running in background with ID: ${id}. Output is being written to: ${outputFile}`
  const output = { stdout: '', stderr: '', interrupted: false, isImage: false, noOutputExpected: false }
  return {
    ok: true,
    content: [
      text,
      ...(more.remark ? [more.remark] : []),
      'Look at it with TaskOutput; end it with TaskStop.',
      ...(more.soFar ? [`Output so far:\n${more.soFar}`] : []),
    ].join('\n'),
    output: { ...output, backgroundTaskId: id, ...more.output },
  }
}

const fileOf = (task: BackgroundTask) => readFileSync(task.outputFile, 'utf8')

async function until(condition: () => boolean) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

describe('run_in_background', () => {
  it('returns at once, and the task is there to be watched, stopped and told about', async () => {
    const command = 'echo start; until [ -e go ]; do sleep 0.02; done; echo finish'
    const outcome = await bash({ command, description: 'bg echo', run_in_background: true })
    const task = onlyTask()
    assert.deepEqual(outcome, expected(task))
    assert.match(task.id, /^b[0-9a-f]{6}$/)
    const { type, description, toolUseId, status, exitCode } = task
    assert.deepEqual(
      { type, description, toolUseId, command: task.command, status, exitCode },
      {
        type: 'local_bash',
        description: 'bg echo',
        toolUseId: 'toolu_test',
        command,
        status: 'running',
        exitCode: null,
      },
    )
    await until(() => fileOf(task) === 'start\n')
    assert.equal(await task.output(30_000), 'start\n')
    assert.equal(statSync(task.outputFile).mode & 0o777, 0o600)
    await bash({ command: 'touch go' })
    await task.ended
    assert.deepEqual([task.status, task.exitCode, fileOf(task)], ['completed', 0, 'start\nfinish\n'])
    assert.deepEqual([await task.output(30_000), test.progress], ['start\nfinish\n', []])
  })

  it('says how it ended: by itself, badly, by a signal, or stopped with everything it started', async () => {
    const ends: [string, Partial<BackgroundTask>][] = [
      ['exit 0', { status: 'completed', exitCode: 0 }],
      ['exit 3', { status: 'failed', exitCode: 3 }],
      ['kill -9 $$', { status: 'failed', exitCode: null, reason: 'signal SIGKILL' }],
    ]
    for (const [command, end] of ends) {
      await bash({ command, run_in_background: true })
      const task = onlyTask()
      assert.equal(task.description, command)
      await task.ended
      const { status, exitCode, reason } = task
      assert.deepEqual({ status, exitCode, ...(reason ? { reason } : {}) }, end)
    }
    const stubborn = 'trap "" TERM; setsid sleep 300 & echo ready; while :; do sleep 0.05; done'
    await bash({ command: stubborn, run_in_background: true })
    const task = onlyTask()
    await until(() => fileOf(task) === 'ready\n')
    assert.notDeepEqual(findLeftoverProcesses(mark), [])
    await test.tasks.stop(task)
    assert.deepEqual([task.status, task.exitCode, findLeftoverProcesses(mark)], ['stopped', null, []])
  })

  it('is not followed by the shell, and not ended with the call', async () => {
    const controller = new AbortController()
    const command = 'mkdir -p sub; cd sub; echo there; until [ -e go ]; do sleep 0.02; done; echo done'
    await bash({ command, run_in_background: true }, { signal: controller.signal })
    const task = onlyTask()
    await until(() => fileOf(task) === 'there\n')
    controller.abort()
    await bash({ command: 'touch sub/go' })
    await task.ended
    assert.deepEqual(
      [task.status, fileOf(task), test.context.session.shellCwd],
      ['completed', 'there\ndone\n', test.folder],
    )
  })

  it('starts nothing without a file for the output', async () => {
    const prepare = async () => ({ id: 'b000000', outputFile: '/nonexistent/b000000.output' })
    const tasks = { ...test.context.tasks, prepare, adopt: () => assert.fail('adopted') }
    const outcome = await bash({ command: 'touch ran', run_in_background: true }, { tasks })
    assert.match(outcome.ok ? '' : outcome.error, /^The command could not be started: ENOENT.*b000000.output/)
    assert.throws(() => statSync(`${test.folder}/ran`))
  })

  it('makes the output harmless, and keeps its two ends at hand', async () => {
    const env = { BASH_MAX_OUTPUT_LENGTH: '100' }
    await bash({ command: "printf '\\033[1mbold\\033[0m\\n'; seq 1 10000", run_in_background: true }, { env })
    const task = onlyTask()
    await task.ended
    const whole = `bold\n${Array.from({ length: 10_000 }, (_, i) => `${i + 1}\n`).join('')}`
    assert.equal(fileOf(task), whole)
    assert.equal(
      await task.output(30_000),
      `${whole.slice(0, 50)}\n\n[… 48799 characters left out; the whole output, 48899 bytes, is in ${task.outputFile} …]\n\n${whole.slice(-50)}`,
    )
  })
})

it('T08: endless output goes on in flat memory until it is stopped', async () => {
  await bash({ command: 'yes', run_in_background: true })
  const task = onlyTask()
  const before = process.memoryUsage().rss
  await until(() => statSync(task.outputFile).size > 20_000_000)
  await test.tasks.stop(task)
  assert.deepEqual([task.status, findLeftoverProcesses(mark)], ['stopped', []])
  assert.ok(process.memoryUsage().rss - before < 150 * 1024 * 1024)
  assert.match(
    await task.output(30_000),
    /^(y\n)+\n\n\[… \d+ characters left out; the whole output, \d+ bytes, is in .* …\]\n\n(y\n)+$/,
  )
})

describe('a command that is moved to the background', () => {
  it('by its time limit, with what it printed so far', async () => {
    const command = 'echo begun; until [ -e go ]; do sleep 0.02; done; echo done'
    const outcome = await bash({ command, timeout: 1_500 })
    const task = onlyTask()
    assert.deepEqual(
      outcome,
      expected(task, { remark: 'It is still running after its time limit of 1.5 s.', soFar: 'begun' }),
    )
    assert.deepEqual([fileOf(task), test.progress], ['begun\n', ['begun\n']])
    await bash({ command: 'touch go' })
    await task.ended
    assert.deepEqual([task.status, fileOf(task), test.progress], ['completed', 'begun\ndone\n', ['begun\n']])
  })

  it('by limits that the environment sets', async () => {
    const limits: [BashInput, Record<string, string>][] = [
      [{ command: 'sleep 300' }, { BASH_DEFAULT_TIMEOUT_MS: '50' }],
      [
        { command: 'sleep 300', timeout: 900_000 },
        { BASH_DEFAULT_TIMEOUT_MS: '20', BASH_MAX_TIMEOUT_MS: '50' },
      ],
    ]
    for (const [input, env] of limits) {
      const outcome = await bash(input, { env })
      const task = onlyTask()
      assert.deepEqual(outcome, expected(task, { remark: 'It is still running after its time limit of 0.1 s.' }))
      await test.tasks.stop(task)
      assert.deepEqual(findLeftoverProcesses(mark), [])
    }
  })

  it('on request, after which an abort of the call means nothing to it', async () => {
    const controller = new AbortController()
    const progress = () => setImmediate(() => assert.equal(test.tasks.moveToBackground('toolu_test'), 1))
    const command = 'echo begun; until [ -e go ]; do sleep 0.02; done; cd /; echo done'
    const outcome = await bash({ command }, { progress, signal: controller.signal })
    const task = onlyTask()
    assert.deepEqual(outcome, expected(task, { soFar: 'begun', output: { backgroundedByUser: true } }))
    controller.abort()
    assert.equal(test.tasks.moveToBackground(), 0)
    await bash({ command: 'touch go' })
    await task.ended
    assert.deepEqual([task.status, fileOf(task)], ['completed', 'begun\ndone\n'])
  })

  it('takes a long output along whole', async () => {
    const env = { BASH_MAX_OUTPUT_LENGTH: '50' }
    const command = 'seq 1 1000; until [ -e go ]; do sleep 0.02; done; seq 1001 2000'
    await bash({ command, timeout: 300 }, { env })
    const task = onlyTask()
    await bash({ command: 'touch go' })
    await task.ended
    assert.equal(fileOf(task), Array.from({ length: 2_000 }, (_, i) => `${i + 1}\n`).join(''))
  })

  it('is ended instead where there is no place for its output', async () => {
    const tasks = { ...test.context.tasks, prepare: () => Promise.reject(new Error('no folder')) }
    const outcome = await bash({ command: 'echo begun; sleep 300', timeout: 100 }, { tasks })
    assert.deepEqual(outcome, {
      ok: false,
      error: 'Exit code 143\nCommand timed out after 0.1s\nbegun\nIt could not go on in the background: no folder',
    })
    assert.deepEqual(findLeftoverProcesses(mark), [])
  })

  it('is ended when the session is, and at once', async () => {
    await bash({ command: 'trap "" TERM HUP; setsid sleep 300 & while :; do sleep 0.05; done', timeout: 100 })
    const task = onlyTask()
    await test.context.platform.processes.close()
    await task.ended
    assert.deepEqual([task.status, task.reason, findLeftoverProcesses(mark)], ['failed', 'signal SIGKILL', []])
  })
})

it('the result of a command that ends while it is being moved is its own', async () => {
  // The place for the output is only found once the command is over.
  let ended: Promise<unknown> = Promise.resolve()
  const { platform } = test.context
  const start: typeof platform.processes.start = async (options) => {
    const running = await platform.processes.start(options)
    ended = running.ended
    return running
  }
  const prepare = async () => {
    const isOver = ended
    await bash({ command: 'touch go' })
    await isOver
    // Whoever waited for it before us has heard of it.
    await new Promise((resolve) => setTimeout(resolve))
    return test.context.tasks.prepare('local_bash')
  }
  const command = 'until [ -e go ]; do sleep 0.02; done; echo over'
  const outcome = await bash(
    { command, timeout: 100 },
    {
      tasks: { ...test.context.tasks, prepare },
      platform: { ...platform, processes: { ...platform.processes, start } },
    },
  )
  assert.deepEqual([outcome.ok && outcome.content, test.tasks.running()], ['over', []])
})

it('CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: nothing goes on, and a time limit ends the command', async () => {
  const env = { ...test.context.env, CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' }
  const refused = await bash({ command: 'touch ran', run_in_background: true }, { env })
  assert.match(refused.ok ? '' : refused.error, /CLAUDE_CODE_DISABLE_BACKGROUND_TASKS is set/)
  assert.throws(() => statSync(`${test.folder}/ran`))
  const late = await bash({ command: 'echo begun; sleep 300', timeout: 1500 }, { env })
  assert.match(late.ok ? '' : late.error, /^Exit code 143\nCommand timed out after 1\.5s\nbegun\n/)
  assert.deepEqual([test.tasks.running(), findLeftoverProcesses(mark)], [[], []])
  const { inputSchema } = createBashTool({ isReadOnlyCommand: () => false, background: false })
  assert.equal('run_in_background' in Object(inputSchema['properties']), false)
})
